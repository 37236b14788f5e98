// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lvalues and pointers by the kind of expression, see StorageResolver.h. A
// pointer variable is what it is given anywhere in its function.
#include "StorageResolver.h"
#include "Code/Initialisers.h"
#include "ObjectPointers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxSteps = 2000;

struct Returns : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const Expr *, 2> Values;
  bool VisitReturnStmt(const ReturnStmt *R) override {
    if (R->getRetValue())
      Values.push_back(R->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

bool hasMutable(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return R && R->hasDefinition() && R->hasMutableFields();
}

} // namespace

void add(Storages &To, const Storages &From) {
  for (const Storage &P : From)
    if (!llvm::is_contained(To, P))
      To.push_back(P);
}

bool StorageResolver::spent() { return ++Steps > MaxSteps; }

const CallFrame *StorageResolver::frameOf(const VarDecl *V,
                                          const CallFrame &In) {
  for (const CallFrame *F = &In; F; F = F->Caller)
    if (V->getDeclContext() == F->Function)
      return F;
  return nullptr;
}

const Expr *StorageResolver::argument(const ParmVarDecl *P,
                                      const CallFrame &In) {
  unsigned I = P->getFunctionScopeIndex();
  return In.Caller && I < In.Arguments.size() ? In.Arguments[I] : nullptr;
}

Storages StorageResolver::ofReference(const VarDecl *V, const CallFrame &In) {
  const CallFrame *Home = frameOf(V, In);
  if (const VarDecl *Part = Home ? Home->partOf(V) : nullptr)
    return {{Storage::Kind::Shared, Part}};
  if (!Home || llvm::is_contained(Open, Variable{V, Home}))
    return unknownStorage();
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    if (const Expr *A = argument(P, *Home))
      return lvalue(A, *Home->Caller);
    if (Home->Caller || Home->Function->hasAttr<CUDAGlobalAttr>() ||
        !Home->Index)
      return unknownStorage();
    if (isCallersLocal(P, *Home) || bindsLocal(P, *Home)) {
      Storage Own;
      Own.Where = Storage::Kind::Local;
      Own.Var = P;
      return {Own};
    }
    Storages Found = parameter(P, *Home);
    return llvm::all_of(Found,
                        [](const Storage &Q) {
                          return Q.Where == Storage::Kind::Shared;
                        })
               ? Found
               : unknownStorage();
  }
  if (!V->hasInit())
    return unknownStorage();
  Open.push_back({V, Home});
  Storages Found = lvalue(V->getInit(), *Home);
  Open.pop_back();
  return Found;
}

/// A variable that a closure captured in a function which is not one of the
/// frames, as it was handed to one of them from outside.
static bool isForeign(const VarDecl *V, const CallFrame &In) {
  const CallFrame *F = &In;
  for (; V->getDeclContext() != F->Function; F = F->Caller)
    if (!F->Caller) {
      // The loop of a closure is among the variables of the function around it.
      const auto *M = dyn_cast<CXXMethodDecl>(F->Function);
      return !M || !M->getParent()->isLambda();
    }
  return false;
}

Storages StorageResolver::ofVariable(const VarDecl *V, const CallFrame &In,
                                     const DeclRefExpr *Mention) {
  if (V->getType()->isReferenceType())
    return ofReference(V, In);
  if (Mention && Mention->refersToEnclosingVariableOrCapture())
    if (const auto *M = dyn_cast<CXXMethodDecl>(In.Function);
        M && M->getParent()->isLambda())
      for (const LambdaCapture &C : M->getParent()->captures())
        if (C.capturesVariable() && C.getCapturedVar() == V &&
            C.getCaptureKind() == LCK_ByCopy)
          // The closure's own copy, which changes only where it is mutable.
          return M->isConst() ? Storages{} : unknownStorage();
  if (V->hasLocalStorage() && isForeign(V, In))
    return unknownStorage();
  Storage P;
  P.Var = V;
  P.Mention = Mention;
  if (V->hasAttr<CUDASharedAttr>())
    P.Where = Storage::Kind::Shared;
  else if (V->hasAttr<CUDAConstantAttr>() ||
           (V->hasGlobalStorage() && V->getType().isConstQualified() &&
            !hasMutable(V->getType())))
    return {};
  else if (V->hasGlobalStorage())
    P.Where = Storage::Kind::Device;
  else
    P.Where = Storage::Kind::Local;
  return {P};
}

