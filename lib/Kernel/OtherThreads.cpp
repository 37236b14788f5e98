// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over statements and callees, see OtherThreads.h. In a callee whatever
// it is given may be another value, and whoever returns first leaves the rest
// to the others.
#include "OtherThreads.h"
#include "Code/Jumps.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// May a thread leave S at its end? Where that cannot be told it may.
static bool flowsOff(const Stmt *S, const ASTContext &Context);

static bool hasBreak(const Stmt *S) {
  return S && (isa<BreakStmt, ContinueStmt>(S) ||
               llvm::any_of(S->children(), hasBreak));
}

static bool leavesSwitch(const SwitchStmt *S, const ASTContext &Context) {
  bool Default = false;
  for (const SwitchCase *C = S->getSwitchCaseList(); C;
       C = C->getNextSwitchCase())
    Default |= isa<DefaultStmt>(C);
  return !Default || hasBreak(S->getBody()) || flowsOff(S->getBody(), Context);
}

static bool flowsOff(const Stmt *S, const ASTContext &Context) {
  if (!S)
    return true;
  if (isa<ReturnStmt, GotoStmt>(S))
    return false;
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return C->body_empty() || flowsOff(C->body_back(), Context);
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return flowsOff(A->getSubStmt(), Context);
  if (const auto *L = dyn_cast<LabelStmt>(S))
    return flowsOff(L->getSubStmt(), Context);
  if (const auto *C = dyn_cast<SwitchCase>(S))
    return flowsOff(C->getSubStmt(), Context);
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    // `if constexpr` has one branch.
    bool Is = false;
    if (I->isConstexpr() && !I->getCond()->isValueDependent() &&
        I->getCond()->EvaluateAsBooleanCondition(Is, Context))
      return flowsOff(Is ? I->getThen() : I->getElse(), Context);
    return flowsOff(I->getThen(), Context) || flowsOff(I->getElse(), Context);
  }
  if (const auto *L = dyn_cast<ForStmt>(S))
    return L->getCond() || hasBreak(L->getBody());
  if (const auto *L = dyn_cast<DoStmt>(S))
    return hasBreak(L->getBody()) || flowsOff(L->getBody(), Context);
  const auto *Chosen = dyn_cast<SwitchStmt>(S);
  return !Chosen || leavesSwitch(Chosen, Context);
}

namespace {

class OddWork {
public:
  OddWork(const ThreadDependence &Threads,
          llvm::function_ref<bool(const VarDecl *)> Unset)
      : Threads(Threads), Unset(Unset) {}

  bool in(const Stmt *S) {
    // A closure's body runs where it is called.
    if (const auto *L = dyn_cast_or_null<LambdaExpr>(S))
      return llvm::any_of(L->capture_inits(),
                          [&](const Expr *Init) { return in(Init); });
    return S && (itself(S) || llvm::any_of(S->children(), [&](const Stmt *Kid) {
                   return in(Kid);
                 }));
  }

private:
  const ThreadDependence &Threads;
  const llvm::function_ref<bool(const VarDecl *)> Unset;
  /// The function that is looked into; null: the kernel.
  const ThreadDependence *Callee = nullptr;
  bool Whole = false; ///< does it reach memory at all?
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  bool differs(const Expr *E) const {
    return Callee ? Callee->dependent(E)
                  : Threads.dependent(E) || namesUnset(E);
  }

  bool namesUnset(const Stmt *S) const {
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        return Unset(V);
    return llvm::any_of(
        S->children(), [&](const Stmt *Kid) { return Kid && namesUnset(Kid); });
  }

  bool itself(const Stmt *S) {
    if (const auto *B = dyn_cast<BinaryOperator>(S))
      return (divides(B) && differs(B->getRHS())) || someReach(B);
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      return llvm::any_of(A->getAttrs(), [&](const Attr *One) {
        const auto *Assume = dyn_cast<CXXAssumeAttr>(One);
        return Assume && differs(Assume->getAssumption());
      });
    if (isLoop(S))
      return isa<CXXForRangeStmt>(S) ||
             (Callee ? *Callee : Threads).divides(S) ||
             (!Callee && namesUnset(S));
    if (const auto *C = dyn_cast<CallExpr>(S))
      return call(C);
    if (const auto *C = dyn_cast<CXXConstructExpr>(S))
      return calls(C->getConstructor());
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return assembly(A);
    return element(S) || someReach(S);
  }

