// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks, use by use, see UseChecks.h.

#include "UseChecks.h"
#include "AccessNames.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "EngineFills.h"
#include "SharedAssembly.h"
#include "Validation/Storage/WordsOfAddresses.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "Validation/Trees/FirstUse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

std::optional<OrderViolation> UseChecks::checkSources() const {
  for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
    const TileCopy &Copy = Loop.Copies[C];
    // What is loaded elsewhere than where its author did must not change.
    if ((Plan.Copies[C].Way != Route::AsyncCopy && !Copy.Via.Var) ||
        !Copy.Source)
      continue;
    llvm::SmallVector<const Expr *, 8> Args;
    CallFrame Helper;
    if (Copy.Helper) {
      Args = argumentsOf(Copy.HelperCall);
      Helper = {Copy.Helper, &Of.In, Args, objectOf(Copy.HelperCall),
                &Of.Index,   1};
    }
    const CallFrame &Where = Copy.Helper ? Helper : Of.In;
    const Expr *E = Copy.Source;
    for (const Storage &S : E->isPRValue() ? storageOfPointer(E, Where)
                                           : storageOfLValue(E, Where))
      if (!S.Global && S.Where != Storage::Kind::Device &&
          S.Where != Storage::Kind::AnyGlobal) {
        Access A;
        A.Outer = Copy.HelperCall ? Copy.HelperCall : Copy.Store;
        OrderViolation V =
            Of.violation(A, A, {msg::order_source_not_global, named(S)});
        V.OfAsync = true;
        return V;
      }
  }
  return std::nullopt;
}

/// How often the statements mention a variable.
static unsigned mentionsOf(const VarDecl *V,
                           llvm::ArrayRef<const Stmt *> Statements) {
  struct Mentions : ConstDynamicRecursiveASTVisitor {
    const VarDecl *Of = nullptr;
    unsigned Count = 0;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Count += D->getDecl() == Of;
      return true;
    }
  } All;
  All.Of = V;
  for (const Stmt *S : Statements)
    All.TraverseStmt(S);
  return All.Count;
}

bool UseChecks::isMadeByCompute(const VarDecl *V) const {
  // Behind the loop it could mean the stage of an earlier tile.
  if (mentionsOf(V, Loop.Function->getBody()) != mentionsOf(V, Loop.Loop))
    return false;
  bool Made = false;
  for (const BodyItem &I : Loop.Body) {
    const FirstUse First = firstUse(I.S, V);
    if (First == FirstUse::None)
      continue;
    if (I.InLoad || (!Made && First != FirstUse::Killed))
      return false;
    Made = true;
  }
  return Made;
}

/// A place that hangs on the bits of an address is another one in each stage.
static bool isMadeOfNumber(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (E && E->getType()->isIntegerType() && isa<CastExpr, CallExpr>(E))
    for (const Stmt *Kid : E->children())
      if (const auto *From = dyn_cast_or_null<Expr>(Kid);
          From && From->getType()->isPointerType() &&
          !From->getType()->isFunctionPointerType())
        return true;
  return S && llvm::any_of(S->children(), isMadeOfNumber);
}

/// In the order of the source, so that the first one is told of.
std::vector<const DeclRefExpr *> UseChecks::movedNames() const {
  std::vector<const DeclRefExpr *> Names;
  for (const Stmt *S : Of.Moved)
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      Names.push_back(D);
  const SourceManager &SM = Of.Index.context().getSourceManager();
  llvm::sort(Names, [&](const DeclRefExpr *A, const DeclRefExpr *B) {
    return SM.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
  });
  return Names;
}

