// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether threads may have different values of an expression, by what is known
// of the variables. See ThreadDependence.h.
#include "KnownFunctions.h"
#include "OfArguments.h"
#include "ThreadDependence.h"

using namespace clang;

namespace kpipe {

namespace {

class Differs : public ConstDynamicRecursiveASTVisitor {
public:
  using Set = llvm::SmallPtrSetImpl<const VarDecl *>;
  Differs(const Set &Vars, const Set &Common, bool LoadsCount)
      : Vars(Vars), Common(Common), LoadsCount(LoadsCount) {
    ShouldVisitImplicitCode = true; // `a != b` may call `==`
  }
  bool Found = false;

  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return !(Found |= isa<BindingDecl>(D->getDecl()));
    // Clang's headers make threadIdx, blockIdx and their kin of globals.
    const bool Constant = V->isConstexpr() || V->getType().isConstQualified() ||
                          V->hasAttr<CUDAConstantAttr>();
    if (D->refersToEnclosingVariableOrCapture())
      Found |= !Constant || Vars.count(V);
    // Others may change a volatile variable between two threads' reads.
    Found |= V->getName() == "threadIdx" || Vars.count(V) ||
             (V->getType().isVolatileQualified() && !V->hasLocalStorage());
    return !Found;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    return !(Found |= B->getOpcode() == BO_PtrMemI);
  }
  bool VisitAtomicExpr(const AtomicExpr *) override { return !(Found = true); }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *S) override {
    return !(Found |= !namesPartOfLocal(S) && !isCommon(S));
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    return !(Found |= U->getOpcode() == UO_Deref);
  }
  bool VisitMemberExpr(const MemberExpr *M) override {
    const QualType T = M->getMemberDecl()->getType();
    return !(Found |= M->isArrow() || T->isReferenceType() ||
                      T.isVolatileQualified());
  }
  bool VisitCXXThisExpr(const CXXThisExpr *) override {
    return !(Found = true);
  }
  // What a declaration elsewhere says is not looked up.
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *D) override {
    return !(Found |=
             !D->getExpr()->isEvaluatable(D->getParam()->getASTContext()));
  }
  bool VisitInitListExpr(const InitListExpr *L) override {
    const InitListExpr *Whole = L->isSemanticForm() ? L : L->getSemanticForm();
    Found |= Whole && llvm::any_of(Whole->inits(), [](const Expr *E) {
               return isa<CXXDefaultInitExpr>(E);
             });
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    // What __ldg reads no thread writes; its address is visited as well.
    const bool ReadOnly =
        LoadsCount && C->getDirectCallee() &&
        classifyCall(C->getDirectCallee()) == CallKind::ReadOnlyLoad;
    return !(Found |= !ReadOnly && !madeOfArguments(C));
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    return !(Found |= !C->getConstructor()->isTrivial());
  }
  bool VisitLambdaExpr(const LambdaExpr *) override { return !(Found = true); }
  bool VisitGCCAsmStmt(const GCCAsmStmt *) override { return !(Found = true); }
  // threadIdx.x reads a special register through a call of a method.
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    Found |= !isSpecialRegister(P);
    return !Found && TraverseStmt(P->getSyntacticForm());
  }
  bool TraverseOpaqueValueExpr(const OpaqueValueExpr *O) override {
    return TraverseStmt(O->getSourceExpr());
  }

private:
  const Set &Vars, &Common;
  const bool LoadsCount;

  /// An element of a kernel's array, whose index is visited as well.
  bool isCommon(const ArraySubscriptExpr *S) const {
    const auto *D = dyn_cast<DeclRefExpr>(S->getBase()->IgnoreParenImpCasts());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && Common.count(V) && !S->getType().isVolatileQualified();
  }
};

} // namespace

bool ThreadDependence::dependent(const Expr *E) const {
  if (!E)
    return false;
  Differs Of(Vars, Common, LoadsCount);
  Of.TraverseStmt(E);
  return Of.Found;
}

} // namespace kpipe
