// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions from the inside out: each is a place in the buffer, an address of
// one, a variable that holds one, or none of these. See OutsideAddresses.h.
#include "OutsideAddresses.h"
#include "AddressFlow.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

enum class Is {
  Other,
  Place,  ///< an lvalue in the buffer
  Address,
  Holder, ///< a variable whose value is an address
};

/// Does a function neither keep an address that it is given nor hand it on but
/// by its result?
bool forgets(const FunctionDecl *F) {
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isTrivial())
    return true;
  switch (classifyCall(F)) {
  case CallKind::ReadOnlyLoad:
  case CallKind::CachedLoad:
  case CallKind::VolatileLoad:
  case CallKind::CachedStore:
  case CallKind::Atomic:
  case CallKind::WmmaLoad:
  case CallKind::WmmaStore:
    return true;
  default:
    return touchesOnlyArguments(F);
  }
}

class Follower : public ConstStmtVisitor<Follower, Is> {
public:
  Follower(const LoopFacts &F, const StagedBuffer &B)
      : Loop(F.Tile.Loop), Buffer(B) {}

  VarSet Holders; ///< pointers and numbers
  VarSet References;
  const Stmt *Lost = nullptr;

  void run(const Stmt *Body) {
    do {
      Changed = false;
      statement(Body);
    } while (Changed && !Lost);
  }

  // Kinds of expressions.
  Is VisitDeclRefExpr(const DeclRefExpr *D) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return Is::Other;
    if (V == Buffer.Var || References.count(V))
      return V->getType()->isPointerType() ? Is::Holder : Is::Place;
    if (llvm::is_contained(Buffer.Views, V))
      return V->getType()->isPointerType() ? Is::Holder : Is::Place;
    return Holders.count(V) ? Is::Holder : Is::Other;
  }
  Is VisitCastExpr(const CastExpr *C) {
    const Is Of = value(C->getSubExpr());
    switch (C->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return Of == Is::Place ? Is::Address : Of;
    case CK_LValueToRValue:
      return Of == Is::Holder ? Is::Address : Is::Other;
    case CK_PointerToBoolean:
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
    case CK_ToVoid:
      return Is::Other;
    default:
      return Of;
    }
  }
  Is VisitArraySubscriptExpr(const ArraySubscriptExpr *A) {
    expectOther(A->getIdx());
    return value(A->getBase()) == Is::Address ? Is::Place : Is::Other;
  }
  Is VisitMemberExpr(const MemberExpr *M) {
    const Is Of = value(M->getBase());
    if (Of == Is::Holder)
      return lose(M);
    return Of == Is::Other ? Of : Is::Place;
  }
  Is VisitUnaryOperator(const UnaryOperator *U) {
    const Is Of = value(U->getSubExpr());
    if (Of == Is::Other)
      return Of;
    switch (U->getOpcode()) {
    case UO_Deref:
      return Is::Place;
    case UO_AddrOf:
      return Of == Is::Place ? Is::Address : lose(U);
    case UO_PreInc:
    case UO_PreDec:
      return Of;
    case UO_PostInc:
    case UO_PostDec:
      return Of == Is::Holder ? Is::Address : Is::Other;
    case UO_LNot:
      return Is::Other;
    default:
      return Of;
    }
  }
  Is VisitBinaryOperator(const BinaryOperator *B) {
    const Is Left = value(B->getLHS()), Right = value(B->getRHS());
    if (B->isCommaOp())
      return Right;
    // What single bits of an address, as a number, decide is otherwise in
    // another stage: where an element lies in rows that are swizzled by them.
    if ((Left != Is::Other || Right != Is::Other) && asksForBits(B))
      return lose(B);
    if (B->isComparisonOp() || B->isLogicalOp())
      return Is::Other;
    if (B->isAssignmentOp()) {
      if (Right != Is::Other)
        assign(B);
      return Left;
    }
    return Left == Is::Other ? Right : Left;
  }
  Is VisitConditionalOperator(const ConditionalOperator *C) {
    expectOther(C->getCond());
    const Is Yes = value(C->getTrueExpr()), No = value(C->getFalseExpr());
    return Yes == Is::Other ? No : Yes;
  }
  Is VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) {
    return Is::Other;
  }
  Is VisitFullExpr(const FullExpr *E) { return value(E->getSubExpr()); }
  Is VisitParenExpr(const ParenExpr *E) { return value(E->getSubExpr()); }
  Is VisitMaterializeTemporaryExpr(const MaterializeTemporaryExpr *E) {
    return value(E->getSubExpr());
  }
  Is VisitCallExpr(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    bool Given = false;
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      if (value(C->getArg(I)) == Is::Other)
        continue;
      Given = true;
      const bool Method = isa<CXXOperatorCallExpr>(C) && F &&
                          isa<CXXMethodDecl>(F);
      const unsigned P = Method ? I - 1 : I;
      // A number may be stored as one.
      if (!F || !forgets(F) ||
          ((!Method || I) &&
           (P >= F->getNumParams() ||
            !(F->getParamDecl(P)->getType()->isPointerType() ||
              F->getParamDecl(P)->getType()->isReferenceType()))))
        lose(C);
    }
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
      if (value(M->getImplicitObjectArgument()) != Is::Other &&
          !(F && forgets(F)))
        lose(C);
    if (!Given || C->getType()->isVoidType() || C->getType()->isFloatingType())
      return Is::Other;
    return C->isGLValue() ? Is::Place : Is::Address;
  }
  Is VisitCXXConstructExpr(const CXXConstructExpr *C) {
    // A copy of an element.
    for (const Expr *A : C->arguments())
      if (const Is Of = value(A);
          Of != Is::Other &&
          !(Of == Is::Place && (C->getConstructor()->isTrivial() ||
                                touchesOnlyArguments(C->getConstructor()))))
        lose(C);
    return Is::Other;
  }
  Is VisitLambdaExpr(const LambdaExpr *L) {
    bool Found = names(L->getBody());
    for (const Expr *E : L->capture_inits())
      Found |= names(E);
    return Found ? lose(L) : Is::Other;
  }
  Is VisitStmtExpr(const StmtExpr *S) {
    return names(S->getSubStmt()) ? lose(S) : Is::Other;
  }
  /// All other expressions.
  Is VisitExpr(const Expr *E) {
    for (const Stmt *Kid : E->children())
      if (const auto *Sub = dyn_cast_or_null<Expr>(Kid))
        expectOther(Sub);
    return Is::Other;
  }

