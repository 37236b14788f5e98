// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a function's body, see FunctionNames.h. A mention that is none
// of the plain uses known here makes another name.

#include "FunctionNames.h"
#include "Code/AstUtils.h"
#include "KeptPlaces.h"
#include "StorageRoots.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

const VarDecl *namedVariable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

const FieldDecl *referenceMember(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens());
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  return F && F->getType()->isReferenceType() ? F : nullptr;
}

const Expr *baseOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E);
        M && !M->isArrow() && !referenceMember(M))
      E = M->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      const auto *C = dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
      if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
        return E;
      E = C->getSubExpr();
    } else
      return E;
  }
}

static const Expr *withoutUpcasts(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<CastExpr>(E)) {
    if (!isa<ImplicitCastExpr, CXXConstCastExpr>(C) ||
        (C->getCastKind() != CK_NoOp && C->getCastKind() != CK_DerivedToBase &&
         C->getCastKind() != CK_UncheckedDerivedToBase))
      break;
    E = C->getSubExpr()->IgnoreParens();
  }
  return E;
}

const Expr *ownerOf(const Expr *E) {
  for (;;) {
    E = withoutUpcasts(baseOf(withoutUpcasts(E)));
    if (referenceMember(E))
      return E;
    const Expr *Pointer = nullptr;
    if (const auto *M = dyn_cast<MemberExpr>(E); M && M->isArrow())
      Pointer = M->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref)
      Pointer = U->getSubExpr();
    if (Pointer)
      E = withoutUpcasts(Pointer);
    if (isa<CXXThisExpr>(E) || (!Pointer && isa<DeclRefExpr>(E)))
      return E;
    if (Pointer || !isa<MemberExpr, ArraySubscriptExpr>(E))
      return nullptr;
    if (baseOf(E) == E)
      return nullptr;
  }
}

namespace {

/// Notes what pointers are given, and mentions that make another name.
struct NameFinder : ConstDynamicRecursiveASTVisitor {
  FunctionNames Found;
  llvm::SmallPtrSet<const Expr *, 32> Plain;
  llvm::SmallPtrSet<const VarDecl *, 4> Copied; ///< into closures

  /// `a` of `&(a = 0)`: what is set is the result, and has a name from there.
  llvm::SmallPtrSet<const Stmt *, 32> Kept;

  NameFinder() { ShouldVisitImplicitCode = true; }

  bool VisitStmt(const Stmt *S) override {
    for (const Stmt *Child : S->children())
      if (Child && keepsPlace(S, Child, Kept.count(S)))
        Kept.insert(Child);
    return true;
  }

  llvm::SmallPtrSet<const Expr *, 16> HandedOver; ///< mentions in calls
  unsigned Closures = 0;

