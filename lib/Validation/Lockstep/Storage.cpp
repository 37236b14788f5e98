// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mentions of a variable that are no plain read and no plain assignment, see
// Storage.h.
#include "Storage.h"
#include "Code/Jumps.h"
#include "Validation/Trees/SideEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 8>;

/// Variables of outside the loop that a load runs ahead with.
void changedIn(const Stmt *S, Variables &Out) {
  if (!S)
    return;
  if (const VarDecl *V = changedByName(S))
    Out.insert(V);
  for (const Stmt *Kid : S->children())
    changedIn(Kid, Out);
}

/// Does the parent take only the value of the lvalue, or give it a new one?
bool isPlain(const Stmt *Parent, const Stmt *Kid, bool Plain) {
  if (const auto *C = dyn_cast<CastExpr>(Parent)) {
    if (C->getCastKind() == CK_LValueToRValue ||
        C->getCastKind() == CK_ToVoid)
      return true;
    // A part of an array, which may be read below.
    return Plain && C->getCastKind() != CK_ArrayToPointerDecay;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(Parent))
    return U->isIncrementDecrementOp() ||
           ((U->getOpcode() == UO_Extension) && Plain);
  if (const auto *B = dyn_cast<BinaryOperator>(Parent)) {
    if (B->isAssignmentOp())
      return Kid == B->getLHS();
    return B->isCommaOp() && (Kid == B->getLHS() || Plain);
  }
  if (isa<ParenExpr, FullExpr, MemberExpr, ConditionalOperator>(Parent))
    return Plain;
  if (const auto *C = dyn_cast<CXXConstructExpr>(Parent))
    return C->getConstructor()->isTrivial() ||
           C->getConstructor()->isDefaulted();
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(Parent)) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    return M && M->isDefaulted();
  }
  // Statements that evaluate and forget.
  return !isa<Expr>(Parent) && !isa<DeclStmt>(Parent) &&
         !isa<ReturnStmt>(Parent);
}

/// Is the pointer only used to read or set what it points to?
bool onlyReaches(const Stmt *S, const VarDecl *Pointer, bool Plain) {
  if (!S)
    return true;
  if (const auto *U = dyn_cast<UnaryOperator>(S);
      U && U->getOpcode() == UO_Deref)
    if (const auto *D =
            dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParenImpCasts());
        D && D->getDecl() == Pointer)
      return Plain;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    return D->getDecl() != Pointer;
  return llvm::all_of(S->children(), [&](const Stmt *Kid) {
    return onlyReaches(Kid, Pointer, Kid && isPlain(S, Kid, Plain));
  });
}

/// Is every mention of the variable a read of its value?
bool isOnlyRead(const Stmt *S, const VarDecl *V) {
  if (!S)
    return true;
  if (const auto *C = dyn_cast<CastExpr>(S);
      C && C->getCastKind() == CK_LValueToRValue)
    if (isa<DeclRefExpr>(C->getSubExpr()->IgnoreParens()))
      return true;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    return D->getDecl() != V;
  return llvm::all_of(S->children(),
                      [&](const Stmt *Kid) { return isOnlyRead(Kid, V); });
}

/// A reference to a constant that the called function only reads, before it
/// returns, is no other name.
bool isReadByCallee(const Stmt *Parent, const Stmt *Kid) {
  const auto *Call = dyn_cast<CallExpr>(Parent);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  const FunctionDecl *Body = nullptr;
  if (!F || isa<CXXOperatorCallExpr>(Call) || !F->hasBody(Body))
    return false;
  for (unsigned I = 0; I != Call->getNumArgs() && I != F->getNumParams(); ++I)
    if (Call->getArg(I) == Kid) {
      QualType T = Body->getParamDecl(I)->getType();
      return T->isLValueReferenceType() &&
             T.getNonReferenceType().isConstQualified() &&
             !T.getNonReferenceType().isVolatileQualified() &&
             isOnlyRead(Body->getBody(), Body->getParamDecl(I));
    }
  return false;
}

/// Is a closure made in front of the loop only called, and in the loop by the
/// load alone? Then it sees the variables that the load changes as the load
/// does.
bool isCalledByLoadOnly(const VarDecl *Closure, const TileLoop &Loop,
                        const FunctionDecl *F) {
  bool Only = true;
  auto walk = [&](auto &Self, const Stmt *S, bool Other) -> void {
    if (!S || !Only)
      return;
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
        C && C->getOperator() == OO_Call && !Other)
      if (const auto *D =
              dyn_cast<DeclRefExpr>(C->getArg(0)->IgnoreParenImpCasts());
          D && D->getDecl() == Closure) {
        for (unsigned I = 1; I != C->getNumArgs(); ++I)
          Self(Self, C->getArg(I), Other);
        return;
      }
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      Only &= D->getDecl() != Closure;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const Stmt *Init : L->capture_inits())
        Self(Self, Init, true);
      return Self(Self, L->getBody(), true);
    }
    for (const Stmt *Kid : S->children()) {
      bool InLoad = true;
      if (S == Loop.Loop) // the header's expressions, and the body
        InLoad = isa_and_nonnull<CompoundStmt>(Kid);
      for (const BodyItem &I : Loop.Body)
        if (I.S == Kid)
          InLoad = I.InLoad && !I.InCompute;
      Self(Self, Kid, Other || !InLoad);
    }
  };
  walk(walk, F->getBody(), false);
  return Only;
}

