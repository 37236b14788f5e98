// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, and turn by turn where a loop counts with constants,
// see ElementsFirst.h. What is not one of a few plain forms reads anything.

#include "ElementsFirst.h"
#include "CodeNodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

bool named(const VarDecl *V, const Stmt *S) {
  return S && nodesOf(S).Mentioned.count(V);
}

unsigned timesNamed(const VarDecl *V, const Stmt *S) {
  unsigned Times = 0;
  for (const Stmt *Node : nodesOf(S).All)
    if (const auto *D = dyn_cast<DeclRefExpr>(Node))
      Times += D->getDecl() == V;
  return Times;
}

class ElementsWalk {
public:
  ElementsWalk(const VarDecl *V, const ASTContext &Context,
               llvm::function_ref<bool(const Stmt *)> Runs)
      : V(V), Context(Context), Runs(Runs),
        All(Context.getTypeSizeInChars(V->getType()).getQuantity()) {}

  bool run(const Stmt *S) { return visit(S); }

private:
  using Bytes = std::set<int64_t>;
  static constexpr unsigned MostSteps = 1 << 14;
  const VarDecl *V;
  const ASTContext &Context;
  llvm::function_ref<bool(const Stmt *)> Runs;
  const int64_t All;
  Bytes There;
  llvm::DenseMap<const VarDecl *, int64_t> Counter;
  unsigned Steps = 0;

  /// False if something may be read that is not there.
  bool visit(const Stmt *S) {
    if (!S || !named(V, S))
      return true;
    if (++Steps > MostSteps)
      return false;
    if (const auto *E = dyn_cast<Expr>(S))
      return value(E);
    if (const auto *F = dyn_cast<ForStmt>(S))
      return loop(*F);
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      if (!visit(I->getInit()) || !visit(I->getConditionVariableDeclStmt()) ||
          !visit(I->getCond()))
        return false;
      Bytes Before = There;
      if (!visit(I->getThen()))
        return false;
      std::swap(Before, There);
      if (!visit(I->getElse()))
        return false;
      keepCommon(Before);
      return true;
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::all_of(D->decls(), [&](const Decl *One) {
        const auto *X = dyn_cast<VarDecl>(One);
        return !X || visit(X->getInit());
      });
    if (!isa<CompoundStmt, AttributedStmt>(S))
      return false;
    for (const Stmt *Kid : S->children()) {
      if (endsHere(Kid))
        return false;
      if (!visit(Kid))
        return false;
    }
    return true;
  }

  /// A jump in a block that goes on to name the array may leave writes out.
  static bool endsHere(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    return isa<BreakStmt, ContinueStmt, GotoStmt, ReturnStmt, LabelStmt>(S) ||
           llvm::any_of(S->children(), endsHere);
  }

  void keepCommon(const Bytes &Other) {
    Bytes Both;
    for (int64_t B : There)
      if (Other.count(B))
        Both.insert(B);
    There = std::move(Both);
  }

  bool loop(const ForStmt &F) {
    const auto *D = dyn_cast_or_null<DeclStmt>(F.getInit());
    const auto *I = D && D->isSingleDecl()
                        ? dyn_cast<VarDecl>(D->getSingleDecl())
                        : nullptr;
    auto First = I && I->hasInit() ? number(I->getInit()) : std::nullopt;
    if (endsHere(F.getBody()))
      return false;
    if (!First || !steps(F.getInc(), I) || changed(I, F.getBody())) {
      // Some number of turns, of which none may count on another.
      Bytes Before = There;
      bool Fine = visit(F.getInit()) && visit(F.getCond()) &&
                  visit(F.getBody()) && visit(F.getInc());
      There = std::move(Before);
      return Fine;
    }
    Counter[I] = *First;
    bool Fine = true;
    for (;;) {
      auto Goes = number(F.getCond());
      if (!Goes || ++Steps > MostSteps)
        Fine = false;
      if (!Fine || !*Goes)
        break;
      Fine = visit(F.getBody());
      Counter[I] += *steps(F.getInc(), I);
    }
    Counter.erase(I);
    return Fine;
  }