std::optional<OrderViolation> UseChecks::checkNames() const {
  auto isView = [&](const StagedBuffer &B, const VarDecl *V) {
    return llvm::is_contained(B.Views, V);
  };
  for (const DeclRefExpr *D : movedNames()) {
    if (auto Lost = checkBinding(D))
      return Lost;
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    // Whoever declares it as well has the first stage.
    if (V && V->hasExternalStorage() && !V->getType()->isIncompleteType() &&
        llvm::any_of(Loop.Buffers,
                     [&](const StagedBuffer &B) { return B.Var == V; })) {
      Access A;
      A.Outer = D;
      return Of.violation(A, A,
                          {msg::order_stage_other_name, V->getNameAsString()});
    }
    if (!V || !V->hasLocalStorage() || !Of.outside(V))
      continue;
    if (!(V->getType()->isPointerType() || V->getType()->isReferenceType())) {
      if (auto Lost = checkNumber(D, V))
        return Lost;
      continue;
    }
    auto Own = llvm::find_if(Loop.Buffers, [&](const StagedBuffer &B) {
      return isView(B, V) || B.Var == V;
    });
    const FunctionNames &Names = Of.Index.namesOf(Loop.Function);
    auto Given = Names.Given.find(V);
    bool Wrong = Own != Loop.Buffers.end() && V->hasInit() &&
                 isMadeOfNumber(V->getInit());
    Wrong |= Own != Loop.Buffers.end() && V->getType()->isPointerType() &&
                 (Names.Renamed.count(V) ||
                  (Given == Names.Given.end() ? 0 : Given->second.size()) !=
                      (isa<ParmVarDecl>(V) ? 0 : 1));
    for (const Storage &P : V->getType()->isPointerType()
                                ? storageOfPointer(D, Of.In)
                                : storageOfLValue(D, Of.In))
      if (Own == Loop.Buffers.end())
        Wrong |= P.Var && Of.isStaged(P) && !isMadeByCompute(V);
      else
        Wrong |= P.Where != Storage::Kind::Shared ||
                 !(P.Var == Own->Var || Of.isGiven(*Own, P.Var));
    if (!Wrong)
      continue;
    Access A;
    A.Outer = D;
    return Of.violation(A, A,
                        {msg::order_stage_other_name, V->getNameAsString()});
  }
  return std::nullopt;
}

/// What is a number in front of the loop is one of the first stage's, unless it
/// gets the stage's distance: then it has to be the address, once.
std::optional<OrderViolation> UseChecks::checkNumber(const DeclRefExpr *D,
                                                     const VarDecl *V) const {
  if (!Checked.insert(V).second)
    return std::nullopt;
  for (const StagedBuffer &B : Loop.Buffers) {
    const bool View = llvm::is_contained(B.Views, V);
    // A view is an address wherever it goes, also behind the loop.
    if (WordsOfAddresses(B, Of.In, Loop.Loop).in(V) != int(View) ||
        (View && !WordsOfAddresses(B, Of.In, nullptr).areAddresses())) {
      Access A;
      A.Outer = D;
      return Of.violation(A, A,
                          {msg::order_stage_other_name, V->getNameAsString()});
    }
  }
  return std::nullopt;
}

std::optional<OrderViolation>
UseChecks::checkBinding(const DeclRefExpr *D) const {
  const auto *Part = dyn_cast<BindingDecl>(D->getDecl());
  const auto *Whole =
      Part ? dyn_cast<VarDecl>(Part->getDecomposedDecl()) : nullptr;
  if (!Whole || !Of.outside(Whole))
    return std::nullopt;
  for (const Storage &P : D->getType()->isPointerType()
                              ? storageOfPointer(D, Of.In)
                              : storageOfLValue(D, Of.In))
    if (Of.isStaged(P)) {
      Access A;
      A.Outer = D;
      return Of.violation(
          A, A, {msg::order_stage_other_name, Part->getNameAsString()});
    }
  return std::nullopt;
}

