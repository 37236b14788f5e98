// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which staged buffers may become a ring of stages (rules carried-shared and
// shared-escape): in a ring, an element that a tile does not store holds what
// it held two tiles ago instead of one tile ago. So the places that are stored
// must be the same in every iteration, nothing else may store the buffer, and
// every mention of it must be one that can mean a stage.

#include "Rings.h"
#include "Blocks.h"
#include "Callers.h"
#include "CarriedAddress.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/OtherBlocks.h"
#include "Code/Variance.h"
#include "DeclaredAgain.h"
#include "ElementReads.h"
#include "FilledWhole.h"
#include "KeptContents.h"
#include "OtherRuns.h"
#include "PartialTiles.h"
#include "Recognition/TileCopies/HelperCalls.h"
#include "Recognition/TileCopies/StoredByEitherCall.h"
#include "Recognition/TileCopies/StoredEitherWay.h"
#include "ShiftedLoops.h"
#include "StageAlignment.h"
#include "StageDeclaration.h"
#include "StageNames.h"
#include "Support/RuleSwitch.h"
#include "ViewsByNumber.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using Guards = llvm::SmallVector<const Expr *, 4>;

class RingFinder {
public:
  explicit RingFinder(LoopFacts &Facts)
      : Facts(Facts), Context(Facts.In->context()) {}

  void run() {
    llvm::SmallVector<const Stmt *, 16> Load;
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.InLoad)
        Load.push_back(I.S);
    spreadVariance(Facts.Variant, Load, *Facts.In);
    std::vector<Message> NotGiven;
    for (StagedBuffer &B : Facts.Tile.Buffers)
      NotGiven.push_back(isa<ParmVarDecl>(B.Var) ? findGiven(Facts, B)
                                                 : Message());
    InAllRuns = variantInAllRuns(Facts);
    for (auto [B, Why] : llvm::zip(Facts.Tile.Buffers, NotGiven)) {
      B.DeclaredInLoop = declaredInLoop(B.Var);
      B.Alignment = alignmentOf(B, Facts);
      if (Why)
        no(B, B.Var->getLocation(), std::move(Why));
      else
        decide(B);
    }
  }

