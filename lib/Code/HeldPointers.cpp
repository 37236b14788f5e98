// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at each mention of an object, see HeldPointers.h. A mention that is no
// plain read, copy, assignment or call gives it another name.
#include "HeldPointers.h"
#include "AstUtils.h"
#include "SelfNames.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Members that lie over each other, or that name each other: one may be read
/// as another.
bool hasUnion(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition() || R->isUnion())
    return true;
  return llvm::any_of(
             R->fields(),
             [](const FieldDecl *F) {
               const Type *T = F->getType()->getBaseElementTypeUnsafe();
               return isMadeOfOthers(F) ||
                      (T->isRecordType() && hasUnion(T->getAsCXXRecordDecl()));
             }) ||
         llvm::any_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return hasUnion(B.getType()->getAsCXXRecordDecl());
         });
}

const Expr *withoutCasts(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<CastExpr>(E);
    if (!C || !isa<ImplicitCastExpr, CXXConstCastExpr>(C) ||
        (C->getCastKind() != CK_NoOp && C->getCastKind() != CK_DerivedToBase &&
         C->getCastKind() != CK_UncheckedDerivedToBase))
      return E;
    E = C->getSubExpr();
  }
}

bool isScalar(QualType T) {
  return T->isPointerType() || T->isArithmeticType() || T->isEnumeralType();
}

class Mentions {
public:
  Mentions(const ValueDecl *V, const FunctionDecl *F)
      : V(V), Kept(keptResults(F->getBody())) {}
  HeldPointers Found;

  /// \param Dropped nothing is done with the value.
  void visit(const Stmt *S, bool Dropped = false) {
    if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    if (const auto *W = dyn_cast<ExprWithCleanups>(S))
      return visit(W->getSubExpr(), Dropped);
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return visit(D->getExpr());
    if (const auto *L = dyn_cast<LambdaExpr>(S))
      return closure(L);
    if (const auto *E = dyn_cast<Expr>(S); E && isObject(E)) {
      Found.Anything = true;
      return;
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *One : D->decls())
        if (const auto *As = dyn_cast<VarDecl>(One);
            V && As == V && As->hasInit())
          Found.Objects.push_back(As->getInit());
    if (named(S))
      return;
    if (assigned(S) || read(S) || returned(S) || handed(S, Dropped) ||
        isNumber(S) || refers(S) || listed(S))
      return;
    bool Statements = isa<CompoundStmt>(S);
    const auto *F = dyn_cast<ForStmt>(S);
    for (const Stmt *Child : S->children())
      visit(Child, Statements || (F && Child && Child == F->getInc()));
  }

  /// The object is the one that the constructor makes.
  void made(const CXXConstructorDecl *K) {
    for (const CXXCtorInitializer *I : K->inits()) {
      const Expr *Init = I->getInit();
      if (!Init)
        continue;
      const FieldDecl *F = I->getAnyMember();
      if (!F || F->getType()->isRecordType())
        Found.Objects.push_back(Init);
      else if (F->getType()->isPointerType())
        Found.Values.push_back(Init);
      else if (F->getType()->isReferenceType())
        Found.References.push_back({F, Init});
      else
        Found.Anything |= !isScalar(F->getType()) && holdsPointers(F);
    }
  }

  /// Is it mentioned in what the constructor does before its body?
  void initialisers(const CXXConstructorDecl *K) {
    for (const CXXCtorInitializer *I : K->inits())
      if (const Expr *Init = I->getInit();
          Init && !bound(I->getAnyMember(), Init))
        visit(Init);
  }

private:
  const ValueDecl *V; ///< null: the object of the function
  Results Kept;       ///< `Matrix &m = (v = w)`: another name
  llvm::SmallVector<const VarDecl *, 2> Names; ///< local references to it
  unsigned Closures = 0;