  /// `++i`, `i += 4`
  std::optional<int64_t> steps(const Expr *E, const VarDecl *I) {
    E = E ? E->IgnoreParens() : nullptr;
    const auto *U = dyn_cast_or_null<UnaryOperator>(E);
    const auto *B = dyn_cast_or_null<CompoundAssignOperator>(E);
    const Expr *Of = U && U->isIncrementOp()               ? U->getSubExpr()
                     : B && B->getOpcode() == BO_AddAssign ? B->getLHS()
                                                           : nullptr;
    const auto *D = Of ? dyn_cast<DeclRefExpr>(Of->IgnoreParens()) : nullptr;
    if (!D || D->getDecl() != I)
      return std::nullopt;
    auto By = U ? std::optional<int64_t>(1) : number(B->getRHS());
    return By && *By > 0 ? By : std::nullopt;
  }

  /// Is a counter more than read in the body?
  static bool changed(const VarDecl *I, const Stmt *Body) {
    llvm::SmallPtrSet<const Stmt *, 8> Read;
    const CodeNodes Nodes = nodesOf(Body);
    for (const Stmt *S : Nodes.All)
      if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
          C && C->getCastKind() == CK_LValueToRValue)
        Read.insert(C->getSubExpr()->IgnoreParens());
    return llvm::any_of(Nodes.All, [&](const Stmt *S) {
      const auto *D = dyn_cast<DeclRefExpr>(S);
      return D && D->getDecl() == I && !Read.count(D);
    });
  }

  const DeclRefExpr *base(const Expr *E) const {
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
        E = A->getBase();
      else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase();
      else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
        E = U->getSubExpr();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    return D && D->getDecl() == V ? D : nullptr;
  }

  bool value(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<FullExpr>(E))
      E = W->getSubExpr()->IgnoreParens();
    const Expr *To = nullptr, *From = nullptr;
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Assign)
      To = B->getLHS(), From = B->getRHS();
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
        C && C->getOperator() == OO_Equal && C->getNumArgs() == 2)
      if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
          M && (M->isTrivial() || M->isDefaulted()))
        To = C->getArg(0), From = C->getArg(1);
    if (To) {
      const DeclRefExpr *Read = From->isGLValue() ? base(From) : nullptr;
      if (Read ? !indices(From) || (Runs(Read) && !partIsThere(From))
               : !visit(From))
        return false;
      if (!base(To))
        return visit(To);
      if (!indices(To))
        return false;
      if (!Runs(E))
        return true;
      auto At = place(To);
      for (int64_t I = 0, N = At ? size(To) : 0; I != N; ++I)
        There.insert(*At + I);
      return true;
    }
    // `r[i] += x` and `++r[i]`: what is written was there.
    const Expr *Changed = nullptr;
    if (const auto *B = dyn_cast<CompoundAssignOperator>(E)) {
      Changed = B->getLHS();
      if (base(Changed) && !visit(B->getRHS()))
        return false;
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->isIncrementDecrementOp())
      Changed = U->getSubExpr();
    if (Changed && base(Changed))
      return indices(Changed) && (!Runs(E) || partIsThere(Changed));
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isLogicalOp()) {
      if (!visit(B->getLHS()))
        return false;
      Bytes Before = There;
      bool Fine = visit(B->getRHS());
      There = std::move(Before);
      return Fine;
    }
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      if (!visit(C->getCond()))
        return false;
      Bytes Before = There;
      bool Fine = visit(C->getTrueExpr());
      There = Before;
      Fine &= visit(C->getFalseExpr());
      There = std::move(Before);
      return Fine;
    }
    if (isa<LambdaExpr>(E))
      return false;
    if (const auto *C = dyn_cast<CastExpr>(E); C && C->isPRValue() &&
                                               C->getSubExpr()->isPRValue() &&
                                               !C->getType()->isPointerType())
      return visit(C->getSubExpr()); // of the value
    if (const auto *D = base(E))     // read, or given a name: all of it
      return (isRead(E) ? indices(E) && isThere(E) : false) || !Runs(D);
    for (const Stmt *Kid : E->children())
      if (!visit(Kid))
        return false;
    return true;
  }

  /// A read of a part, and nothing that could keep its address.
  bool isRead(const Expr *E) const {
    if (const auto *C = dyn_cast<CXXConstructExpr>(E))
      return C->getConstructor()->isTrivial() && C->getNumArgs() == 1;
    const auto *C = dyn_cast<ImplicitCastExpr>(E);
    return C && C->getCastKind() == CK_LValueToRValue;
  }

  bool isThere(const Expr *E) {
    if (const auto *C = dyn_cast<CXXConstructExpr>(E))
      E = C->getArg(0);
    else
      E = cast<ImplicitCastExpr>(E)->getSubExpr();
    return partIsThere(E);
  }

  bool partIsThere(const Expr *E) {
    auto At = place(E);
    if (!At)
      return int64_t(There.size()) == All;
    for (int64_t I = 0, N = size(E); I != N; ++I)
      if (!There.count(*At + I))
        return false;
    return size(E) > 0;
  }

  bool indices(const Expr *E) {
    for (;;) {
      E = E->IgnoreParenCasts();
      if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        if (!visit(A->getIdx()))
          return false;
        E = A->getBase();
      } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
        E = M->getBase();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
        E = U->getSubExpr();
      } else {
        return true;
      }
    }
  }

  int64_t size(const Expr *E) const {
    QualType T = E->getType().getNonReferenceType();
    return T->isIncompleteType() ? 0
                                 : Context.getTypeSizeInChars(T).getQuantity();
  }

  /// In bytes; a member counts from its own beginning.
  std::optional<int64_t> place(const Expr *E) {
    E = E->IgnoreParens();
    if (isa<DeclRefExpr>(E))
      return 0;
    if (const auto *C = dyn_cast<CastExpr>(E))
      return place(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return place(U->getSubExpr());
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      auto Of = F && !F->isBitField() ? place(M->getBase()) : std::nullopt;
      if (!Of)
        return std::nullopt;
      return *Of + int64_t(Context.getFieldOffset(F)) / 8;
    }
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    auto Of = A ? place(A->getBase()) : std::nullopt;
    auto Index = Of ? number(A->getIdx()) : std::nullopt;
    if (!Index)
      return std::nullopt;
    return *Of + *Index * size(A);
  }

  std::optional<int64_t> number(const Expr *E) {
    if (!E)
      return std::nullopt;
    E = E->IgnoreParenImpCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      if (const auto *X = dyn_cast<VarDecl>(D->getDecl());
          X && Counter.count(X))
        return Counter[X];
    Expr::EvalResult R;
    if (!E->isValueDependent() && E->EvaluateAsInt(R, Context) &&
        !R.HasSideEffects && R.Val.getInt().isRepresentableByInt64())
      return R.Val.getInt().getExtValue();
    const auto *B = dyn_cast<BinaryOperator>(E);
    auto X = B ? number(B->getLHS()) : std::nullopt;
    auto Y = X ? number(B->getRHS()) : std::nullopt;
    constexpr int64_t Large = int64_t(1) << 30;
    if (!Y || *X < 0 || *Y < 0 || *X > Large || *Y > Large)
      return std::nullopt;
    switch (B->getOpcode()) {
    case BO_Add:
      return *X + *Y;
    case BO_Sub:
      return *X - *Y;
    case BO_Mul:
      return *X * *Y;
    case BO_Div:
      return *Y ? std::optional(*X / *Y) : std::nullopt;
    case BO_Rem:
      return *Y ? std::optional(*X % *Y) : std::nullopt;
    case BO_LT:
      return *X < *Y;
    case BO_LE:
      return *X <= *Y;
    case BO_NE:
      return *X != *Y;
    default:
      return std::nullopt;
    }
  }
};

} // namespace

bool isArrayOfLoop(const VarDecl *V, const Stmt *Loop,
                   const FunctionDecl *Function, const ASTContext &Context) {
  constexpr int64_t Most = 4096; ///< bytes
  return V && V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
         Context.getAsConstantArrayType(V->getType()) &&
         Context.getTypeSizeInChars(V->getType()).getQuantity() <= Most &&
         timesNamed(V, Function->getBody()) == timesNamed(V, Loop);
}

bool elementsWrittenFirst(llvm::ArrayRef<const Stmt *> Parts, const VarDecl *V,
                          const ASTContext &Context,
                          llvm::function_ref<bool(const Stmt *)> Runs) {
  ElementsWalk W(V, Context, Runs);
  return llvm::all_of(Parts, [&](const Stmt *S) { return W.run(S); });
}

} // namespace kpipe