  void plain(const Expr *E) {
    if (const Expr *B = baseOf(E); isa<DeclRefExpr>(B))
      Plain.insert(B);
    if (const Expr *B = ownerOf(E);
        B && (isa<CXXThisExpr>(B) || referenceMember(B)))
      Plain.insert(B);
  }
  /// Has the object a name that is followed?
  bool isKnown(const Expr *Owner) const {
    return Owner && (isa<CXXThisExpr>(Owner) || referenceMember(Owner) ||
                     namedVariable(Owner));
  }
  const ValueDecl *variableOf(const Expr *Owner) const {
    if (const FieldDecl *F = referenceMember(Owner))
      return F;
    return isa<CXXThisExpr>(Owner) ? nullptr : object(namedVariable(Owner));
  }
  /// Local references to objects of classes, each with what it is a part of.
  llvm::DenseMap<const VarDecl *, const ValueDecl *> References;
  const ValueDecl *object(const VarDecl *V) const {
    auto It = References.find(V);
    return It == References.end() ? V : It->second;
  }
  /// `Matrix &m = v;`: what is done with m is done with v.
  void refer(const VarDecl *V) {
    const Expr *Owner =
        V->hasLocalStorage() && V->hasInit() && !isa<ParmVarDecl>(V) &&
                V->getType()->isLValueReferenceType() &&
                V->getType().getNonReferenceType()->isRecordType() &&
                V->getInit()->isGLValue()
            ? ownerOf(V->getInit())
            : nullptr;
    if (!isKnown(Owner))
      return;
    References[V] = variableOf(Owner);
    HandedOver.insert(Owner);
  }
  /// A reference member that is bound to a part of something.
  void bind(const FieldDecl *F, const Expr *To) {
    if (!F->getType()->isLValueReferenceType() || !To->isGLValue())
      return;
    if (const Expr *Owner = ownerOf(To); isKnown(Owner)) {
      Found.BoundTo[variableOf(Owner)].push_back(F);
      HandedOver.insert(Owner);
    }
  }
  void hand(const Expr *At, const Expr *Object, int Parameter) {
    const Expr *Owner = Object->getType()->isPointerType()
                            ? withoutUpcasts(Object)
                            : ownerOf(Object);
    if (!isKnown(Owner) ||
        (Object->getType()->isPointerType() && !isa<CXXThisExpr>(Owner)))
      return;
    Found.Handed[variableOf(Owner)].push_back({At, Parameter});
    HandedOver.insert(Owner);
  }
  void handArguments(const Expr *At, const FunctionDecl *F,
                     llvm::ArrayRef<const Expr *> Args) {
    for (unsigned I = 0; I != Args.size() && I < F->getNumParams(); ++I)
      if (F->getParamDecl(I)->getType()->isReferenceType() &&
          Args[I]->isGLValue())
        hand(At, Args[I], I);
  }
  void dropped(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (const auto *F = dyn_cast_or_null<FullExpr>(E))
      E = F->getSubExpr();
    if (E)
      Found.Dropped.insert(E);
  }
  bool VisitCompoundStmt(const CompoundStmt *C) override {
    for (const Stmt *S : C->body())
      dropped(S);
    return true;
  }
  bool VisitForStmt(const ForStmt *F) override {
    dropped(F->getInc());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
    if (!F || (M && M->isVirtual()))
      return true;
    if (const Expr *On = objectOf(C);
        On && !(M && M->isTrivial() && Kept.count(On)))
      hand(C, On, -1);
    handArguments(C, F, argumentsOf(C));
    return true;
  }
  bool VisitReturnStmt(const ReturnStmt *R) override {
    const Expr *E = R->getRetValue();
    const Expr *Owner = E && E->isGLValue() && !Closures ? ownerOf(E) : nullptr;
    if (isKnown(Owner)) {
      Found.Returned.insert(variableOf(Owner));
      HandedOver.insert(Owner);
    }
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    ++Closures;
    bool Go = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(L);
    --Closures;
    return Go;
  }
  /// The object that the reference belongs to is given nothing by that, and
  /// what is done with the object it names is looked at under that name.
  bool VisitMemberExpr(const MemberExpr *M) override {
    const FieldDecl *F = referenceMember(M);
    if (!F)
      return true;
    const Expr *Base = withoutUpcasts(M->getBase());
    const Expr *Of = M->isArrow() && !isa<CXXThisExpr>(Base) ? nullptr
                     : M->isArrow()                          ? Base
                                                             : ownerOf(Base);
    if (Of)
      HandedOver.insert(Of);
    if (!Plain.count(M) && !HandedOver.count(M))
      Found.Escaped.insert(F);
    return true;
  }
  /// A number in an object: nothing is stored there that is a pointer's.
  bool VisitExpr(const Expr *E) override {
    if (isa<MemberExpr, ArraySubscriptExpr>(E) && E->isGLValue() &&
        E->getType()->getBaseElementTypeUnsafe()->isArithmeticType())
      if (const Expr *Owner = ownerOf(E))
        HandedOver.insert(Owner);
    return true;
  }
  bool VisitCXXThisExpr(const CXXThisExpr *T) override {
    if (!Plain.count(T) && !HandedOver.count(T))
      Found.Escaped.insert(nullptr);
    return true;
  }

  /// What a constructor gives to the object that it makes.
  void made(const CXXConstructorDecl *K) {
    for (const CXXCtorInitializer *I : K->inits()) {
      const Expr *Init = I->getInit();
      const FieldDecl *F = I->getAnyMember();
      if (!Init)
        continue;
      QualType T = F ? F->getType() : Init->getType();
      if (T->isReferenceType())
        Found.Bound[F] = Init;
      else if (T->isPointerType() || T->isRecordType())
        Found.Holds[nullptr].push_back(Init);
      else if (!T->getBaseElementTypeUnsafe()->isArithmeticType() &&
               !T->isEnumeralType())
        Found.Escaped.insert(nullptr);
    }
  }