  /// An address in brackets that the thread decides.
  bool assembly(const GCCAsmStmt *A) const {
    const std::string Text = A->getAsmString();
    const llvm::StringRef T(Text);
    if (!T.contains('['))
      return false;
    if (T.contains("tid") || T.contains("laneid") || T.contains("warpid"))
      return true;
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      if (differs(A->getInputExpr(I)))
        return true;
    return false;
  }

  static bool divides(const BinaryOperator *B) {
    const BinaryOperatorKind Op = B->getOpcode();
    return (Op == BO_Div || Op == BO_Rem || Op == BO_DivAssign ||
            Op == BO_RemAssign) &&
           B->getRHS()->getType()->isIntegralOrEnumerationType();
  }

  /// An element or a member that the author's threads may not come to.
  bool element(const Stmt *S) const {
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(S)) {
      // Where an array begins is asked of what it is an element of.
      const auto *Array = dyn_cast<ImplicitCastExpr>(A->getBase());
      const bool IsPlace =
          Array && Array->getCastKind() == CK_ArrayToPointerDecay;
      return differs(A->getIdx()) || (!IsPlace && differs(A->getBase()));
    }
    if (const auto *U = dyn_cast<UnaryOperator>(S))
      return U->getOpcode() == UO_Deref && differs(U->getSubExpr());
    const auto *M = dyn_cast<MemberExpr>(S);
    return M && M->isArrow() &&
           !isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) &&
           differs(M->getBase());
  }

  /// Memory that only some threads reach, maybe none of the author's.
  bool someReach(const Stmt *S) const {
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isLogicalOp())
      return differs(B->getLHS()) && reaches(B->getRHS());
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(S))
      return differs(C->getCond()) &&
             (reaches(C->getTrueExpr()) || reaches(C->getFalseExpr()));
    const auto *If = dyn_cast<IfStmt>(S);
    const auto *Switch = dyn_cast<SwitchStmt>(S);
    if (!If && !Switch)
      return false;
    const Expr *Cond = If ? If->getCond() : Switch->getCond();
    const bool Some = Cond && differs(Cond);
    return Some && (Callee ? Whole : reaches(S));
  }

  static bool reaches(const Stmt *S) {
    if (!S || isa<PseudoObjectExpr>(S)) // threadIdx.x
      return false;
    const auto *U = dyn_cast<UnaryOperator>(S);
    const auto *M = dyn_cast<MemberExpr>(S);
    const auto *C = dyn_cast<CallExpr>(S);
    const auto *Made = dyn_cast<CXXConstructExpr>(S);
    return isa<ArraySubscriptExpr>(S) || (U && U->getOpcode() == UO_Deref) ||
           (M && M->isArrow()) || (C && !onlyComputes(C)) ||
           (Made && !Made->getConstructor()->isTrivial()) ||
           llvm::any_of(S->children(), reaches);
  }

  /// A function of the toolkit that is given values.
  static bool onlyComputes(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    return F && isToolkits(F) && !isa<CXXMethodDecl>(F) &&
           llvm::none_of(F->parameters(), [](const ParmVarDecl *P) {
             return P->getType()->isPointerType() ||
                    P->getType()->isReferenceType();
           });
  }

  bool call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    const llvm::StringRef Name =
        F->getIdentifier() ? F->getName() : llvm::StringRef();
    if (Name == "__builtin_unreachable")
      return true;
    if (Name == "__builtin_assume" || Name == "__assume")
      return llvm::any_of(C->arguments(),
                          [&](const Expr *E) { return differs(E); });
    return calls(F);
  }

  bool calls(const FunctionDecl *F) {
    const FunctionDecl *Body = nullptr;
    if (isToolkits(F) || !F->hasBody(Body) ||
        !Seen.insert(F->getCanonicalDecl()).second)
      return false;
    const ThreadDependence Own(Body, nullptr);
    const ThreadDependence *Outer = std::exchange(Callee, &Own);
    const bool Before = std::exchange(Whole, reaches(Body->getBody()));
    bool Wrong = in(Body->getBody());
    // Whoever returns no value has no meaning from there on.
    Wrong |= !Body->getReturnType()->isVoidType() &&
             flowsOff(Body->getBody(), Body->getASTContext());
    if (const auto *Makes = dyn_cast<CXXConstructorDecl>(Body))
      Wrong |= llvm::any_of(Makes->inits(), [&](const CXXCtorInitializer *I) {
        return in(I->getInit());
      });
    Callee = Outer;
    Whole = Before;
    return Wrong;
  }
};

} // namespace

bool mayGoWrong(const Stmt *S, const ThreadDependence &Threads,
                llvm::function_ref<bool(const VarDecl *)> Unset) {
  return OddWork(Threads, Unset).in(S);
}

} // namespace kpipe