private:
  LoopFacts &Facts;
  ASTContext &Context;
  /// What differs from tile to tile of all runs of the loop.
  VarSet InAllRuns;
  VarSet Asked; ///< buffers whose Partial is decided

  static void no(StagedBuffer &B, SourceLocation Where, Message Why) {
    if (!B.NoRing.empty())
      return;
    B.NoRing = std::move(Why);
    B.NoRingLoc = Where;
  }

  bool declaredInLoop(const VarDecl *V) const {
    for (const BodyItem &I : Facts.Tile.Body)
      if (I.SharedDecl)
        for (const Decl *D : cast<DeclStmt>(I.S)->decls())
          if (D == V)
            return true;
    return false;
  }

  void decide(StagedBuffer &B) {
    const VarDecl *V = B.Var;
    const bool Parameter = isa<ParmVarDecl>(V);
    // With a size it is one variable for all who declare it.
    const bool Common = V->hasExternalStorage() && B.Bytes != 0;
    B.Block = B.Bytes == 0;
    B.GivenOut = isGivenOut(Facts, B);
    findViews(Facts, B);
    if (B.Block) {
      if (auto Why = whyNoBlock(Facts, B))
        return no(B, Why->Where, std::move(Why->Why));
      if (B.Alignment > Facts.Tile.stageAlignment())
        return no(
            B, V->getLocation(),
            {msg::accesses_need_more_alignment, quoted(V),
             Facts.Tile.stageAlignment()});
    } else if (Common) {
      return no(B, V->getLocation(), {msg::declared_extern, quoted(V)});
    } else if (Parameter) {
      // Where its arrays are declared was looked at.
    } else if (V->getDeclContext() != Facts.Tile.Function) {
      return no(B, V->getLocation(),
                {msg::declared_outside_function, quoted(V)});
    } else if (V->getLocation().isMacroID()) {
      return no(B, V->getLocation(), {msg::declared_by_macro, quoted(V)});
    }
    if (hasNumberView(B)) // rows of ldmatrix
      B.Alignment = std::max(B.Alignment, 16u);
    if (!B.Block && B.Bytes % B.Alignment != 0)
      no(B, V->getLocation(),
         {msg::stage_would_be_misaligned, quoted(V), B.Bytes, B.Alignment});
    findMentions(B);
    for (const MemoryAccess &A : Facts.Compute.Memory)
      if (A.Write && !(A.Root.Var && isFilledWhole(Facts, B)) &&
          (A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown) &&
          (!A.Root.Var || A.Root.Var == V))
        no(B, A.At ? startOf(A.At) : V->getLocation(),
           {A.Root.Var ? msg::compute_stores_too : msg::compute_may_store_too,
            quoted(V)});
    if (auto Kept = carriedAddress(Facts, B))
      no(B, Kept->Where,
         Kept->Bits ? Message(msg::address_bits_asked, quoted(V))
         : Kept->Keeper
             ? Message(msg::address_is_kept, quoted(Kept->Keeper), quoted(V))
             : Message(msg::address_is_stored, quoted(V)));
    for (const TileCopy &C : Facts.Tile.Copies)
      if (Facts.Tile.Buffers[C.Buffer].Var == V &&
          !ruleIsSwitchedOff("stored-elements")) {
        checkPlace(B, C, Facts.Variant, msg::stored_elements_vary,
                   msg::store_condition_varies);
        // Where contents are copied, all stages begin each run alike.
        if (!B.KeepsContents)
          checkPlace(B, C, InAllRuns, msg::stored_elements_vary_in_runs,
                     msg::store_condition_varies_in_runs);
      }
  }

  /// Nobody reads what the conditions of the last tiles leave out.
  bool isPartial(StagedBuffer &B) {
    if (!Asked.insert(B.Var).second)
      return B.Partial;
    VarSet Variant = Facts.Variant;
    Variant.insert(InAllRuns.begin(), InAllRuns.end());
    B.Partial = ruleIsSwitchedOff("partial-tiles") ||
                readsOnlyWhatItStores(Facts, B, Variant);
    return B.Partial;
  }

  /// Does a tile store the places of another one, since the loops around begin
  /// elsewhere by as much? \param Headers gets their conditions and steps.
  bool isShifted(const StagedBuffer &B, const TileCopy &C,
                 const VarSet &Variant,
                 llvm::SmallPtrSetImpl<const Expr *> &Headers) {
    if (!C.Dst || !placeVaries(C.Dst, Variant, *Facts.In) ||
        hasLabel(Facts.Tile.Function->getBody()))
      return false;
    for (const BodyItem &I : Facts.Tile.Body) {
      const Surrounding Around = surroundingOf(C.Store, I.S);
      if (pathTo(C.Store, I.S).empty() || !Around.Known || hasJump(I.S))
        continue;
      SteadySums Sums(Facts);
      if (!placesComeAgain(subscriptsOf(C.Dst, B.Var), Around.Loops, Variant,
                           Sums) ||
          !turnAlike(Around.Loops, Variant, Sums))
        return false;
      for (const ForStmt *F : Around.Loops)
        Headers.insert({F->getCond(), F->getInc()});
      return true;
    }
    return false;
  }

  /// \param Outer what differs from tile to tile in the loop's own function.
  void checkPlace(StagedBuffer &B, const TileCopy &C, const VarSet &Outer,
                  msg::Id PlaceVaries, msg::Id ConditionVaries) {
    // What a helper is given differs from call to call: no call says anything
    // of another one's parameters.
    VarSet Variant = Outer;
    auto Varies = [&](const Expr *E, const Scope &In) {
      return varies(E, Variant, In);
    };
    const Scope *In = Facts.In.get();
    std::optional<Scope> Callee;
    const Stmt *Root = nullptr;
    if (C.Helper) {
      const auto Args = givenTo(C.HelperCall);
      Callee.emplace(helperScope(C, *Facts.In));
      In = &*Callee;
      Root = C.Helper->getBody();
      // What the helper is given decides whether its guards vary.
      for (unsigned I = 0; I != Args.size(); ++I)
        if (I < C.Helper->getNumParams() &&
            (Args[I]->getType()->isPointerType()
                 ? placeVaries(Args[I], Outer, *Facts.In)
                 : varies(Args[I], Outer, *Facts.In)))
          Variant.insert(C.Helper->getParamDecl(I));
      // Of another object the members may be others.
      if (const Expr *Object = calledOn(C.HelperCall);
          Object && placeVaries(Object, Outer, *Facts.In))
        for (const MemoryRoot &R : Object->getType()->isPointerType()
                                       ? Facts.In->ofPointer(Object)
                                       : Facts.In->ofLValue(Object))
          Variant.insert(R.Var);
      spreadVariance(Variant, Root, *In);
    }
    const Expr *Place = C.Dst;
    llvm::SmallPtrSet<const Expr *, 4> Shifted;
    if (!C.Helper && isShifted(B, C, Outer, Shifted))
      Place = nullptr;
    if (Place && placeVaries(Place, Variant, *In) && !isPartial(B))
      no(B, startOf(Place), {PlaceVaries, quoted(B.Var)});
    for (const BodyItem &I : Facts.Tile.Body) {
      if (!Root && !I.InLoad)
        continue;
      auto Around = conditionsOf(C.Store, Root ? Root : I.S, C.IfElse);
      auto Idle = idleConditions(Facts.Tile, C,
                                 Root ? Root : bodyOf(Facts.Tile.Loop), *In);
      for (const Expr *E : Around.value_or(Guards()))
        if (!Idle.count(E) && !Shifted.count(E) && Varies(E, *In) &&
            !isPartial(B))
          no(B, startOf(E), {ConditionVaries, quoted(B.Var)});
      if (Root || Around)
        break;
    }
    if (C.Helper) {
      const auto Idle =
          idleAroundCall(Facts.Tile, C, bodyOf(Facts.Tile.Loop), *Facts.In);
      for (const BodyItem &I : Facts.Tile.Body) {
        if (!I.InLoad)
          continue;
        for (const Expr *E :
             conditionsOf(C.HelperCall, I.S, nullptr).value_or(Guards()))
          if (!Idle.count(E) && Varies(E, *Facts.In))
            no(B, startOf(E), {ConditionVaries, quoted(B.Var)});
      }
    }
  }

  bool isInCompute(const DeclRefExpr *D) const {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation L = SM.getExpansionLoc(D->getLocation());
    return llvm::any_of(Facts.Tile.Body, [&](const BodyItem &I) {
      SourceRange R =
          SM.getExpansionRange(I.S->getSourceRange()).getAsRange();
      return I.InCompute &&
             !SM.isBeforeInTranslationUnit(L, R.getBegin()) &&
             !SM.isBeforeInTranslationUnit(R.getEnd(), L);
    });
  }

  /// Of a buffer that the compute region does not name: assembly that makes an
  /// address of other numbers would read the first stage.
  void findUntracedReads(StagedBuffer &B) {
    for (const MemoryAccess &A : Facts.Compute.Memory)
      if (!A.Write && !A.Root.Var &&
          (A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown))
        no(B, A.At ? startOf(A.At) : B.Var->getLocation(),
           {msg::compute_may_read, quoted(B.Var)});
  }

  /// Where a buffer is named outside the loop.
  struct OutsideUses {
    llvm::SmallVector<Mention, 8> All;
    /// The first that cannot mean the last tile's stage, and why not.
    const DeclRefExpr *First = nullptr;
    Message Why;

    void cannotFollow(const DeclRefExpr *D, msg::Id Clause) {
      if (First)
        return;
      First = D;
      Why = {Clause, quoted(D->getDecl())};
    }
  };

  /// Outside the loop the names keep meaning one place, the first stage.
  void keepContents(StagedBuffer &B, const OutsideUses &Outside,
                    const Stmt *Block) {
    if (!Outside.First || !B.NoRing.empty())
      return;
    const SourceLocation At = Outside.First->getLocation();
    // The copies would need a name of the whole block.
    if (!Block || isa<ParmVarDecl>(B.Var) || B.GivenOut)
      return no(B, At, Outside.Why);
    if (Message Not = whyNotCopied(Facts, B, Outside.All))
      return no(B, At, {msg::used_outside_and, Outside.Why, Not});
    B.KeepsContents = true;
    B.MentionsAfter.clear();
    if (!B.Block)
      B.Alignment = std::max(B.Alignment, 16u);
  }

  void findDeclaredAgain(StagedBuffer &B) {
    for (const BodyItem &I : Facts.Tile.Body)
      if (!I.SharedDecl)
        if (const NamedDecl *D = declaredAgain(B, I.S))
          no(B, D->getLocation(), {msg::declared_again_in_loop, quoted(D)});
    for (const HeaderVar &V : Facts.Tile.HeaderVars)
      if (!B.GivenOut && V.Var->getDeclName() == B.Var->getDeclName())
        no(B, V.Var->getLocation(),
           {msg::declared_again_in_loop, quoted(V.Var)});
  }

  /// In the loop each mention means a stage, by the name's new meaning or, in
  /// a closure that would copy it, by its own index.
  void findMentions(StagedBuffer &B) {
    const SourceManager &SM = Context.getSourceManager();
    const Stmt *Block = blockOfLoop(Facts.Tile);
    SourceRange Loop =
        SM.getExpansionRange(Facts.Tile.Loop->getSourceRange()).getAsRange();
    auto before = [&](SourceLocation L, SourceLocation R) {
      return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(L), R);
    };
    SourceRange Body =
        SM.getExpansionRange(bodyOf(Facts.Tile.Loop)->getSourceRange())
            .getAsRange();
    findDeclaredAgain(B);
    auto within = [&](const DeclRefExpr *D, SourceRange R) {
      return !before(D->getLocation(), R.getBegin()) &&
             !before(R.getEnd(), SM.getExpansionLoc(D->getLocation()));
    };
    const bool Uses = !ruleIsSwitchedOff("ring-use");
    bool InCompute = false;
    OutsideUses Outside;
    for (const Mention &M : mentionsOf(B, Facts.Tile.Function)) {
      const DeclRefExpr *D = M.At;
      auto no = [&](msg::Id Why) {
        RingFinder::no(B, D->getLocation(), {Why, quoted(D->getDecl())});
      };
      if (makesView(B, D))
        continue;
      const bool View = D->getDecl()->getLocation() != B.Var->getLocation() ||
                        B.Block || isa<ParmVarDecl>(B.Var);
      // Behind the loop such a name is replaced by its place in the stage.
      const bool Replaced = View || !B.Views.empty();
      const bool InMacro = SM.isMacroBodyExpansion(D->getLocation());
      const bool Inside = within(D, Loop);
      InCompute |= Inside && isInCompute(D);
      if (!Inside)
        Outside.All.push_back(M);
      if (M.Listed && View && !Inside)
        no(msg::captured_by_name_after);
      if (M.Fixed && Uses && !(View && !Inside))
        no(*M.Fixed);
      if (M.Copied && InMacro && !View)
        no(msg::copied_by_macro_in_lambda);
      if (M.Copied && View && Inside && !D->getType()->isPointerType())
        no(msg::copied_by_lambda);
      if (Inside) {
        if (!within(D, Body))
          no(msg::used_in_header);
      } else if (before(D->getLocation(), Loop.getBegin())) {
        Outside.cannotFollow(D, msg::used_before_loop);
      } else if (Facts.InOuterLoop) {
        Outside.cannotFollow(D, msg::used_after_entered_again);
      } else if (Replaced && InMacro) {
        Outside.cannotFollow(D, msg::mentioned_in_macro);
      } else if (Uses && Block && isJumpedOver(Block, Facts.Tile, Context)) {
        no(msg::used_after_jump);
      } else if (!Block || !before(D->getLocation(),
                                   SM.getExpansionLoc(Block->getEndLoc()))) {
        Outside.cannotFollow(D, msg::used_after_block);
      } else if (Uses && reachesOtherBlocks(Facts.Tile.Function->getBody())) {
        no(msg::used_after_by_other_blocks);
      } else {
        B.MentionsAfter.push_back(D);
      }
      if (M.Copied && !View && !(Replaced && !Inside))
        B.CopiedMentions.push_back(D);
    }
    if (!InCompute)
      findUntracedReads(B);
    keepContents(B, Outside, Block);
    if (B.MentionsAfter.empty() || !Block)
      return;
    for (const Stmt *S : Block->children())
      if (const NamedDecl *D = declaredAgain(B, S))
        no(B, D->getLocation(), {msg::declared_again_beside_loop, quoted(D)});
  }
};

} // namespace

void findRings(LoopFacts &Facts) { RingFinder(Facts).run(); }

} // namespace kpipe
