// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk that knows what each mention of the sums is for, see SumNames.h. A
// place is the sums or a part of them; in functions that are given one, their
// parameters are names of it, too.
#include "SumNames.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool mayJumpBack(const Stmt *S) {
  return S && (isa<LabelStmt>(S) || llvm::any_of(S->children(), mayJumpBack));
}

bool mayRunAgain(const Stmt *Loop, const FunctionDecl *F) {
  if (mayJumpBack(F->getBody()))
    return true;
  auto Path = pathTo(Loop, F->getBody());
  return Path.empty() || llvm::any_of(Path, [&](const Stmt *S) {
           return S != Loop && isLoop(S);
         });
}

namespace {

constexpr unsigned MostCalls = 8; ///< one in the other

class SumNames {
public:
  SumNames(const VarSet &Sums, const Stmt *Loop,
           llvm::ArrayRef<const Stmt *> Products, bool Again)
      : Loop(Loop), Products(Products), Again(Again) {
    Here.Places = Sums;
  }

  bool in(const FunctionDecl *F) {
    visit(F->getBody(), true);
    return Found;
  }

private:
  using Inner = llvm::SmallVector<const Stmt *, 4>;
  /// What means the sums in the function that is looked into.
  struct Frame {
    VarSet Places, Pointers;
    bool This = false; ///< `this` points to them
    bool Lost = false; ///< something does that has no name
  };

  const Stmt *Loop;
  const llvm::ArrayRef<const Stmt *> Products;
  const bool Again;
  Frame Here;
  unsigned Depth = 0;
  bool Found = false, Behind = false;