Storages StorageResolver::pointerVariable(const VarDecl *V,
                                          const CallFrame &In) {
  if (V->hasGlobalStorage() && !V->isStaticLocal()) {
    Storage P;
    P.Where = isInitialisedElsewhere(V) ? Storage::Kind::Unknown
                                        : Storage::Kind::AnyGlobal;
    return {P};
  }
  const CallFrame *Home = frameOf(V, In);
  if (!Home)
    return unknownStorage();
  if (const VarDecl *Part = Home->partOf(V))
    return {{Storage::Kind::Shared, Part}};
  if (llvm::is_contained(Open, Variable{V, Home}))
    return {};
  Storages Found;
  Open.push_back({V, Home});
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    if (const Expr *A = argument(P, *Home))
      add(Found, pointer(A, *Home->Caller));
    else
      add(Found, Home->Caller ? unknownStorage() : parameter(P, *Home));
  }
  const FunctionNames &Names = Home->Index->namesOf(Home->Function);
  auto It = Names.Given.find(V);
  if (It != Names.Given.end())
    for (const Expr *E : It->second)
      add(Found, E ? pointer(E, *Home) : unknownStorage());
  else if (!isa<ParmVarDecl>(V))
    Found = unknownStorage();
  Open.pop_back();
  // A promise of the function's outermost block holds as long as the loop runs.
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Home->Function->getBody());
  bool Outermost = Body && llvm::any_of(Body->body(), [&](const Stmt *S) {
                     const auto *D = dyn_cast<DeclStmt>(S);
                     return D && llvm::is_contained(D->decls(), V);
                   });
  if (Outermost && !Home->Caller && V->getType().isRestrictQualified()) {
    Storage P;
    P.Where = Storage::Kind::Pointee;
    P.Var = V;
    P.Restrict = true;
    P.Global = llvm::all_of(Found, [](const Storage &Q) {
      return Q.Global || Q.Where == Storage::Kind::Device ||
             Q.Where == Storage::Kind::AnyGlobal;
    });
    return {P};
  }
  return Found;
}

Storages StorageResolver::returned(
    const CallExpr *C, const CallFrame &In,
    llvm::function_ref<Storages(const Expr *, const CallFrame &)> Of) {
  const FunctionDecl *Definition = nullptr, *F = C->getDirectCallee();
  if (!F || !F->hasBody(Definition) || In.Depth >= MaxDepth ||
      In.calls(Definition))
    return unknownStorage();
  auto Args = argumentsOf(C);
  CallFrame Callee{Definition, &In, Args, objectOf(C), In.Index, In.Depth + 1};
  Returns R;
  R.TraverseStmt(Definition->getBody());
  Storages Found;
  for (const Expr *E : R.Values)
    add(Found, Of(E, Callee));
  // All may be values made for the call: `std::min(k + 1, n - 1)`.
  const bool None = Found.empty() && (!C->isGLValue() || R.Values.empty());
  return None ? unknownStorage() : Found;
}

Storages StorageResolver::lvalue(const Expr *E, const CallFrame &In) {
  if (spent())
    return unknownStorage();
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      return B->getBinding() ? lvalue(B->getBinding(), In) : unknownStorage();
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? ofVariable(V, In, D) : Storages{};
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return A->getBase()->getType()->isPointerType() ? pointer(A->getBase(), In)
                                                    : lvalue(A->getBase(), In);
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(M->getMemberDecl()))
      return ofVariable(Static, In);
    if (const FieldDecl *F = referenceMember(M))
      return ObjectPointers(*this, F).bound(M, In);
    if (M->isArrow() && isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
      if (const CallFrame *Of = frameOfThis(In); Of && !Of->Caller) {
        Storages Own = ofThis(In);
        for (Storage &P : Own)
          P.Field = P.Where == Storage::Kind::Local
                        ? dyn_cast<FieldDecl>(M->getMemberDecl())
                        : nullptr;
        return Own;
      }
    return M->isArrow() ? pointer(M->getBase(), In) : lvalue(M->getBase(), In);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref ? pointer(U->getSubExpr(), In)
                                      : lvalue(U->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->isGLValue() || C->getSubExpr()->isGLValue()
               ? lvalue(C->getSubExpr(), In)
               : Storages{};
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->getOpcode() == BO_PtrMemD)
      return lvalue(B->getLHS(), In);
    if (B->getOpcode() == BO_PtrMemI)
      return pointer(B->getLHS(), In);
    return lvalue(B->getOpcode() == BO_Comma ? B->getRHS() : B->getLHS(), In);
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Storages Found = lvalue(C->getTrueExpr(), In);
    add(Found, lvalue(C->getFalseExpr(), In));
    return Found;
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
    if (M->getSubExpr()->isGLValue())
      return lvalue(M->getSubExpr(), In);
    // A reference that prolongs its life is its name.
    const auto *Name = dyn_cast_or_null<VarDecl>(M->getExtendingDecl());
    if (!Name)
      return lvalue(M->getSubExpr(), In);
    if (!Name->hasLocalStorage() || !Name->getType()->isReferenceType())
      return unknownStorage();
    Storage P;
    P.Where = Storage::Kind::Local;
    P.Var = Name;
    return {P};
  }
  if (const auto *F = dyn_cast<FullExpr>(E))
    return lvalue(F->getSubExpr(), In);
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? lvalue(O->getSourceExpr(), In)
                              : unknownStorage();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return lvalue(S->getReplacement(), In);
  if (isa<CompoundLiteralExpr>(E)) // a pointer to it may be kept
    return unknownStorage();
  if (!E->isGLValue() || isa<StringLiteral, PredefinedExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CallExpr>(E))
    return returned(C, In, [this](const Expr *Value, const CallFrame &Callee) {
      return lvalue(Value, Callee);
    });
  return unknownStorage();
}