class Mentions {
public:
  /// \param Own those of them that have one value, the load's.
  Mentions(const Variables &Of, const Variables &Own, const TileLoop &Tile,
           const SourceManager &SM)
      : Of(Of), Own(Own), Tile(Tile), Loop(Tile.Loop), SM(SM) {}

  std::optional<OtherName> Found;

  /// \param Plain the lvalue is read or assigned to right above.
  /// \param Loops how many loops are around.
  void visit(const Stmt *S, bool Plain, unsigned Loops) {
    if (!S || Found)
      return;
    if (S == Loop)
      LoopDepth = Loops;
    // Waits that went keep nothing: see BulkMatcher::onlyWaits.
    if (llvm::any_of(Tile.Body, [&](const BodyItem &I) {
          return I.Replaced && I.S == S;
        }))
      return;
    if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (V && !Plain && Of.contains(V) && matters(S, Loops))
        report(S->getBeginLoc(), V);
      return;
    }
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      const bool OfLoad = std::exchange(NextIsOfLoad, false);
      bool Outer = std::exchange(MadeInBody, true);
      auto Leave = llvm::make_scope_exit([&] { MadeInBody = Outer; });
      for (const LambdaCapture &C : L->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar());
              V && Of.contains(V) && matters(S, Loops) &&
              !(OfLoad && Own.contains(V)))
            return report(C.getLocation(), V);
      for (const Stmt *Init : L->capture_inits())
        if (!isa_and_nonnull<DeclRefExpr>(Init)) // a capture by reference
          visit(Init, false, Loops);
      return visit(L->getBody(), false, Loops);
    }
    if (isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    bool Outer = MadeInBody;
    auto Leave = llvm::make_scope_exit([&] { MadeInBody = Outer; });
    if (const auto *D = dyn_cast<DeclStmt>(S); D && D->isSingleDecl())
      if (const auto *V = dyn_cast<VarDecl>(D->getSingleDecl()))
        MadeInBody |= V->getType()->isReferenceType() ||
                      isa<DecompositionDecl>(V) ||
                      (V->getType()->isPointerType() &&
                       onlyReaches(Loop, V, true));
    if (const auto *D = dyn_cast<DeclStmt>(S); D && D->isSingleDecl())
      if (const auto *V = dyn_cast<VarDecl>(D->getSingleDecl());
          V && V->hasInit() && isa<LambdaExpr>(V->getInit()->IgnoreImplicit()))
        NextIsOfLoad = isCalledByLoadOnly(V, Tile, Tile.Function);
    bool Again = isLoop(S);
    for (const Stmt *Kid : S->children())
      visit(Kid, isPlain(S, Kid, Plain) || isReadByCallee(S, Kid),
            Loops + Again);
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (const auto *X = dyn_cast<DecompositionDecl>(One))
          for (const BindingDecl *B : X->bindings())
            visit(B->getBinding(), true, Loops);
  }

private:
  const Variables &Of, &Own;
  const TileLoop &Tile;
  const Stmt *Loop;
  const SourceManager &SM;
  bool NextIsOfLoad = false; ///< the next closure, which the load alone calls
  std::optional<unsigned> LoopDepth; ///< set once the loop was met
  /// Below a declaration, or a closure.
  bool MadeInBody = false;

  bool isWithin(const Stmt *S) const {
    SourceLocation At = SM.getExpansionLoc(S->getBeginLoc());
    return !SM.isBeforeInTranslationUnit(
               At, SM.getExpansionLoc(Loop->getBeginLoc())) &&
           SM.isBeforeInTranslationUnit(At,
                                        SM.getExpansionLoc(Loop->getEndLoc()));
  }

  /// Behind the loop another name comes too late, unless there is a way back.
  /// A name that the body makes moves with the statements that use it.
  bool matters(const Stmt *S, unsigned Loops) const {
    if (!LoopDepth)
      return true;
    if (isWithin(S))
      return !MadeInBody;
    if (*LoopDepth > 0)
      return true;
    SourceLocation At = SM.getExpansionLoc(S->getBeginLoc());
    return SM.isBeforeInTranslationUnit(
        At, SM.getExpansionLoc(Loop->getEndLoc()));
  }

  void report(SourceLocation Where, const VarDecl *V) {
    Found = OtherName{Where, {msg::meaning_gets_other_name, V->getNameAsString()}};
  }
};

} // namespace

std::optional<OtherName> otherName(const DeclaredLoop &Loop,
                                   const ASTContext &Context) {
  const TileLoop &T = Loop.Tile;
  Variables All;
  for (const HeaderVar &V : T.HeaderVars)
    All.insert(V.Var);
  All.insert(T.PrivateToLoad.begin(), T.PrivateToLoad.end());
  const Variables Apart = All; // these have another value in the load
  Variables Changed;
  for (const BodyItem &I : T.Body)
    if (I.InLoad)
      changedIn(I.S, Changed);
  for (const VarDecl *V : Changed)
    if (!V->getType()->isArrayType() && V->hasLocalStorage() &&
        !T.Loop->getSourceRange().fullyContains(V->getSourceRange()))
      All.insert(V);
  for (const VarDecl *V : All)
    if (V->getType()->isReferenceType() || !V->hasLocalStorage())
      return OtherName{V->getLocation(),
                       {msg::meaning_is_other_name, V->getNameAsString()}};
  Variables Own;
  for (const VarDecl *V : All)
    if (!Apart.contains(V))
      Own.insert(V);
  Mentions M(All, Own, T, Context.getSourceManager());
  M.visit(T.Function->getBody(), true, 0);
  return M.Found;
}

} // namespace kpipe