std::optional<OrderViolation> UseChecks::checkGiven() const {
  for (const StagedBuffer &B : Loop.Buffers)
    for (const GivenArray &G : B.Given) {
      const uint64_t Bytes = Of.Index.context()
                                 .getTypeSizeInChars(G.Array->getType())
                                 .getQuantity();
      llvm::SmallVector<const Stmt *, 4> Arguments;
      for (const CodeIndex::Call &C : Of.Index.callsOf(Loop.Function)) {
        auto Args = argumentsOf(C.At);
        unsigned I = cast<ParmVarDecl>(B.Var)->getFunctionScopeIndex();
        if (C.In == G.Caller && I < Args.size())
          Arguments.push_back(Args[I]);
      }
      const QualType T = B.Var->getType();
      const bool Whole =
          !T->isReferenceType() ||
          uint64_t(Of.Index.context()
                       .getTypeSizeInChars(T.getNonReferenceType())
                       .getQuantity()) == Bytes;
      if (Whole && Bytes == B.Bytes &&
          mentionsOf(G.Array, G.Caller->getBody()) ==
              mentionsOf(G.Array, Arguments))
        continue;
      Access A;
      A.Outer = G.Call;
      return Of.violation(A, A,
                          {msg::order_given_beside, G.Array->getNameAsString(),
                           B.Var->getNameAsString()});
    }
  return std::nullopt;
}

std::optional<OrderViolation> UseChecks::checkApart() const {
  for (const StagedBuffer &B : Loop.Buffers)
    if (const Stmt *Lost = leavesItsPart(Loop, B, Of.Index.context())) {
      Access A;
      A.Outer = Lost;
      return Of.violation(
          A, A, {msg::order_part_not_apart, B.Var->getNameAsString()});
    }
  return std::nullopt;
}

/// What every tile brings anew has nothing of an earlier one in it.
bool UseChecks::isRenewed(const Access &A) const {
  return Loop.Bulk && A.Where.Where == Storage::Kind::Shared && A.Where.Var &&
         engineFills(A.Where.Var, Loop.Bulk->Issue, Of.Index.context());
}

std::optional<OrderViolation> UseChecks::checkStaged(bool Again) const {
  if (!Of.Ring)
    return std::nullopt;
  if (auto Lost = checkAlignment())
    return Lost;
  if (auto Lost = checkBits())
    return Lost;
  if (auto Lost = checkNames())
    return Lost;
  if (auto Lost = checkGiven())
    return Lost;
  if (const Stmt *Asks = Plan.dynamic() ? sharedSizeQuery(Loop.Function) : nullptr) {
    Access A;
    A.Outer = Asks;
    return Of.violation(A, A, {msg::order_size_is_asked});
  }
  unsigned Barrier = 0;
  for (unsigned I = 0; I != Loop.Body.size(); ++I)
    if (Loop.Bulk ? Loop.Bulk->waits(Loop.Body[I].S)
                  : Loop.Body[I].S == Loop.LoadBarrier)
      Barrier = I;
  auto Copied = [&](const Access &A) {
    return llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
      return A.At == C.Store || (C.FillStore && A.At == C.FillStore);
    });
  };
  for (const Use &U : Of.Uses) {
    const bool Maybe = U.A.Where.Where == Storage::Kind::Unknown;
    if (!Of.isStaged(U.A.Where) && !(Maybe && U.A.Write))
      continue;
    // Bulk copies are the tile's own: see BulkMatcher for what they are.
    if (Loop.Bulk && (U.A.Write || isa<CallExpr>(U.A.At)) &&
        ofCopyEngine(U.A.At) &&
        (Loop.Body[U.Item].S == Loop.Bulk->Issue ||
         llvm::is_contained(Loop.Bulk->Arrivals, Loop.Body[U.Item].S)))
      continue;
    if (U.A.Write && !Copied(U.A) && (U.Item <= Barrier || !isRenewed(U.A)))
      return Of.violation(U.A, U.A,
                          {msg::order_stage_written, named(U.A.Where)});
    if (!U.A.Write && U.Item <= Barrier)
      return Of.violation(U.A, U.A,
                          {msg::order_stage_read_early, named(U.A.Where)});
  }
  return checkAfter(Again);
}