  /// Is E the sums, a part of them, or what they are assigned to? Rest: what is
  /// evaluated on the way.
  bool isPlace(const Expr *E, Inner &Rest) {
    E = E->IgnoreParens();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V && Here.Places.count(V);
    }
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      Rest.push_back(S->getIdx());
      return pointsThere(S->getBase(), Rest);
    }
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return !M->getMemberDecl()->getType()->isReferenceType() &&
             (M->isArrow() ? pointsThere(M->getBase(), Rest)
                           : isPlace(M->getBase(), Rest));
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_Deref ? pointsThere(U->getSubExpr(), Rest)
             : U->getOpcode() == UO_AddrOf || !U->isGLValue()
                 ? false
                 : isPlace(U->getSubExpr(), Rest);
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      const bool Comma = B->getOpcode() == BO_Comma;
      Rest.push_back(Comma ? B->getLHS() : B->getRHS());
      return (Comma || B->isAssignmentOp()) && B->isGLValue() &&
             isPlace(Comma ? B->getRHS() : B->getLHS(), Rest);
    }
    if (const auto *C = dyn_cast<CastExpr>(E))
      return C->isGLValue() && isPlace(C->getSubExpr(), Rest);
    const auto *C = dyn_cast<CallExpr>(E);
    return C && C->isGLValue() && isAccessor(C, Rest);
  }

  bool pointsThere(const Expr *E, Inner &Rest) {
    E = E->IgnoreParens();
    if (isa<CXXThisExpr>(E))
      return Here.This;
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() == CK_ArrayToPointerDecay)
        return isPlace(C->getSubExpr(), Rest);
      if (C->getCastKind() != CK_LValueToRValue)
        return C->getType()->isPointerType() &&
               pointsThere(C->getSubExpr(), Rest);
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return V && Here.Pointers.count(V);
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_AddrOf && isPlace(U->getSubExpr(), Rest);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !B->isAdditiveOp() || !B->getType()->isPointerType())
      return false;
    const bool Left = B->getLHS()->getType()->isPointerType();
    Rest.push_back(Left ? B->getRHS() : B->getLHS());
    return pointsThere(Left ? B->getLHS() : B->getRHS(), Rest);
  }

  static bool copiesBits(const FunctionDecl *F) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    return M && M->isTrivial() &&
           (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator());
  }

  /// `d = e` of objects, or a function that is one `return` of a place.
  bool isAccessor(const CallExpr *C, Inner &Rest) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (copiesBits(F)) {
      Rest.push_back(C->getArg(1));
      return isPlace(C->getArg(0), Rest);
    }
    if (!F || !F->hasBody(Body) || Depth == MostCalls)
      return false;
    const auto *Code = dyn_cast<CompoundStmt>(Body->getBody());
    const auto *Returns = Code && Code->size() == 1
                              ? dyn_cast<ReturnStmt>(Code->body_front())
                              : nullptr;
    Frame Callee;
    Inner Given;
    if (!Returns || !Returns->getRetValue() ||
        !enters(C, Body, Callee, Given) || Callee.Lost)
      return false;
    const Frame Outer = std::exchange(Here, Callee);
    ++Depth;
    Inner OfBody;
    const bool Is = isPlace(Returns->getRetValue(), OfBody);
    if (Is)
      visitAll(OfBody);
    --Depth;
    Here = Outer;
    llvm::append_range(Rest, Given);
    return Is;
  }

  /// What a call hands of the sums. \param Rest the rest of what it is given.
  /// \returns whether it hands any.
  bool enters(const Expr *Call, const FunctionDecl *Body, Frame &Callee,
              Inner &Rest) {
    const auto *C = dyn_cast<CallExpr>(Call);
    const auto *N = dyn_cast<CXXConstructExpr>(Call);
    llvm::SmallVector<const Expr *, 8> Args;
    if (C)
      Args = givenTo(C);
    else
      llvm::append_range(Args, N->arguments());
    bool Any = false;
    auto hands = [&](const Expr *E) {
      Inner Part;
      const bool Is = E->isGLValue() ? isPlace(E, Part) : pointsThere(E, Part);
      if (Is)
        llvm::append_range(Rest, Part);
      else
        Rest.push_back(E);
      Any |= Is;
      return Is;
    };
    if (const Expr *Object = C ? calledOn(C) : nullptr)
      Callee.This = hands(Object);
    for (unsigned I = 0; I != Args.size(); ++I) {
      if (!hands(Args[I]))
        continue;
      const ParmVarDecl *P =
          Body && I < Body->getNumParams() ? Body->getParamDecl(I) : nullptr;
      if (P && P->getType()->isReferenceType() && Args[I]->isGLValue())
        Callee.Places.insert(P);
      else if (P && P->getType()->isPointerType())
        Callee.Pointers.insert(P);
      else
        Callee.Lost = true;
    }
    return Any;
  }

  void visitAll(const Inner &All) {
    for (const Stmt *S : All)
      visit(S, false);
  }

  void call(const Expr *Call, const FunctionDecl *F, bool Dropped) {
    const FunctionDecl *Body = nullptr;
    if (F && !F->hasBody(Body))
      Body = nullptr;
    Frame Callee;
    Inner Rest;
    const bool Hands = enters(Call, Body, Callee, Rest);
    if (copiesBits(F)) {
      for (const Expr *A : cast<CallExpr>(Call)->arguments())
        visit(A, true);
      return;
    }
    visitAll(Rest);
    if (!F)
      visit(cast<CallExpr>(Call)->getCallee(), false);
    if (!Hands || Found || (Dropped && setsBytes(F)))
      return;
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    if (!Body || Callee.Lost || Depth == MostCalls || (M && M->isVirtual())) {
      Found = true;
      return;
    }
    const Frame Outer = std::exchange(Here, Callee);
    ++Depth;
    if (const auto *Makes = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *I : Makes->inits())
        visit(I->getInit(), false);
    visit(Body->getBody(), true);
    --Depth;
    Here = Outer;
  }

  static bool setsBytes(const FunctionDecl *F) {
    switch (F ? F->getBuiltinID() : 0) {
    case Builtin::BImemset:
    case Builtin::BImemcpy:
    case Builtin::BImemmove:
    case Builtin::BI__builtin_memset:
    case Builtin::BI__builtin_memcpy:
    case Builtin::BI__builtin_memmove:
      return true;
    default:
      return false;
    }
  }

  bool mentions(const Stmt *S) const {
    if (const auto *D = dyn_cast_or_null<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
          V && (Here.Places.count(V) || Here.Pointers.count(V)))
        return true;
    return S && ((isa<CXXThisExpr>(S) && Here.This) ||
                 llvm::any_of(S->children(),
                              [&](const Stmt *Kid) { return mentions(Kid); }));
  }

  static bool holds(const Stmt *S, const Stmt *Part) {
    return S && (S == Part || llvm::any_of(S->children(), [&](const Stmt *Kid) {
                   return holds(Kid, Part);
                 }));
  }

  /// `for (float &x : d)`
  void range(const CXXForRangeStmt *R) {
    Inner Rest;
    const Expr *Of = R->getRangeInit();
    visit(R->getInit(), true);
    if (!Of->getType()->isArrayType() || !isPlace(Of, Rest)) {
      visit(Of, false);
    } else {
      visitAll(Rest);
      if (R->getLoopVariable()->getType()->isReferenceType()) {
        Found |= holds(R->getBody(), Loop);
        Here.Places.insert(R->getLoopVariable());
      }
    }
    visit(R->getBody(), true);
  }

  /// \param Dropped nobody has the value, or the name, that S is.
  void visit(const Stmt *S, bool Dropped) {
    if (!S || Found || Behind || llvm::is_contained(Products, S) ||
        isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    if (const auto *E = dyn_cast<Expr>(S))
      return expression(E, Dropped);
    if (const auto *R = dyn_cast<CXXForRangeStmt>(S)) {
      range(R);
    } else if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
      for (unsigned I = 0; I != A->getNumOutputs(); ++I)
        visit(A->getOutputExpr(I), true);
      for (unsigned I = 0; I != A->getNumInputs(); ++I)
        visit(A->getInputExpr(I), A->getInputExpr(I)->isGLValue());
    } else {
      const bool Names = isa<DeclStmt, ReturnStmt>(S);
      for (const Stmt *Kid : S->children())
        visit(Kid, !Names);
    }
    Behind |= S == Loop && !Again;
  }

  void expression(const Expr *E, bool Dropped) {
    E = E->IgnoreParens();
    if (const auto *W = dyn_cast<FullExpr>(E))
      return visit(W->getSubExpr(), Dropped);
    if (isa<LambdaExpr>(E)) {
      Found |= mentions(E) || mentions(cast<LambdaExpr>(E)->getBody());
      return;
    }
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
      return visit(D->getExpr(), false);
    if (const auto *C = dyn_cast<CastExpr>(E);
        C && (C->getCastKind() == CK_LValueToRValue ||
              C->getCastKind() == CK_ToVoid)) {
      Inner Rest;
      const auto *D = dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
      const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      Found |= V && Here.Pointers.count(V) && C->getCastKind() != CK_ToVoid &&
               !Dropped;
      return visit(C->getSubExpr(), true);
    }
    if (const auto *N = dyn_cast<CXXConstructExpr>(E)) {
      const CXXConstructorDecl *Makes = N->getConstructor();
      if (Makes->isTrivial() && Makes->isCopyOrMoveConstructor())
        return visit(N->getArg(0), true);
      return call(N, Makes, false);
    }
    Inner Rest;
    if (E->isGLValue() ? isPlace(E, Rest) : pointsThere(E, Rest)) {
      Found |= !Dropped;
      return visitAll(Rest);
    }
    if (const auto *C = dyn_cast<CallExpr>(E))
      return call(C, C->getDirectCallee(), Dropped);
    const auto *B = dyn_cast<BinaryOperator>(E);
    const auto *U = dyn_cast<UnaryOperator>(E);
    for (const Stmt *Kid : E->children()) {
      const bool Left = B && B->getOpcode() == BO_Comma && Kid == B->getLHS();
      // Whoever has the branches' value has one of them.
      const bool Same = isa<AbstractConditionalOperator, BinaryOperator>(E) &&
                        Dropped && !(B && B->isAssignmentOp());
      // `x++` is a value.
      const bool Steps = U && U->isIncrementDecrementOp();
      visit(Kid, Left || Same || Steps);
    }
  }
};

} // namespace

bool haveSecondName(const VarSet &Sums, const FunctionDecl *F, const Stmt *Loop,
                    llvm::ArrayRef<const Stmt *> Products) {
  return llvm::any_of(Sums,
                      [&](const VarDecl *V) {
                        return V->getDeclContext() != F ||
                               !V->hasLocalStorage() ||
                               V->getType()->isReferenceType() ||
                               V->getType()->isPointerType();
                      }) ||
         SumNames(Sums, Loop, Products, mayRunAgain(Loop, F)).in(F);
}

} // namespace kpipe
