// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BarrierTrees.h. Source: CUDA C++ Programming Guide, "Asynchronous
// Barrier", and its primitives.
#include "BarrierTrees.h"
#include "Code/KnownFunctions.h"
#include "LibraryTypes.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

bool isBlockBarrier(const Tree &T) {
  const FunctionDecl *F = calleeOf(withoutCasts(T));
  return F && classifyCall(F) == CallKind::BlockBarrier;
}

static bool isGroupBarrier(const Tree &T, const std::string &Group,
                           const Frame &F) {
  const Tree &Call = withoutCasts(T);
  const FunctionDecl *Of = calleeOf(Call);
  if (!Of || !isToolkits(Of) || Of->getNameAsString() != "sync")
    return false;
  // `warp.sync();`, of its class or of a base of that; a tile's is static
  const Tree &Called = Call.kid(0).Label == "FunctionToPointerDecay"
                           ? Call.kid(0).kid(0)
                           : Call.kid(0);
  if (Called.is("MemberExpr")) {
    const Tree *Object =
        Called.Kids.size() == 1 ? &withoutCasts(Called.kid(0)) : nullptr;
    while (Object && Object->Kids.size() == 1 &&
           (Object->Label == "DerivedToBase" ||
            Object->Label == "UncheckedDerivedToBase"))
      Object = &withoutCasts(Object->kid(0));
    return Call.Kids.size() == 1 && Object && groupOf(*Object, F) == Group;
  }
  return Call.Kids.size() == 2 && groupOf(Call.kid(1), F) == Group;
}

bool barrierStands(const AsyncEvent &E, const Tree *After, const TreeList &New,
                   size_t &J, const Frame &F) {
  auto Fits = [&](size_t At) {
    return At < New.size() && (isBlockBarrier(*New[At]) ||
                               (E.What == AsyncEvent::GroupBarrier &&
                                isGroupBarrier(*New[At], E.Group, F)));
  };
  bool Another = After && isBlockBarrier(*After);
  if (Another &&
      !(Fits(J) && J + 1 < New.size() && isBlockBarrier(*New[J + 1]))) {
    size_t Next = J;
    while (Next < New.size() && New[Next]->is("NullStmt"))
      ++Next;
    // That one stands behind the branch that ends here.
    if (Next == New.size() || isBlockBarrier(*New[Next]))
      return true;
  }
  return Fits(J) && ++J;
}

const Tree *askedByLoop(const Tree &T) {
  const bool Do = T.is("DoStmt");
  if ((!Do && !T.is("WhileStmt")) || T.Kids.size() != 2)
    return nullptr;
  const Tree &Body = T.kid(Do ? 0 : 1);
  if (!Body.is("NullStmt") && (!Body.is("CompoundStmt") || Body.Kids.size()))
    return nullptr;
  const Tree &Not = withoutCasts(T.kid(Do ? 1 : 0));
  return Not.is("UnaryOperator") && Not.Label == "!" ? &withoutCasts(Not.kid(0))
                                                     : nullptr;
}

bool asksBarrier(const Tree &T) {
  const Tree *Call = askedByLoop(T);
  const FunctionDecl *Of = Call ? calleeOf(*Call) : nullptr;
  return Of && isToolkits(Of) &&
         (Of->getName() == "__mbarrier_test_wait" ||
          Of->getName() == "__mbarrier_try_wait");
}

bool barrierIn(const Tree &Place, const Frame &F, std::string &Key) {
  const Tree *T = &withoutCasts(Place);
  if (T->is("UnaryOperator") && T->Label == "&")
    T = &withoutCasts(T->kid(0));
  const bool Decays = T->is("ImplicitCastExpr") && T->Kids.size() == 1 &&
                      T->Label == "ArrayToPointerDecay";
  if (Decays) {
    Key = spelled(T->kid(0), F) + "0";
    return T->kid(0).is("DeclRefExpr");
  }
  if (!T->is("ArraySubscriptExpr")) {
    Key = spelled(*T, F);
    return true;
  }
  const Tree *Of = &T->kid(0);
  while (Of->is("ImplicitCastExpr") && Of->Kids.size() == 1)
    Of = &Of->kid(0);
  const auto *V = dyn_cast_or_null<VarDecl>(Of->Of);
  const auto *Array =
      V ? F.Context.getAsConstantArrayType(V->getType()) : nullptr;
  std::optional<int64_t> Index = constantOf(T->kid(1), F);
  if (Array && Array->getSize() == 1)
    Index = 0;
  if (!Array || !Index || !Of->is("DeclRefExpr"))
    return false;
  Key = spelled(*Of, F) + std::to_string(*Index);
  return true;
}

bool counterOf(const Tree &Object, const Frame &F, std::string &Key) {
  const Expr *E = exprOf(Object);
  // thread_scope_thread is 10 in libcu++.
  return (E && isClass(Object, "pipeline") &&
          templateNumber(recordOf(E->getType()), 0) == 10) ||
         barrierIn(Object, F, Key);
}

const Tree *tokenOf(const Tree &Argument) {
  const Tree *T = &withoutCasts(Argument);
  while (!T->is("DeclRefExpr") && !T->is("CXXMemberCallExpr")) {
    const FunctionDecl *F = calleeOf(*T);
    const auto *Made = dyn_cast_or_null<CXXConstructExpr>(exprOf(*T));
    if (F && F->getIdentifier() && F->getName() == "move" &&
        T->Kids.size() == 2)
      T = &withoutCasts(T->kid(1));
    else if (Made && Made->getConstructor()->isCopyOrMoveConstructor() &&
             T->Kids.size() == 1)
      T = &withoutCasts(T->kid(0));
    else if (T->is("CStyleCastExpr") || T->is("CXXStaticCastExpr"))
      T = &withoutCasts(T->kid(0));
    else
      return nullptr;
  }
  return T;
}

} // namespace kpipe