Storages StorageResolver::pointerOfCast(const CastExpr *C,
                                        const CallFrame &In) {
  const Expr *Sub = C->getSubExpr();
  switch (C->getCastKind()) {
  case CK_ArrayToPointerDecay:
    return lvalue(Sub, In);
  case CK_NullToPointer:
    return {};
  case CK_IntegralToPointer:
    return unknownStorage();
  case CK_UserDefinedConversion: // a call of what converts
    return isa<CXXMemberCallExpr>(Sub->IgnoreParens()) &&
                   Sub->getType()->isPointerType()
               ? pointer(Sub, In)
               : unknownStorage();
  case CK_LValueToRValue: {
    Sub = Sub->IgnoreParens();
    if (const VarDecl *V = namedVariable(Sub);
        V && V->getType()->isPointerType())
      return pointerVariable(V, In);
    const auto *M = dyn_cast<MemberExpr>(Sub);
    const auto *F =
        M && !M->isArrow() ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
    return F ? ObjectPointers(*this).loaded(M->getBase(), F, In)
             : ObjectPointers(*this).loaded(Sub, nullptr, In);
  }
  default:
    return Sub->isGLValue() && !Sub->getType()->isPointerType()
               ? unknownStorage()
               : pointer(Sub, In);
  }
}

Storages StorageResolver::pointerOfUnary(const UnaryOperator *U,
                                         const CallFrame &In) {
  if (U->getOpcode() == UO_AddrOf)
    return lvalue(U->getSubExpr(), In);
  if (U->isIncrementDecrementOp())
    if (const VarDecl *V = namedVariable(U->getSubExpr()))
      return pointerVariable(V, In);
  return unknownStorage();
}

Storages StorageResolver::pointerOfBinary(const BinaryOperator *B,
                                          const CallFrame &In) {
  if (B->isAssignmentOp()) {
    const VarDecl *V = namedVariable(B->getLHS());
    return V ? pointerVariable(V, In) : unknownStorage();
  }
  if (B->getOpcode() == BO_Comma)
    return pointer(B->getRHS(), In);
  if (B->isAdditiveOp())
    return pointer(B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                           : B->getRHS(),
                   In);
  return unknownStorage();
}

Storages StorageResolver::pointer(const Expr *E, const CallFrame &In) {
  if (spent())
    return unknownStorage();
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return pointerOfCast(C, In);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return pointerOfUnary(U, In);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return pointerOfBinary(B, In);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Storages Found = pointer(C->getTrueExpr(), In);
    add(Found, pointer(C->getFalseExpr(), In));
    return Found;
  }
  if (E->isGLValue()) {
    // A pointer variable that a reference is bound to, or one that is assigned.
    if (const VarDecl *V = namedVariable(E); V && V->getType()->isPointerType())
      return pointerVariable(V, In);
    if (E->getType()->isArrayType())
      return lvalue(E, In);
    return unknownStorage();
  }
  if (const auto *F = dyn_cast<FullExpr>(E))
    return pointer(F->getSubExpr(), In);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return pointer(M->getSubExpr(), In);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return pointer(S->getReplacement(), In);
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? pointer(O->getSourceExpr(), In)
                              : unknownStorage();
  if (isa<CXXThisExpr>(E))
    return ofThis(In);
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, ImplicitValueInitExpr,
          CXXScalarValueInitExpr>(E))
    return {};
  if (const auto *L = dyn_cast<InitListExpr>(E); L && L->getNumInits() <= 1)
    return L->getNumInits() ? pointer(L->getInit(0), In) : Storages{};
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return pointer(D->getExpr(), In);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return pointer(D->getExpr(), In);
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getBuiltinID() && C->getNumArgs() &&
        F->getName() == "__builtin_assume_aligned")
      return pointer(C->getArg(0), In);
    return returned(C, In, [this](const Expr *Value, const CallFrame &Callee) {
      return pointer(Value, Callee);
    });
  }
  return unknownStorage();
}

} // namespace kpipe
