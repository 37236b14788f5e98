// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the function, see FloatCode.h.
#include "FloatCode.h"
#include "Code/KnownFunctions.h"
#include "SeenCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace kpipe {

const VarDecl *namedStorage(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      // A pointer names other storage than its own.
      const Expr *Base = A->getBase()->IgnoreParens();
      const auto *Cast = dyn_cast<ImplicitCastExpr>(Base);
      if (!Cast || Cast->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      E = Cast->getSubExpr();
    } else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
      E = M->getBase();
    } else {
      break;
    }
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

bool isOwnStorage(const VarDecl *V) {
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
         !V->getType()->isPointerType();
}

static bool holdsFloats(QualType T) {
  T = T.getNonReferenceType();
  while (const Type *Element = T->getPointeeOrArrayElementType()) {
    if (Element == T.getTypePtr())
      break;
    T = QualType(Element, 0);
  }
  return T->isRealFloatingType() || T->isRecordType();
}

namespace {

class Walk : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Walk(const LoopFacts &Facts) : Facts(Facts) {
    for (const BodyItem &I : Facts.Tile.Body)
      (I.Barrier ? Passed : I.InLoad ? LoadItems : ComputeItems).insert(I.S);
  }
  FloatCode Code;

  bool TraverseStmt(const Stmt *S) override {
    if (!S)
      return true;
    if (S == Facts.Tile.Loop) {
      llvm::SaveAndRestore Saved(Now, CodePlace());
      return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    }
    if (Passed.count(S))
      return true;
    llvm::SaveAndRestore Saved(Now, Now);
    llvm::SaveAndRestore Load(InLoad, InLoad || LoadItems.count(S));
    if (ComputeItems.count(S) || LoadItems.count(S)) {
      Now = CodePlace();
      Now.InBody = true;
    }
    const auto *Logical = dyn_cast<BinaryOperator>(S);
    if (isa<IfStmt, SwitchStmt, AbstractConditionalOperator>(S) ||
        (Logical && Logical->isLogicalOp()))
      Now.Certain = false;
    if (isa<BreakStmt, ContinueStmt, GotoStmt, ReturnStmt>(S) && Now.InBody)
      return giveUp(S, {msg::floats_left_out});
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt>(S))
      Now.Counted = Now.Certain = false;
    if (const auto *F = dyn_cast<ForStmt>(S))
      Now.Loops.push_back(F);
    return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }

  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    return giveUp(L, {msg::floats_in_closures});
  }

  /// threadIdx and its like call a function for each member.
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    return isSpecialRegister(P) ||
           ConstDynamicRecursiveASTVisitor::TraversePseudoObjectExpr(P);
  }

  bool VisitVarDecl(const VarDecl *V) override {
    if (!holdsFloats(V->getType()) || !V->hasInit())
      return true;
    if (V->getType()->isReferenceType())
      return escapes(V->getInit());
    if (isOwnStorage(V))
      Code.Given.push_back({V, nullptr, V->getInit(), place()});
    return true;
  }

  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp() && !assigns(B, B->getLHS(), B))
      return false;
    const auto *C = dyn_cast<CompoundAssignOperator>(B);
    if (!B->getType()->isRealFloatingType()) {
      // An integer that a float is added to.
      return !C || !C->getComputationResultType()->isRealFloatingType() ||
             giveUp(B, {msg::floats_converted});
    }
    if (InLoad && (B->isAdditiveOp() || B->isMultiplicativeOp() || C))
      return giveUp(B, {msg::floats_in_load});
    if (C && C->getComputationLHSType().getCanonicalType() !=
                 C->getLHS()->getType().getCanonicalType().getUnqualifiedType())
      return giveUp(B, {msg::floats_converted});
    switch (B->getOpcode()) {
    case BO_Add:
    case BO_AddAssign:
      Code.Sums.push_back({B, false, place()});
      break;
    case BO_Sub:
    case BO_SubAssign:
      Code.Sums.push_back({B, true, place()});
      break;
    case BO_Mul:
    case BO_MulAssign:
      Code.Products.push_back({B, place()});
      break;
    case BO_Div:
    case BO_DivAssign:
      if (Now.InBody)
        return giveUp(B, {msg::floats_divided});
      break;
    default:
      break;
    }
    return true;
  }

  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->getOpcode() == UO_AddrOf)
      return escapes(U->getSubExpr());
    if (U->isIncrementDecrementOp() && U->getType()->isRealFloatingType())
      return giveUp(U, {msg::floats_converted});
    return true;
  }

  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *A) override {
    Subscripted.insert(A->getBase()->IgnoreParens());
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    return C->getCastKind() != CK_ArrayToPointerDecay ||
           Subscripted.count(C) || escapes(C->getSubExpr());
  }

  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C);
        O && O->isAssignmentOp() && keepsFloats(C))
      return assigns(C, C->getArg(0), C->getArg(1));
    if (F)
      for (auto [Parameter, Argument] : llvm::zip(F->parameters(), givenTo(C)))
        if (Parameter->getType()->isReferenceType() && !escapes(Argument))
          return false;
    if (Now.InBody && !keepsFloats(C))
      return giveUp(C, {msg::floats_in_call,
                        F ? F->getNameAsString() : std::string("a pointer")});
    return true;
  }

  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    return !Now.InBody || C->getConstructor()->isTrivial() ||
           giveUp(C, {msg::floats_in_call,
                      C->getConstructor()->getNameAsString()});
  }

  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    if (Now.InBody && !keepsFloats(A))
      return giveUp(A, {msg::floats_in_asm});
    for (const Expr *Output : A->outputs())
      if (const VarDecl *V = namedStorage(Output); isOwnStorage(V))
        Code.Given.push_back({V, Output, Output, place()});
    return true;
  }

private:
  const LoopFacts &Facts;
  llvm::SmallPtrSet<const Stmt *, 16> LoadItems, ComputeItems, Passed;
  llvm::SmallPtrSet<const Expr *, 32> Subscripted;
  CodePlace Now;
  bool InLoad = false;
  unsigned Order = 0;

  CodePlace place() {
    CodePlace P = Now;
    P.Order = ++Order;
    return P;
  }

  bool giveUp(const Stmt *S, Message Why) {
    Code.NotFollowed = std::move(Why);
    Code.Where = S->getBeginLoc();
    return false;
  }

  /// Storage that is reached by other ways than its name.
  bool escapes(const Expr *E) {
    const VarDecl *V = namedStorage(E);
    return !isOwnStorage(V) || !holdsFloats(V->getType()) ||
           giveUp(E, {msg::floats_by_address, V->getName()});
  }

  bool assigns(const Expr *E, const Expr *To, const Expr *Value) {
    const VarDecl *V = namedStorage(To);
    if (isOwnStorage(V)) {
      if (holdsFloats(To->getType()))
        Code.Given.push_back({V, To, Value, place()});
      return true;
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(To->IgnoreParens());
        D && D->getType()->isPointerType())
      return true;
    // What a thread stores it may read again, without memory in between.
    return !Now.InBody || InLoad || giveUp(E, {msg::floats_stored});
  }
};

} // namespace

FloatCode findFloatCode(const LoopFacts &Facts) {
  Walk W(Facts);
  W.TraverseStmt(Facts.Tile.Function->getBody());
  return std::move(W.Code);
}

} // namespace kpipe