std::optional<OrderViolation> UseChecks::checkAfter(bool Again) const {
  for (const StagedBuffer &B : Loop.Buffers)
    for (const DeclRefExpr *D : B.MentionsAfter) {
      const bool Other = reachesOtherBlock(Loop.Function);
      // The stage of the last tile is read; a loop that runs no turn has none,
      // and what an earlier run left is in some other stage.
      const bool Unknown = Loop.Kind != LoopKind::Do && Again;
      if (!Other && !Unknown)
        return std::nullopt;
      Access A;
      A.Outer = D;
      return Of.violation(A, A,
                          {Other ? msg::order_stage_of_other_block
                                 : msg::order_stage_after_loop,
                           B.Var->getNameAsString()});
    }
  return std::nullopt;
}

std::optional<OrderViolation> UseChecks::checkLocals() const {
  for (const Use &U : Of.Uses) {
    const Storage &P = U.A.Where;
    if (P.Where != Storage::Kind::Local || U.Item == Loop.Body.size())
      continue;
    const bool Header = Of.isHeader(P.Var), Private = Of.isPrivate(P.Var);
    if (!Header && !Private)
      continue;
    // A declaration has no mention; what stands in the body names its own.
    if (P.Mention && !Of.Moved.count(P.Mention) && (U.Load || U.Store))
      return Of.violation(U.A, U.A, {msg::order_other_name, named(P)});
    if (Header && U.A.Write)
      return Of.violation(U.A, U.A, {msg::order_changed_beside_step, named(P)});
    if (Private && U.A.Write &&
        !(Of.Items[U.Item].InLoad && Of.Items[U.Item].InCompute))
      return Of.violation(U.A, U.A, {msg::order_changed_in_one_part, named(P)});
  }
  if (auto Lost = checkDeclaredInBody())
    return Lost;
  // An address that is kept reaches the author's variable from anywhere.
  for (const HeaderVar &H : Loop.HeaderVars)
    if (auto Lost = renamed(H.Var))
      return Lost;
  for (const VarDecl *V : Loop.PrivateToLoad)
    if (auto Lost = renamed(V))
      return Lost;
  return std::nullopt;
}

std::optional<OrderViolation> UseChecks::checkDeclaredInBody() const {
  llvm::SmallDenseMap<const VarDecl *, unsigned, 8> Declared;
  for (unsigned I = 0; I != Loop.Body.size(); ++I)
    if (const auto *D = dyn_cast<DeclStmt>(Loop.Body[I].S))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          Declared[V] = I;
  for (const Use &W : Of.Uses) {
    auto It = W.A.Where.Where == Storage::Kind::Local
                  ? Declared.find(W.A.Where.Var)
                  : Declared.end();
    if (It == Declared.end() || !W.A.Write || It->second == W.Item)
      continue;
    for (const Use &R : Of.Uses)
      // What decides between two values may stand in the statement that stores.
      if (!R.A.Write && R.Item >= W.Item && Of.same(W.A.Where, R.A.Where) &&
          ((R.Store && !W.Store) ||
           (R.Item > W.Item &&
            ((R.Compute && !W.Compute) || (R.Load && !W.Load)) &&
            !Of.elementsFirst(It->first))))
        return Of.violation(W.A, R.A,
                            {msg::order_unseen_write, accessName(R.A)});
  }
  return std::nullopt;
}

std::optional<OrderViolation> UseChecks::renamed(const VarDecl *V) const {
  for (const Use &U : Of.Uses)
    if (U.A.Where.Where == Storage::Kind::Unknown &&
        U.Item != Loop.Body.size() &&
        Of.Index.namesOf(Loop.Function).Renamed.count(V))
      return Of.violation(U.A, U.A,
                          {msg::order_maybe_other_name, V->getNameAsString()});
  return std::nullopt;
}

} // namespace kpipe
