// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register staging, see Staging.h.

#include "Staging.h"
#include "Code/AstUtils.h"
#include "ElementTypes.h"
#include "PartCounts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace kpipe {

namespace {

class Stager {
public:
  Stager(const TileLoop &Loop, const PipelinePlan &Plan,
         SourceTexts &Texts, Names &Fresh, RuntimeCalls &Calls)
      : Loop(Loop), Plan(Plan), Texts(Texts), Source(Texts.own()), Fresh(Fresh),
        Calls(Calls), Untouched(Fresh) {}

  llvm::Expected<Staging> run(const std::string &Slot) {
    if (Plan.TilesInRegisters > 1) {
      Out.Tiles = "[" + std::to_string(Plan.TilesInRegisters) + "]";
      Out.Slot = "[" + Slot + "]";
    }
    Out.Registers.resize(Loop.Copies.size());
    Out.Members.resize(Loop.Copies.size());
    for (const TileCopy &C : Loop.Copies)
      if (C.Helper && !Out.TileParameters.contains(written(C.Helper))) {
        Names &Of = namesOf(C.Helper);
        std::string &Name = Out.TileParameters[written(C.Helper)];
        Name = Of.fresh("tile");
        if (Name != "tile") // a name is better than a number
          Name = Of.fresh("held_tile");
      }
    // Copies that take the registers of others, each with those.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 4> Sharing;
    std::map<unsigned, unsigned> Owners;
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      const TileCopy &C = Loop.Copies[I];
      if (Plan.Copies[I].Way != Route::Registers || !C.ValueIsLoaded)
        continue;
      auto [Owner, First] = Owners.try_emplace(C.SharesRegisters, I);
      if (!First) {
        Sharing.push_back({I, Owner->second});
        continue;
      }
      auto Type = registerType(C, Loop, Texts.of(C.Helper));
      if (!Type)
        return Type.takeError();
      Group *G = find(C, *Type);
      if (!G) {
        Groups.push_back({&C, {}, std::move(*Type), {}});
        G = &Groups.back();
      }
      G->Members.push_back(I);
    }
    for (Group &G : Groups)
      if (llvm::Error E = declare(G))
        return std::move(E);
    for (auto [I, Owner] : Sharing)
      if (llvm::Error E = share(I, Owner))
        return std::move(E);
    return std::move(Out);
  }

private:
  struct Group {
    const TileCopy *First;
    llvm::SmallVector<unsigned, 4> Members;
    std::string Type;
    std::string Name; ///< as the copies spell it, without an index
  };

  const TileLoop &Loop;
  const PipelinePlan &Plan;
  SourceTexts &Texts;
  const SourceText &Source;
  Names &Fresh;
  RuntimeCalls &Calls;
  Staging Out;
  std::vector<Group> Groups;
  /// For clones: what they call their own must not depend on what else the
  /// loop needs names for, as other loops and other calls share them.
  const Names Untouched;
  std::map<const FunctionDecl *, Names> OfHelpers;
  /// A counter has one name in all instantiations of a text.
  std::map<SourceLocation, std::string> Counters;
  struct MadeCounter {
    const ForStmt *For;
    const FunctionDecl *Helper;
    std::string Name;
  };
  std::vector<MadeCounter> MadeCounters;

  /// Names for the clones of a helper, which none of its words is.
  Names &namesOf(const FunctionDecl *Helper) {
    const FunctionDecl *W = written(Helper);
    auto [It, New] = OfHelpers.try_emplace(W, Untouched);
    if (New && Texts.isElsewhere(W)) {
      const SourceText &Its = Texts.of(W);
      It->second.take(wordsOf(
          Its.at({Its.expansionOffset(W->getBeginLoc()),
                  Its.expansionOffset(W->getEndLoc())})));
    }
    return It->second;
  }

  /// What a copy loop's parts are in every call that shares its text.
  CopyLoop::Partial partly(const CopyLoop &L) const {
    CopyLoop::Partial Least = L.Partly;
    for (const TileCopy &C : Loop.Copies)
      for (const CopyLoop &Other : C.Loops)
        if (Other.For->getForLoc() == L.For->getForLoc())
          Least = std::min(Least, Other.Trips > 1 ? Other.Partly
                                  : Other.Partly == CopyLoop::Partial::None
                                      ? CopyLoop::Partial::None
                                      : CopyLoop::Partial::Any);
    return Least;
  }

  /// What people call the array that is stored: in dynamic shared memory the
  /// part of it.
  const VarDecl *array(const TileCopy &C) const {
    const StagedBuffer &B = Loop.Buffers[C.Buffer];
    return llvm::is_contained(B.Views, C.Through) ? C.Through : B.Var;
  }