  /// What a closure captures by reference is mentioned in its body again.
  void closure(const LambdaExpr *L) {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits())) {
      bool Same = Capture.capturesThis()
                      ? Capture.getCaptureKind() == LCK_This
                      : Capture.capturesVariable() &&
                            !L->isInitCapture(&Capture) &&
                            Capture.getCaptureKind() == LCK_ByRef;
      if (!Same || (Init && !isObject(withoutCasts(Init))))
        visit(Init);
    }
    ++Closures;
    visit(L->getBody());
    --Closures;
  }

  static bool holdsPointers(const FieldDecl *F) {
    const Type *T = F->getType()->getBaseElementTypeUnsafe();
    return T->isPointerType() || T->isRecordType();
  }

  /// Is the reference member bound to the object?
  bool bound(const FieldDecl *F, const Expr *To) {
    if (!F || !F->getType()->isLValueReferenceType() || !To->isGLValue() ||
        !isPart(To, true))
      return false;
    Found.BoundTo.push_back(F);
    return true;
  }

  /// The same of a list that initialises an object.
  bool listed(const Stmt *S) {
    const auto *L = dyn_cast<InitListExpr>(S);
    if (L && L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    const auto *R = L ? L->getType()->getAsCXXRecordDecl() : nullptr;
    if (!R || R->isUnion() || R->getNumBases())
      return false;
    unsigned I = 0;
    for (const FieldDecl *F : R->fields())
      if (!F->isUnnamedBitField() && I != L->getNumInits())
        if (const Expr *Init = L->getInit(I++); !bound(F, Init))
          visit(Init);
    return true;
  }

  /// `Matrix &m = v;`: what is done with m is done with it.
  bool named(const Stmt *S) {
    const auto *D = dyn_cast<DeclStmt>(S);
    const auto *As = D && D->isSingleDecl()
                         ? dyn_cast<VarDecl>(D->getSingleDecl())
                         : nullptr;
    if (!As || !As->hasLocalStorage() || !As->hasInit() ||
        !As->getType()->isLValueReferenceType() ||
        !As->getType().getNonReferenceType()->isRecordType() ||
        !isPart(As->getInit(), true))
      return false;
    Names.push_back(As);
    return true;
  }

  /// A reference member of it names another object.
  bool refers(const Stmt *S) {
    const auto *M = dyn_cast<MemberExpr>(S);
    return M && M->getMemberDecl()->getType()->isReferenceType() &&
           M->getMemberDecl() != V &&
           (M->isArrow() ? isThis(M->getBase()) : isPart(M->getBase(), true));
  }

  bool isThis(const Expr *E) const {
    return !V && isa<CXXThisExpr>(withoutCasts(E));
  }

  /// Is it the object itself, or a pointer to it?
  bool isObject(const Expr *E) const {
    if (isa_and_nonnull<FieldDecl>(V)) {
      const auto *M = dyn_cast<MemberExpr>(E);
      return M && M->getMemberDecl() == V;
    }
    const auto *D = dyn_cast<DeclRefExpr>(E);
    if (D && llvm::is_contained(Names, D->getDecl()))
      return true;
    return V ? D && D->getDecl() == V : isa<CXXThisExpr>(E);
  }

  /// Is it the object, or a part of it? Visits the indices on the way.
  bool isPart(const Expr *E, bool Whole) {
    llvm::SmallVector<const Expr *, 2> Indices;
    for (bool Member = Whole;;) {
      E = withoutCasts(E);
      if (const auto *M = dyn_cast<MemberExpr>(E);
          M && isa<FieldDecl>(M->getMemberDecl()) &&
          !M->getMemberDecl()->getType()->isReferenceType()) {
        Member = true;
        if (M->isArrow()) {
          if (!isThis(M->getBase()))
            return false;
          break;
        }
        E = M->getBase();
      } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        const auto *Decay =
            dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
        if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
          return false;
        Indices.push_back(A->getIdx());
        E = Decay->getSubExpr();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E);
                 U && U->getOpcode() == UO_Deref && isThis(U->getSubExpr())) {
        if (!Member)
          return false;
        break;
      } else {
        if (isa<CXXThisExpr>(E) || !isObject(E) || !Member)
          return false;
        break;
      }
    }
    llvm::for_each(Indices, [&](const Expr *I) { visit(I); });
    return true;
  }

  bool assigned(const Stmt *S) {
    if (Kept.contains(S))
      return false;
    if (const auto *U = dyn_cast<UnaryOperator>(S))
      return U->isIncrementDecrementOp() &&
             isScalar(U->getSubExpr()->getType()) &&
             isPart(U->getSubExpr(), false);
    if (const auto *B = dyn_cast<BinaryOperator>(S)) {
      if (!B->isAssignmentOp() || !isScalar(B->getLHS()->getType()) ||
          !isPart(B->getLHS(), false))
        return false;
      // `p += n` stays in the same object.
      if (B->getOpcode() == BO_Assign &&
          B->getLHS()->getType()->isPointerType())
        Found.Values.push_back(B->getRHS());
      visit(B->getRHS());
      return true;
    }
    const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
    const auto *M =
        C ? dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee()) : nullptr;
    if (!M || !M->isTrivial() || C->getOperator() != OO_Equal ||
        C->getNumArgs() != 2 || !isPart(C->getArg(0), true))
      return false;
    Found.Objects.push_back(C->getArg(1));
    visit(C->getArg(1));
    return true;
  }

  /// Does the statement only take the value?
  bool read(const Stmt *S) {
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S))
      return C->getCastKind() == CK_LValueToRValue &&
             isPart(C->getSubExpr(), true);
    const auto *C = dyn_cast<CXXConstructExpr>(S);
    return C && C->getConstructor()->isTrivial() && C->getNumArgs() == 1 &&
           isPart(C->getArg(0), true);
  }

  /// Is it a number in the object, or an array of them? Whatever is done with
  /// it, no pointer is stored there that a member is read as.
  bool isNumber(const Stmt *S) {
    const auto *E = dyn_cast<Expr>(S);
    return E && E->isGLValue() &&
           E->getType()->getBaseElementTypeUnsafe()->isArithmeticType() &&
           isPart(E, false);
  }

  /// `return *this;`: what is done with it is the caller's.
  bool returned(const Stmt *S) {
    const auto *R = dyn_cast<ReturnStmt>(S);
    const Expr *E = R ? R->getRetValue() : nullptr;
    if (!E || !E->isGLValue() || !isPart(E, true))
      return false;
    (Closures ? Found.Anything : Found.Returned) = true;
    return true;
  }

  /// Is the object handed to a call, under a name of the callee's?
  bool handed(const Stmt *S, bool Dropped) {
    HeldPointers::Call Call;
    Call.Used = !Dropped;
    if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
      Call.Callee = constructorOf(C);
      Call.Arguments.append(C->arg_begin(), C->arg_end());
    } else if (const auto *C = dyn_cast<CallExpr>(S)) {
      Call = calleeOf(C);
      Call.Used = !Dropped;
      if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(Call.Callee);
          M && M->isVirtual())
        return false;
    }
    if (!Call.Callee)
      return false;
    const FunctionDecl *F = Call.Callee;
    bool Any = false;
    auto Hand = [&](std::optional<unsigned> Parameter) {
      Call.Parameter = Parameter;
      Found.Calls.push_back(Call);
      Any = true;
    };
    bool OnIt = Call.Object &&
                (isThis(Call.Object) ||
                 (Call.Object->isGLValue() && isPart(Call.Object, true)));
    if (OnIt)
      Hand(std::nullopt);
    llvm::SmallVector<const Expr *, 4> Others;
    for (unsigned I = 0; I != Call.Arguments.size(); ++I) {
      const Expr *A = Call.Arguments[I];
      if (I < F->getNumParams() &&
          F->getParamDecl(I)->getType()->isLValueReferenceType() &&
          A->isGLValue() && isPart(A, true))
        Hand(I);
      else
        Others.push_back(A);
    }
    if (!Any)
      return false;
    if (Call.Object && !OnIt)
      visit(Call.Object);
    for (const Expr *A : Others)
      visit(A);
    return true;
  }
};

} // namespace

HeldPointers::Call calleeOf(const CallExpr *C) {
  HeldPointers::Call To;
  To.Callee = C->getDirectCallee();
  To.Arguments.append(C->arg_begin(), C->arg_end());
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
    To.Object = M->getImplicitObjectArgument();
  } else if (argumentsBefore(C)) {
    To.Object = To.Arguments.front();
    To.Arguments.erase(To.Arguments.begin());
  }
  return To;
}

HeldPointers heldPointers(const ValueDecl *V, const FunctionDecl *F) {
  Mentions M(V, F);
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  const CXXRecordDecl *R =
      V        ? V->getType().getNonReferenceType()->getAsCXXRecordDecl()
      : Method ? Method->getParent()
               : nullptr;
  if (hasUnion(R)) {
    M.Found.Anything = true;
    return std::move(M.Found);
  }
  M.visit(F->getBody());
  if (const auto *K = dyn_cast<CXXConstructorDecl>(F)) {
    M.initialisers(K);
    if (!V)
      M.made(K);
  }
  return std::move(M.Found);
}

} // namespace kpipe