private:
  const Stmt *Loop;
  const StagedBuffer &Buffer;
  bool Changed = false;

  Is lose(const Stmt *Where) {
    if (!Lost)
      Lost = Where;
    return Is::Other;
  }
  Is value(const Expr *E) { return Visit(E); }
  /// Is the buffer named in S, or what holds an address of it?
  bool names(const Stmt *S) {
    struct Names : ConstDynamicRecursiveASTVisitor {
      Follower &Of;
      bool Found = false;
      explicit Names(Follower &F) : Of(F) {}
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        return !(Found |= Of.VisitDeclRefExpr(D) != Is::Other);
      }
    } All(*this);
    All.TraverseStmt(S);
    return All.Found;
  }
  void expectOther(const Expr *E) {
    if (value(E) != Is::Other)
      lose(E);
  }

  void hold(VarSet &In, const VarDecl *V, const Stmt *Where) {
    if (!V->hasLocalStorage())
      lose(Where);
    else
      Changed |= In.insert(V).second;
  }

  void assign(const BinaryOperator *B) {
    const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (!V || V->getType()->isReferenceType() ||
        !(V->getType()->isPointerType() || V->getType()->isIntegerType()))
      lose(B);
    else if (!llvm::is_contained(Buffer.Views, V))
      hold(Holders, V, B);
  }

  void declare(const VarDecl *V, const Stmt *Where) {
    if (!V->hasInit() || V == Buffer.Var)
      return;
    const Is Of = value(V->getInit());
    if (Of == Is::Other || llvm::is_contained(Buffer.Views, V))
      return;
    // A structured binding has other names than its declaration's.
    if (isa<DecompositionDecl>(V))
      lose(Where);
    else if (V->getType()->isReferenceType())
      Of == Is::Place ? hold(References, V, Where) : void(lose(Where));
    else if (Of == Is::Address &&
             (V->getType()->isPointerType() || V->getType()->isIntegerType()))
      hold(Holders, V, Where);
    else
      lose(Where);
  }

  /// Outside the loop.
  void statement(const Stmt *S) {
    if (!S || S == Loop || Lost)
      return;
    if (const auto *E = dyn_cast<Expr>(S))
      return void(value(E));
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One))
          declare(V, S);
      return;
    }
    // What is returned, iterated over or given to assembly is not followed.
    const bool Plain = !isa<ReturnStmt, AsmStmt, CXXForRangeStmt>(S);
    for (const Stmt *Kid : S->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Kid); E && !Plain)
        expectOther(E);
      else
        statement(Kid);
  }
};

} // namespace

std::optional<OutsideAddress> addressFromOutside(const LoopFacts &Facts,
                                                 const StagedBuffer &Buffer) {
  Follower F(Facts, Buffer);
  F.run(Facts.Tile.Function->getBody());
  if (F.Lost)
    return OutsideAddress{F.Lost->getBeginLoc(), nullptr};
  struct Names : ConstDynamicRecursiveASTVisitor {
    const Follower &Of;
    const VarDecl *First = nullptr;
    explicit Names(const Follower &F) : Of(F) {}
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (V && !First && (Of.Holders.count(V) || Of.References.count(V)))
        First = V;
      return true;
    }
  } InLoop(F);
  InLoop.TraverseStmt(Facts.Tile.Loop);
  if (!InLoop.First)
    return std::nullopt;
  return OutsideAddress{InLoop.First->getLocation(), InLoop.First};
}

} // namespace kpipe
