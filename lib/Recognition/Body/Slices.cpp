// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slicing, see Slices.h.

#include "Slices.h"
#include "NamesInBody.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Slicer {
public:
  Slicer(LoopFacts &Facts, const llvm::SmallVectorImpl<bool> &Front,
         const llvm::SmallVectorImpl<bool> &Copies)
      : Facts(Facts), Items(Facts.Items), Body(Facts.Tile.Body), Front(Front),
        Copies(Copies) {}

  void run() {
    sliceLoad();
    sliceCompute();
    dropLoadOnlySteps();
    placeRest();
    includeNamed();
    findConflicts();
    summarize();
  }

private:
  LoopFacts &Facts;
  llvm::SmallVectorImpl<Effects> &Items;
  llvm::SmallVectorImpl<BodyItem> &Body;
  const llvm::SmallVectorImpl<bool> &Front;
  const llvm::SmallVectorImpl<bool> &Copies;
  VarSet LoadLive; ///< what the load needs from the iteration before

  bool takesPart(unsigned I) const {
    return !Body[I].Barrier && !Body[I].SharedDecl && !Body[I].Step &&
           !Body[I].Replaced;
  }

  static const VarDecl *common(const VarSet &A, const VarSet &B) {
    const VarDecl *Found = nullptr;
    for (const VarDecl *V : A)
      if (B.count(V) &&
          (!Found || V->getLocation() < Found->getLocation()))
        Found = V;
    return Found;
  }

  /// One pass over the items of one side of the barrier, last to first:
  /// includes what defines a live variable, and updates liveness.
  template <typename Included, typename Include>
  void backwards(bool FrontSide, VarSet &Live, Included IsIn, Include Add) {
    for (unsigned I = Items.size(); I-- != 0;) {
      if (Front[I] != FrontSide || !takesPart(I))
        continue;
      if (!IsIn(I) && common(Items[I].Writes, Live))
        Add(I);
      if (!IsIn(I))
        continue;
      for (const VarDecl *V : Items[I].Kills)
        Live.erase(V);
      Live.insert(Items[I].Exposed.begin(), Items[I].Exposed.end());
    }
  }

  void sliceLoad() {
    for (unsigned I = 0; I != Items.size(); ++I)
      Body[I].InLoad = Copies[I];
    for (bool Changed = true; Changed;) {
      Changed = false;
      VarSet Live = LoadLive;
      auto IsIn = [&](unsigned I) { return Body[I].InLoad; };
      auto Add = [&](unsigned I) { Body[I].InLoad = Changed = true; };
      backwards(false, Live, IsIn, Add);
      backwards(true, Live, IsIn, Add);
      for (const VarDecl *V : Live)
        Changed |= LoadLive.insert(V).second;
    }
  }

  /// Liveness of the compute at the top of the body, leaving out one item.
  VarSet computeLive(unsigned Without, bool Grow) {
    VarSet Head;
    for (bool Changed = true; Changed;) {
      Changed = false;
      VarSet Live = Head;
      auto IsIn = [&](unsigned I) { return Body[I].InCompute && I != Without; };
      auto Add = [&](unsigned I) {
        if (Grow && !Copies[I] && I != Without)
          Body[I].InCompute = Changed = true;
      };
      backwards(false, Live, IsIn, Add);
      backwards(true, Live, IsIn, Add);
      for (const VarDecl *V : Live)
        Changed |= Head.insert(V).second;
    }
    return Head;
  }

  void sliceCompute() {
    for (unsigned I = 0; I != Items.size(); ++I)
      if (!Body[I].Barrier) // inner barriers stay where recognition put them
        Body[I].InCompute = takesPart(I) && !Front[I];
    computeLive(Items.size(), true);
  }

  /// A step that only the load reads (`A += BK` after the barrier) moves there.
  void dropLoadOnlySteps() {
    for (unsigned I = 0; I != Items.size(); ++I) {
      if (!Body[I].InLoad || !Body[I].InCompute || !Items[I].isPure())
        continue;
      VarSet Read;
      for (unsigned J = 0; J != Items.size(); ++J)
        if (J != I && Body[J].InCompute && takesPart(J) &&
            !(Body[J].InLoad && Items[J].isPure() &&
              Items[J].Writes == Items[I].Writes))
          Read.insert(Items[J].Reads.begin(), Items[J].Reads.end());
      if (!common(Items[I].Writes, Read) &&
          !common(Items[I].Writes, Facts.Header.Reads))
        Body[I].InCompute = false;
    }
  }

  /// Statements that nothing depends on stay where they stood.
  void placeRest() {
    for (unsigned I = 0; I != Items.size(); ++I)
      if (takesPart(I) && !Body[I].InLoad && !Body[I].InCompute)
        (Front[I] ? Body[I].InLoad : Body[I].InCompute) = true;
  }

  /// A region that names what another item of the body declares has to declare
  /// it as well. What its value needs is there, if it needs the value.
  void includeNamed() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (unsigned I = 0; I != Items.size(); ++I)
        for (unsigned J : Facts.Named[I]) {
          if (!takesPart(I) || !takesPart(J) || !isa<DeclStmt>(Body[J].S))
            continue;
          for (bool BodyItem::*Region :
               {&BodyItem::InLoad, &BodyItem::InCompute})
            if (Body[I].*Region && !(Body[J].*Region) && Items[J].isPure() &&
                !readsLoopWritten(Items[J]))
              Body[J].*Region = Changed = true;
            else if (Body[I].*Region && !(Body[J].*Region))
              outOfReach(I, J);
        }
    }
  }

  /// Item I names what item J declares, which the other region alone can run.
  void outOfReach(unsigned I, unsigned J) {
    for (const VarDecl *V : Items[J].Declared)
      if (mentions(Body[I].S, V))
        return Body[I].InLoad
                   ? conflict(V, Body[J].S, msg::compute_feeds_load, Body[I].S)
                   : conflict(V, Body[J].S, msg::load_feeds_compute, Body[I].S);
  }

  void conflict(const VarDecl *V, const Stmt *Write, msg::Id What,
                const Stmt *Read) {
    Obstacle F;
    F.Rule = RuleId::CarriedScalar;
    F.Where = startOf(Write);
    F.Why = {What, quoted(V)};
    if (Read)
      F.Notes.push_back({startOf(Read), msg::read_here});
    Facts.Obstacles.push_back(std::move(F));
  }

  /// What item I writes to V reaches the load through other items of the
  /// compute: says it of the last of them, which the load reads by name.
  void conflictAtLoad(const VarDecl *V, unsigned I) {
    VarSet Read;
    for (unsigned J = 0; J != Items.size(); ++J)
      if (Front[J] && Body[J].InLoad)
        Read.insert(Items[J].Reads.begin(), Items[J].Reads.end());
    llvm::SmallVector<bool, 16> Seen(Items.size());
    while (!Seen[I]) {
      Seen[I] = true;
      if (const VarDecl *Direct = common(Items[I].Writes, Read)) {
        V = Direct;
        break;
      }
      for (unsigned J = 0; J != Items.size(); ++J)
        if (!Seen[J] && Body[J].InLoad && !Front[J] &&
            common(Items[I].Writes, Items[J].Reads) &&
            !Items[J].Writes.empty()) {
          I = J;
          V = common(Items[J].Writes, Items[J].Writes);
          break;
        }
    }
    conflict(V, Body[I].S, msg::compute_feeds_load, readerOf(V, true));
  }

  const Stmt *readerOf(const VarDecl *V, bool Load) const {
    for (unsigned I = 0; I != Items.size(); ++I)
      if ((Load ? Body[I].InLoad : Body[I].InCompute) &&
          Items[I].Reads.count(V))
        return Body[I].S;
    return nullptr;
  }

  /// What the compute reads, behind each item, of what was written before.
  std::vector<VarSet> computeLiveBehind(VarSet Live) {
    std::vector<VarSet> Behind(Items.size());
    for (bool FrontSide : {false, true})
      for (unsigned I = Items.size(); I-- != 0;) {
        if (Front[I] != FrontSide || !takesPart(I))
          continue;
        Behind[I] = Live;
        if (!Body[I].InCompute)
          continue;
        for (const VarDecl *V : Items[I].Kills)
          Live.erase(V);
        Live.insert(Items[I].Exposed.begin(), Items[I].Exposed.end());
      }
    return Behind;
  }

  /// Each region gives V its value before it reads it: both may do so, with
  /// what nothing in the loop changes.
  bool isSetAnew(const VarDecl *V, const Effects &By,
                 const VarSet &ComputeNeeds) const {
    return By.Kills.count(V) && !LoadLive.count(V) && !ComputeNeeds.count(V) &&
           !isMember(V);
  }

  void findConflicts() {
    VarSet ComputeNeeds = computeLive(Items.size(), false);
    std::vector<VarSet> Behind = computeLiveBehind(ComputeNeeds);
    VarSet Private;
    for (unsigned I = 0; I != Items.size(); ++I) {
      if (!takesPart(I))
        continue;
      const Effects &E = Items[I];
      bool Movable = E.isPure() && !readsLoopWritten(E);
      if (Body[I].InLoad && !Front[I] && !Movable) {
        // The load depends on a statement of the compute that cannot be run
        // ahead.
        const VarDecl *V = common(E.Writes, LoadLive);
        for (unsigned J = 0; !V && J != Items.size(); ++J)
          if (Body[J].InLoad && J != I)
            V = common(E.Writes, Items[J].Reads);
        if (V)
          conflictAtLoad(V, I);
      }
      if (Body[I].InLoad && !Body[I].InCompute) {
        // In this tile or, as the load runs ahead, in the one before.
        const VarDecl *V = common(E.Writes, Behind[I]);
        V = V ? V : common(E.Writes, ComputeNeeds);
        if (V && !E.Declared.count(V))
          conflict(V, Body[I].S, msg::load_feeds_compute, readerOf(V, false));
      }
      // Front statements declare what the compute reads by name as well.
      if (Copies[I])
        for (const VarDecl *V : inOrder(E.Declared))
          if (readerOf(V, false))
            conflict(V, Body[I].S, msg::load_feeds_compute, readerOf(V, false));
      if (Body[I].InLoad && Body[I].InCompute)
        for (const VarDecl *V : inOrder(E.Writes)) {
          if (E.Declared.count(V) || !isOutside(V))
            continue;
          // Loaded once more where it is used, as a variable of the body is.
          if (E.readsGlobal() && isSetAnew(V, E, ComputeNeeds))
            continue;
          // A private copy would load the same values twice (planes of a
          // stencil that wander through registers). Of a member there is none.
          if (E.readsGlobal() || isMember(V))
            conflict(V, Body[I].S, msg::load_feeds_compute, readerOf(V, false));
          else
            Private.insert(V);
        }
    }
    llvm::append_range(Facts.Tile.PrivateToLoad, inOrder(Private));
  }

  bool isOutside(const VarDecl *V) const {
    return llvm::none_of(Items,
                         [&](const Effects &E) { return E.Declared.count(V); });
  }

  bool readsLoopWritten(const Effects &E) const {
    for (const MemoryAccess &A : E.Memory)
      if (!A.Write && (A.Root.Where == Space::Shared ||
                       A.Root.Where == Space::Unknown))
        for (const MemoryAccess &B : Facts.Body.Memory)
          if (B.Write && (B.Root.Where == Space::Shared ||
                          B.Root.Where == Space::Unknown) &&
              mayOverlap(A.Root, B.Root))
            return true;
    return false;
  }

  /// Does S hold an `if constexpr` whose text names V?
  bool dropsNameOf(const VarDecl *V, const Stmt *S) const {
    const ASTContext &Context = Facts.In->context();
    if (const auto *I = dyn_cast_or_null<IfStmt>(S); I && I->isConstexpr()) {
      llvm::StringRef Text = Lexer::getSourceText(
          CharSourceRange::getTokenRange(I->getSourceRange()),
          Context.getSourceManager(), Context.getLangOpts());
      return Text.contains(V->getName());
    }
    return S && llvm::any_of(S->children(), [&](const Stmt *Child) {
             return dropsNameOf(V, Child);
           });
  }

  void summarize() {
    llvm::SmallVector<const Effects *, 16> Load, Compute;
    for (unsigned I = 0; I != Items.size(); ++I) {
      if (Body[I].InLoad)
        Load.push_back(&Items[I]);
      if (Body[I].InCompute)
        Compute.push_back(&Items[I]);
    }
    Facts.Load = inSequence(Load);
    Facts.Compute = inSequence(Compute);
    VarSet Written;
    for (unsigned I = 0; I != Items.size(); ++I)
      Written.insert(Items[I].Writes.begin(), Items[I].Writes.end());
    for (HeaderVar &H : Facts.Tile.HeaderVars) {
      H.ReadByLoad = Facts.Load.Reads.count(H.Var);
      H.ReadByCompute = Facts.Compute.Reads.count(H.Var);
      // Text that is not evaluated, as in a decltype, or that `if constexpr`
      // drops, names variables as well.
      for (unsigned I = 0; I != Items.size(); ++I) {
        bool Names = mentions(Body[I].S, H.Var) ||
                     dropsNameOf(H.Var, Body[I].S);
        H.ReadByLoad |= Body[I].InLoad && Names;
        H.ReadByCompute |= Body[I].InCompute && Names;
      }
      Facts.Variant.insert(H.Var);
    }
    for (const VarDecl *V : LoadLive)
      if (Written.count(V))
        Facts.Variant.insert(V);
    // What is computed from a variant or from memory varies as well.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (unsigned I = 0; I != Items.size(); ++I) {
        if (!Body[I].InLoad || Copies[I])
          continue;
        bool Varies = common(Items[I].Reads, Facts.Variant) ||
                      Items[I].readsGlobal() || Items[I].readsShared();
        for (const VarDecl *V : Items[I].Writes)
          if (Varies)
            Changed |= Facts.Variant.insert(V).second;
      }
    }
  }
};

} // namespace

void sliceBody(LoopFacts &Facts, const llvm::SmallVectorImpl<bool> &Front,
               const llvm::SmallVectorImpl<bool> &Copies) {
  Slicer(Facts, Front, Copies).run();
}

} // namespace kpipe
