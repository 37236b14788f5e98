// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls in ThreadEvaluator.h: functions that are entered, and what is known of
// code that is not run.

#include "Code/GroupQueries.h"
#include "ThreadEvaluator.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool ThreadEvaluator::mayStore(const Stmt *S) {
  if (!S)
    return false;
  auto [It, New] = Stores.try_emplace(S, false);
  if (!New)
    return It->second;
  bool Found = waits(S) || (isa<Expr>(S) && Watched.count(cast<Expr>(S)));
  if (const auto *C = dyn_cast<CallExpr>(S); C && !Found) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    Found = F ? F->hasBody(Body) && mayStore(Body->getBody())
              : !isa<CXXPseudoDestructorExpr>(C->getCallee());
  }
  // A closure does something when it is called.
  const auto *L = dyn_cast<LambdaExpr>(S);
  for (const Stmt *Child : S->children())
    Found = Found || (!(L && Child == L->getBody()) && mayStore(Child));
  return Stores[S] = Found;
}

/// `min` and `max` of two values.
RunValue ThreadEvaluator::extreme(const CallExpr *C, bool Least) {
  RunValue X = value(C->getArg(0)), Y = value(C->getArg(1));
  RunValue Less = Numbers.computed(BO_LT, X, Y, Context.BoolTy, C->getType());
  if (!Less.isNumber())
    return {};
  RunValue V = (Less.Number != 0) == Least ? X : Y;
  V.Sampled |= Less.Sampled;
  return V;
}

/// Of a closure that copies nothing: its names are those around it.
static bool callsClosure(const CXXOperatorCallExpr *O) {
  const auto *F = dyn_cast_or_null<CXXMethodDecl>(O->getDirectCallee());
  return F && F->getParent()->isLambda() && O->getOperator() == OO_Call &&
         llvm::all_of(F->getParent()->captures(), [](const LambdaCapture &C) {
           return C.getCaptureKind() == LCK_ByRef;
         });
}

RunValue ThreadEvaluator::call(const CallExpr *C) {
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C)) {
    // Structs are assigned.
    if (O->getOperator() == OO_Equal && O->getNumArgs() == 2)
      return assign(O, O->getArg(0), O->getArg(1));
    if (!callsClosure(O))
      return unknown(C);
  }
  if (waits(C)) {
    for (const Expr *A : C->arguments())
      evaluate(A);
    if (!Invalid && Report && !LooksBack)
      (*Report)(C, {});
    return {};
  }
  if (auto Q = groupQuery(C))
    return group(*Q);
  const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
  const unsigned First = isa<CXXOperatorCallExpr>(C); // the closure
  // What `this` points to is not followed.
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
  const bool OnObject =
      M &&
      (!M->isStatic() || isa<MemberExpr>(C->getCallee()->IgnoreImpCasts()));
  if (!F || LooksBack || (OnObject && !First) || Calls.size() > 8)
    return unknown(C);
  if (C->getType()->isIntegralOrEnumerationType() && !C->isGLValue())
    if (auto N = constant(C))
      return RunValue::of(*N);
  // An address as a number is the address.
  if (F->getIdentifier() && F->getName() == "__cvta_generic_to_shared" &&
      C->getNumArgs() == 1 &&
      Context.getSourceManager().isInSystemHeader(F->getLocation()))
    return value(C->getArg(0));
  // The toolkit's, whatever its body is.
  if (F->getIdentifier() && F->getNumParams() == 2 && C->getNumArgs() == 2 &&
      (F->getName() == "min" || F->getName() == "max") &&
      Context.getSourceManager().isInSystemHeader(F->getLocation()) &&
      !C->isGLValue())
    return extreme(C, F->getName() == "min");
  if (!F->hasBody(Definition) || llvm::is_contained(Calls, Definition) ||
      Definition->isVariadic() ||
      Context.getSourceManager().isInSystemHeader(Definition->getLocation())) {
    for (const Expr *A : C->arguments())
      if (!A->isGLValue() && mayStore(A))
        value(A);
    return unknown(C);
  }
  llvm::SmallVector<RunValue, 8> Args;
  for (unsigned I = 0; I != Definition->getNumParams(); ++I) {
    if (I + First >= C->getNumArgs())
      return unknown(C);
    const Expr *A = C->getArg(I + First);
    QualType T = Definition->getParamDecl(I)->getType();
    Args.push_back(T->isReferenceType() && A->isGLValue() ? place(A)
                   : A->isGLValue()                       ? RunValue()
                                                          : value(A));
    // A reference names a variable of ours.
    if (T->isReferenceType())
      forget(A);
  }
  read(Definition);
  for (unsigned I = 0; I != Args.size(); ++I)
    set(Definition->getParamDecl(I), Args[I]);
  Calls.push_back(Definition);
  Returned = {};
  const bool Ends = runBody(Definition->getBody());
  Calls.pop_back();
  if (!Ends)
    Invalid = true;
  return std::exchange(Returned, {});
}

} // namespace kpipe