  /// Of `s.tile.a[r][c]` the array in the object, and of `a_ptr` what that
  /// points to.
  std::string tileName(const TileCopy &C) const {
    const VarDecl *V = array(C);
    if (V->getType().getNonReferenceType()->isRecordType()) {
      const Expr *E = C.Dst->IgnoreParenImpCasts();
      while (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase()->IgnoreParenImpCasts();
      const auto *M = dyn_cast<MemberExpr>(E);
      if (M && M->getMemberDecl()->getIdentifier())
        return M->getMemberDecl()->getNameAsString();
    }
    llvm::StringRef Name = V->getName();
    Name.consume_back("_ptr");
    return Name.str();
  }

  Group *find(const TileCopy &C, const std::string &Type) {
    for (Group &G : Groups) {
      bool SameLoops = G.First->Loops.size() == C.Loops.size();
      for (unsigned I = 0; SameLoops && I != C.Loops.size(); ++I)
        SameLoops = G.First->Loops[I].For == C.Loops[I].For;
      if (SameLoops && G.First->Buffer == C.Buffer &&
          array(*G.First) == array(C) && tileName(*G.First) == tileName(C) &&
          G.First->HelperCall == C.HelperCall && G.Type == Type &&
          Source.context().hasSameUnqualifiedType(G.First->Dst->getType(),
                                                  C.Dst->getType()))
        return &G;
    }
    return nullptr;
  }

  /// A loop's counter has the name of another one's that it does not meet.
  std::string counterName(const ForStmt *For, const FunctionDecl *Helper) {
    for (const MadeCounter &M : MadeCounters)
      if (M.Helper == Helper &&
          llvm::none_of(MadeCounters, [&](const MadeCounter &Other) {
            return Other.Name == M.Name && Other.Helper == Helper &&
                   (!pathTo(Other.For, For).empty() ||
                    !pathTo(For, Other.For).empty());
          })) {
        const std::string Name = M.Name; // the list may move
        MadeCounters.push_back({For, Helper, Name});
        return Name;
      }
    MadeCounters.push_back(
        {For, Helper, (Helper ? namesOf(Helper) : Fresh).fresh("part")});
    return MadeCounters.back().Name;
  }

  /// Which of the parts a turn of the loop copies.
  std::string index(const CopyLoop &L, const PartCount &Parts,
                    const FunctionDecl *Helper) {
    if (L.ConstantInit && !L.Limit)
      return partIndex(L, Texts.of(Helper));
    for (const CountedLoop &C : Out.Counted)
      if (C.For == L.For)
        return C.Counter;
    auto [Name, New] = Counters.try_emplace(L.For->getForLoc());
    if (New)
      Name->second = counterName(L.For, Helper);
    const CopyLoop::Partial Partly = partly(L);
    Out.Counted.push_back({L.For,
                           Name->second,
                           Parts.Text,
                           {},
                           Partly == CopyLoop::Partial::None});
    if (Partly == CopyLoop::Partial::Last && L.Trips > 1)
      Out.Counted.back().Whole = wholeParts(Parts, L, Texts.of(Helper));
    return Out.Counted.back().Counter;
  }

  /// In a helper's tile the parameter's own name says more than the kernel's
  /// array, and is the same for every call.
  std::string memberName(const TileCopy &C) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const NamedDecl *First = nullptr;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (!First)
          First = dyn_cast<VarDecl>(D->getDecl());
        return true;
      }
      bool VisitMemberExpr(const MemberExpr *M) override {
        if (!First && isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
          First = M->getMemberDecl();
        return true;
      }
    } F;
    F.TraverseStmt(C.Dst);
    std::string Base = F.First ? F.First->getNameAsString() : "value";
    unsigned Before = 0;
    for (const Group &G : Groups)
      Before += G.First != &C && G.First->HelperCall == C.HelperCall &&
                G.First < &C && G.First->Buffer == C.Buffer;
    return Before ? Base + std::to_string(Before + 1) : Base;
  }

  llvm::Error declare(Group &G) {
    const std::string Buffer = tileName(*G.First);
    const FunctionDecl *Helper = G.First->Helper;
    std::string Name =
        Helper ? memberName(*G.First) : Fresh.fresh(Buffer + "_reg");
    // A helper's tile is one of an array.
    std::string Extents = Helper ? "" : Out.Tiles;
    for (const CopyLoop &L : G.First->Loops) {
      auto Parts = partCount(L, Helper, Loop, Texts.of(Helper), Calls);
      if (!Parts)
        return Parts.takeError();
      if (Parts->Text != "1")
        Extents += "[" + Parts->Text + "]";
    }
    if (G.Members.size() > 1)
      Extents += "[" + std::to_string(G.Members.size()) + "]";
    std::string Declaration = G.Type + " " + Name + Extents + ";";
    if (Helper)
      Out.Members[G.Members.front()] = Declaration;
    else
      Out.Declarations.push_back(Declaration);
    G.Name = Helper ? Out.TileParameters.lookup(written(Helper)) + "." + Name
                    : Name + Out.Slot;
    for (unsigned I : G.Members)
      if (llvm::Error E = spell(I, G, I))
        return E;
    return llvm::Error::success();
  }

  /// How copy I names the registers of a member of the group.
  llvm::Error spell(unsigned I, const Group &G, unsigned Member) {
    const TileCopy &C = Loop.Copies[I];
    std::string &Text = Out.Registers[I];
    Text = G.Name;
    for (const CopyLoop &L : C.Loops) {
      auto Parts = partCount(L, C.Helper, Loop, Texts.of(C.Helper), Calls);
      if (!Parts)
        return Parts.takeError();
      if (Parts->Text == "1")
        Out.Once.insert(L.For);
      else
        Text += "[" + index(L, *Parts, C.Helper) + "]";
    }
    if (G.Members.size() > 1)
      Text += "[" +
              std::to_string(llvm::find(G.Members, Member) - G.Members.begin()) +
              "]";
    return llvm::Error::success();
  }

  /// The copy stands in another branch than Owner, whose registers it takes.
  llvm::Error share(unsigned I, unsigned Owner) {
    for (const Group &G : Groups)
      if (llvm::is_contained(G.Members, Owner))
        return spell(I, G, Owner);
    llvm_unreachable("owners have registers");
  }
};

} // namespace

llvm::Expected<Staging> stageRegisters(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       SourceTexts &Texts, Names &Fresh,
                                       const std::string &Slot,
                                       RuntimeCalls &Calls) {
  return Stager(Loop, Plan, Texts, Fresh, Calls).run(Slot);
}

} // namespace kpipe