  bool VisitVarDecl(const VarDecl *V) override {
    refer(V);
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Found.Given[V].push_back(V->getInit());
    // A reference may be the name of an object without another one.
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        V->getType().getNonReferenceType()->isRecordType())
      Found.Holds[V].push_back(V->getInit());
    return true;
  }
  /// A part of a variable of class type is given a value.
  void holds(const Expr *Part, const Expr *Value) {
    const VarDecl *V = namedVariable(baseOf(Part));
    if (V && V->getType().getNonReferenceType()->isRecordType())
      Found.Holds[object(V)].push_back(Value);
    if (const Expr *Owner = ownerOf(Part);
        Owner && (isa<CXXThisExpr>(Owner) || referenceMember(Owner)))
      Found.Holds[variableOf(Owner)].push_back(Value);
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (!B->isAssignmentOp())
      return true;
    if (!Kept.count(B))
      plain(B->getLHS());
    if (B->getOpcode() == BO_Assign && B->getType()->isPointerType())
      holds(B->getLHS(), B->getRHS());
    if (const VarDecl *V = namedVariable(B->getLHS());
        V && B->getOpcode() == BO_Assign && V->getType()->isPointerType())
      Found.Given[V].push_back(B->getRHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp() && !Kept.count(U))
      plain(U->getSubExpr());
    return true;
  }
  bool VisitCastExpr(const CastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      plain(C->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    if (C->getConstructor()->isTrivial())
      for (const Expr *A : Args)
        plain(A->IgnoreImpCasts());
    else
      handArguments(C, constructorOf(C), Args);
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *C) override {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    if (M && M->isTrivial() && C->getOperator() == OO_Equal) {
      for (const Expr *A : C->arguments())
        if (!Kept.count(A))
          plain(A->IgnoreImpCasts());
      holds(C->getArg(0), C->getArg(1));
    }
    return true;
  }
  // A closure names what it captures itself, and that is looked at; what it
  // copies is read when it is made.
  bool VisitLambdaExpr(const LambdaExpr *L) override {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits()))
      if (Capture.capturesThis() && Capture.getCaptureKind() == LCK_This)
        HandedOver.insert(Init); // what is done with it is seen in the body
      else if (Capture.capturesVariable() && !L->isInitCapture(&Capture) &&
               Init) {
        const Expr *From = Init->IgnoreParenImpCasts();
        if (const auto *C = dyn_cast<CXXConstructExpr>(From);
            C && C->getConstructor()->isTrivial() && C->getNumArgs() == 1)
          From = C->getArg(0)->IgnoreParenImpCasts();
        if (const VarDecl *V = namedVariable(From)) {
          Plain.insert(From);
          if (Capture.getCaptureKind() == LCK_ByCopy)
            Copied.insert(V);
          else {
            Found.Renamed.insert(V);
            Found.Escaped.insert(object(V));
          }
        }
      }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    bool Captured =
        V && D->refersToEnclosingVariableOrCapture() && !Copied.count(V);
    if (V && (!Plain.count(D) || Captured)) {
      Found.Renamed.insert(V);
      if (!HandedOver.count(D) || Captured)
        Found.Escaped.insert(object(V));
      if (V->getType()->isPointerType() && !Plain.count(D))
        Found.Given[V].push_back(nullptr);
    }
    return true;
  }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    const auto *R = L->getType()->getAsCXXRecordDecl();
    if (R && !R->isUnion() && !R->getNumBases()) {
      unsigned I = 0;
      for (const FieldDecl *F : R->fields())
        if (!F->isUnnamedBitField() && I != L->getNumInits())
          bind(F, L->getInit(I++));
    }
    return llvm::all_of(L->children(), [&](const Stmt *Child) {
      Kept.insert(Child);
      return TraverseStmt(Child);
    });
  }
};

} // namespace

FunctionNames namesIn(const FunctionDecl *F) {
  NameFinder N;
  if (const auto *K = dyn_cast<CXXConstructorDecl>(F)) {
    for (const CXXCtorInitializer *I : K->inits()) {
      if (const FieldDecl *F = I->getAnyMember(); F && I->getInit())
        N.bind(F, I->getInit());
      N.Kept.insert(I->getInit());
      N.TraverseStmt(I->getInit());
    }
    N.made(K);
  }
  N.TraverseStmt(F->getBody());
  return std::move(N.Found);
}

} // namespace kpipe
