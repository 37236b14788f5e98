// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage by a short walk over pointers, see StorageRoots.h.

#include "StorageRoots.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxDepth = 8;
constexpr unsigned MaxSteps = 2000;

void add(Storages &To, const Storages &From) {
  for (const Storage &P : From)
    if (!llvm::is_contained(To, P))
      To.push_back(P);
}

Storages unknown() { return {Storage()}; }

const VarDecl *variable(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

struct CallFinder : RecursiveASTVisitor<CallFinder> {
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<CodeIndex::Call, 2>>
      Calls;
  llvm::DenseSet<const FunctionDecl *> Hidden;
  llvm::DenseSet<const CXXRecordDecl *> HandedOut;
  bool KeepsPointers = false;
  const FunctionDecl *Current = nullptr;
  llvm::SmallPtrSet<const Expr *, 32> Called;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseFunctionDecl(FunctionDecl *F) {
    return in(F, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(F); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) {
    // An overrider is called by the name of what it overrides.
    if (F->isVirtual())
      Hidden.insert(F->getCanonicalDecl());
    return in(F, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(F); });
  }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *F) {
    return in(
        F, [&] { return RecursiveASTVisitor::TraverseCXXConstructorDecl(F); });
  }
  // It is called where nobody writes a call.
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *F) {
    Hidden.insert(F->getCanonicalDecl());
    return in(
        F, [&] { return RecursiveASTVisitor::TraverseCXXDestructorDecl(F); });
  }
  bool TraverseCXXConversionDecl(CXXConversionDecl *F) {
    return in(
        F, [&] { return RecursiveASTVisitor::TraverseCXXConversionDecl(F); });
  }
  bool VisitCallExpr(CallExpr *C) {
    Called.insert(C->getCallee()->IgnoreParenImpCasts());
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    Calls[F->getCanonicalDecl()].push_back({C, Current});
    // A closure becomes a pointer to a function.
    if (const auto *To = dyn_cast<CXXConversionDecl>(F))
      if (To->getParent()->isLambda())
        HandedOut.insert(To->getParent()->getCanonicalDecl());
    // A library calls members of what it is given; its calls are not read.
    if (F->getASTContext().getSourceManager().isInSystemHeader(
            F->getLocation()))
      for (const Expr *A : C->arguments()) {
        QualType T = A->getType();
        if (T->isPointerType())
          T = T->getPointeeType();
        if (const auto *R = T->getAsCXXRecordDecl())
          HandedOut.insert(R->getCanonicalDecl());
      }
    return true;
  }
  /// A pointer is stored where it outlives the variables of a function.
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->getOpcode() != BO_Assign || !B->getType()->isPointerType() || !onDevice())
      return true;
    const Expr *To = B->getLHS()->IgnoreParens();
    while (const auto *M = dyn_cast<MemberExpr>(To)) {
      if (M->isArrow())
        break;
      To = M->getBase()->IgnoreParens();
    }
    const VarDecl *V = variable(To);
    KeepsPointers |= !V || !V->hasLocalStorage() || V->getType()->isReferenceType();
    return true;
  }
  bool onDevice() const {
    return Current && (Current->hasAttr<CUDAGlobalAttr>() ||
                       Current->hasAttr<CUDADeviceAttr>());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
      if (!Called.count(D))
        Hidden.insert(F->getCanonicalDecl());
    return true;
  }

private:
  template <typename Body> bool in(FunctionDecl *F, Body Traverse) {
    if (F->isDependentContext())
      return true;
    const FunctionDecl *Outer = Current;
    Current = F;
    bool Continue = Traverse();
    Current = Outer;
    return Continue;
  }
};

/// Notes what pointers are given, and mentions that make another name.
struct NameFinder : RecursiveASTVisitor<NameFinder> {
  FunctionNames Found;
  llvm::SmallPtrSet<const Expr *, 32> Plain;
  llvm::SmallPtrSet<const VarDecl *, 4> Copied; ///< into closures

  bool shouldVisitImplicitCode() const { return true; }

  /// The variable whose storage E is a part of, by its own name.
  static const Expr *base(const Expr *E) {
    for (;;) {
      E = E->IgnoreParens();
      if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
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
  void plain(const Expr *E) {
    if (const Expr *B = base(E); isa<DeclRefExpr>(B))
      Plain.insert(B);
  }

  bool VisitVarDecl(VarDecl *V) {
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Found.Given[V].push_back(V->getInit());
    if (V->hasInit() && !isa<ParmVarDecl>(V) && V->getType()->isRecordType())
      Found.Holds[V].push_back(V->getInit());
    return true;
  }
  /// A part of a variable of class type is given a value.
  void holds(const Expr *Part, const Expr *Value) {
    const VarDecl *V = variable(base(Part));
    if (V && V->getType()->isRecordType())
      Found.Holds[V].push_back(Value);
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (!B->isAssignmentOp())
      return true;
    plain(B->getLHS());
    if (B->getOpcode() == BO_Assign && B->getType()->isPointerType())
      holds(B->getLHS(), B->getRHS());
    if (const VarDecl *V = variable(B->getLHS());
        V && B->getOpcode() == BO_Assign && V->getType()->isPointerType())
      Found.Given[V].push_back(B->getRHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp())
      plain(U->getSubExpr());
    return true;
  }
  bool VisitCastExpr(CastExpr *C) {
    if (C->getCastKind() == CK_LValueToRValue)
      plain(C->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    if (C->getConstructor()->isTrivial())
      for (const Expr *A : C->arguments())
        plain(A->IgnoreImpCasts());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *C) {
    const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    if (M && M->isTrivial() && C->getOperator() == OO_Equal) {
      for (const Expr *A : C->arguments())
        plain(A->IgnoreImpCasts());
      holds(C->getArg(0), C->getArg(1));
    }
    return true;
  }
  // A closure names what it captures itself, and that is looked at; what it
  // copies is read when it is made.
  bool VisitLambdaExpr(LambdaExpr *L) {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits()))
      if (Capture.capturesVariable() && !L->isInitCapture(&Capture) && Init) {
        const Expr *From = Init->IgnoreParenImpCasts();
        if (const auto *C = dyn_cast<CXXConstructExpr>(From);
            C && C->getConstructor()->isTrivial() && C->getNumArgs() == 1)
          From = C->getArg(0)->IgnoreParenImpCasts();
        if (const VarDecl *V = variable(From)) {
          Plain.insert(From);
          if (Capture.getCaptureKind() == LCK_ByCopy)
            Copied.insert(V);
          else
            Found.Renamed.insert(V);
        }
      }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    bool Captured =
        V && D->refersToEnclosingVariableOrCapture() && !Copied.count(V);
    if (V && (!Plain.count(D) || Captured)) {
      Found.Renamed.insert(V);
      if (V->getType()->isPointerType() && !Plain.count(D))
        Found.Given[V].push_back(nullptr);
    }
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(InitListExpr *L) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    return llvm::all_of(L->children(),
                        [&](Stmt *Child) { return TraverseStmt(Child); });
  }
};

struct Returns : RecursiveASTVisitor<Returns> {
  llvm::SmallVector<const Expr *, 2> Values;
  bool VisitReturnStmt(ReturnStmt *R) {
    if (R->getRetValue())
      Values.push_back(R->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

bool hasMutable(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return R && R->hasDefinition() && R->hasMutableFields();
}

/// One member may be read as another.
bool mayOverlay(const CXXRecordDecl *R) {
  if (!R || !R->hasDefinition() || R->isUnion())
    return true;
  return llvm::any_of(R->bases(),
                      [](const CXXBaseSpecifier &B) {
                        return mayOverlay(B.getType()->getAsCXXRecordDecl());
                      }) ||
         llvm::any_of(R->fields(), [](const FieldDecl *F) {
           const Type *T = F->getType()->getBaseElementTypeUnsafe();
           return T->isReferenceType() ||
                  (T->isRecordType() && mayOverlay(T->getAsCXXRecordDecl()));
         });
}

class Resolver {
public:
  Storages lvalue(const Expr *E, const Frame &In);
  Storages pointer(const Expr *E, const Frame &In);

private:
  unsigned Steps = 0;
  llvm::SmallVector<const VarDecl *, 8> Open; ///< pointers being resolved

  Storages ofVariable(const VarDecl *V, const Frame &In,
                      const DeclRefExpr *Mention = nullptr);
  Storages pointerVariable(const VarDecl *V, const Frame &In);
  Storages parameter(const ParmVarDecl *P, const Frame &In);
  Storages loaded(const Expr *From, const FieldDecl *F, const Frame &In);
  Storages held(const VarDecl *V, const Frame &Home);
  Storages object(const Expr *Value, const Frame &In);
  template <typename Each>
  Storages returned(const CallExpr *C, const Frame &In, Each Of);

  /// The frame that V is a variable of.
  static const Frame *frameOf(const VarDecl *V, const Frame &In) {
    for (const Frame *F = &In; F; F = F->Caller)
      if (V->getDeclContext() == F->Function)
        return F;
    return nullptr;
  }
  static const Expr *argument(const ParmVarDecl *P, const Frame &In) {
    unsigned I = P->getFunctionScopeIndex();
    return In.Caller && I < In.Arguments.size() ? In.Arguments[I] : nullptr;
  }
};

Storages Resolver::ofVariable(const VarDecl *V, const Frame &In,
                              const DeclRefExpr *Mention) {
  if (V->getType()->isReferenceType()) {
    const Frame *Home = frameOf(V, In);
    if (!Home || llvm::is_contained(Open, V))
      return unknown();
    if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
      const Expr *A = argument(P, *Home);
      return A ? lvalue(A, *Home->Caller) : unknown();
    }
    if (!V->hasInit())
      return unknown();
    Open.push_back(V);
    Storages Found = lvalue(V->getInit(), *Home);
    Open.pop_back();
    return Found;
  }
  if (Mention && Mention->refersToEnclosingVariableOrCapture())
    if (const auto *M = dyn_cast<CXXMethodDecl>(In.Function);
        M && M->getParent()->isLambda())
      for (const LambdaCapture &C : M->getParent()->captures())
        if (C.capturesVariable() && C.getCapturedVar() == V &&
            C.getCaptureKind() == LCK_ByCopy)
          // The closure's own copy, which changes only where it is mutable.
          return M->isConst() ? Storages{} : unknown();
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

/// What a pointer parameter of the outermost function can be.
Storages Resolver::parameter(const ParmVarDecl *V, const Frame &In) {
  Storage P;
  P.Where = Storage::Kind::Pointee;
  P.Var = V;
  P.Restrict = V->getType().isRestrictQualified();
  P.Global = true;
  const auto *F = In.Function;
  if (F->hasAttr<CUDAGlobalAttr>() || !In.Index)
    return {P};
  if (In.Index->hidden(F) || In.Depth >= MaxDepth)
    P.Global = false;
  Storages Found{P};
  if (In.Depth >= MaxDepth)
    return Found;
  for (const CodeIndex::Call &C : In.Index->callsOf(F)) {
    auto Args = argumentsOf(C.At);
    unsigned I = V->getFunctionScopeIndex();
    if (!C.In || I >= Args.size() || C.In == F) {
      Found[0].Global = false;
      continue;
    }
    Frame Outer;
    Outer.Function = C.In;
    Outer.Index = In.Index;
    Outer.Depth = In.Depth + 1;
    for (Storage Q : pointer(Args[I], Outer))
      if (Q.Where == Storage::Kind::Shared)
        add(Found, {Q});
      else if (Q.Where != Storage::Kind::Device &&
               Q.Where != Storage::Kind::AnyGlobal && !Q.Global)
        Found[0].Global = false;
  }
  return Found;
}

Storages Resolver::pointerVariable(const VarDecl *V, const Frame &In) {
  if (llvm::is_contained(Open, V))
    return {};
  if (V->hasGlobalStorage() && !V->isStaticLocal()) {
    Storage P;
    P.Where = Storage::Kind::AnyGlobal;
    return {P};
  }
  const Frame *Home = frameOf(V, In);
  if (!Home)
    return unknown();
  Storages Found;
  Open.push_back(V);
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    if (const Expr *A = argument(P, *Home))
      add(Found, pointer(A, *Home->Caller));
    else
      add(Found, Home->Caller ? unknown() : parameter(P, *Home));
  }
  const FunctionNames &Names = Home->Index->namesOf(Home->Function);
  auto It = Names.Given.find(V);
  if (It != Names.Given.end())
    for (const Expr *E : It->second)
      add(Found, E ? pointer(E, *Home) : unknown());
  else if (!isa<ParmVarDecl>(V))
    Found = unknown();
  Open.pop_back();
  // A promise of the function's outermost block holds as long as the loop runs.
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Home->Function->getBody());
  bool Outermost =
      Body && llvm::any_of(Body->body(), [&](const Stmt *S) {
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

/// A pointer that is a part of an object; F if it is that member itself.
Storages Resolver::loaded(const Expr *From, const FieldDecl *F,
                          const Frame &In) {
  Storages Found;
  Storages Places = lvalue(From, In);
  for (const Storage &P : Places) {
    const Frame *Home = P.Var ? frameOf(P.Var, In) : nullptr;
    Storage Q;
    if (P.Where == Storage::Kind::Local && Home && !Home->Caller &&
        isa<ParmVarDecl>(P.Var) &&
        Home->Function->hasAttr<CUDAGlobalAttr>()) {
      Q = P;
      Q.Where = Storage::Kind::Pointee;
      Q.Field = F;
      Q.Global = true;
    } else if (P.Where == Storage::Kind::Local && Home) {
      add(Found, held(P.Var, *Home));
      continue;
    } else if (P.Where == Storage::Kind::Device || P.Global ||
               P.Where == Storage::Kind::AnyGlobal) {
      // Global memory holds pointers to global memory.
      Q.Where = Storage::Kind::AnyGlobal;
    }
    add(Found, {Q});
  }
  if (!Places.empty())
    return Found;
  const Expr *Base = NameFinder::base(From)->IgnoreParenImpCasts();
  if (const VarDecl *V = variable(Base)) {
    if (V->hasGlobalStorage()) { // a constant holds pointers to global memory
      Storage Q;
      Q.Where = Storage::Kind::AnyGlobal;
      return {Q};
    }
    const Frame *Home = frameOf(V, In); // a closure's copy
    return Home ? held(V, *Home) : unknown();
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(Base))
    Base = M->getSubExpr();
  return Base->isGLValue() ? unknown() : object(Base, In);
}

/// What the pointers in a local object can be.
Storages Resolver::held(const VarDecl *V, const Frame &Home) {
  const auto *R = V->getType()->getAsCXXRecordDecl();
  const FunctionNames &Names = Home.Index->namesOf(Home.Function);
  if (!R || mayOverlay(R) || Names.Renamed.count(V))
    return unknown();
  if (llvm::is_contained(Open, V))
    return {};
  Storages Found;
  Open.push_back(V);
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    const Expr *A = argument(P, Home);
    add(Found, A ? object(A, *Home.Caller) : unknown());
  }
  auto It = Names.Holds.find(V);
  if (It != Names.Holds.end())
    for (const Expr *E : It->second)
      add(Found, object(E, Home));
  Open.pop_back();
  return Found;
}

/// What the pointers in a value can be.
Storages Resolver::object(const Expr *E, const Frame &In) {
  if (++Steps > MaxSteps)
    return unknown();
  E = E->IgnoreParens();
  if (E->getType()->isPointerType())
    return pointer(E, In);
  if (E->getType()->isArithmeticType() || E->getType()->isEnumeralType() ||
      isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (E->isGLValue())
    return loaded(E, nullptr, In);
  if (const auto *F = dyn_cast<FullExpr>(E))
    return object(F->getSubExpr(), In);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return object(M->getSubExpr(), In);
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return object(B->getSubExpr(), In);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_ConstructorConversion
               ? object(C->getSubExpr(), In)
               : unknown();
  Storages Found;
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    for (const Expr *Part : L->inits())
      add(Found, object(Part, In));
    return L->hasArrayFiller() ? unknown() : Found;
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (!C->getConstructor()->isTrivial() || C->getNumArgs() > 1)
      return unknown();
    return C->getNumArgs() ? object(C->getArg(0), In) : Storages{};
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Found = object(C->getTrueExpr(), In);
    add(Found, object(C->getFalseExpr(), In));
    return Found;
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return returned(C, In, [this](const Expr *Value, const Frame &Callee) {
      return object(Value, Callee);
    });
  return unknown();
}

/// \param Of what is looked for in each value that the callee returns.
template <typename Each>
Storages Resolver::returned(const CallExpr *C, const Frame &In, Each Of) {
  const FunctionDecl *Definition = nullptr;
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || !F->hasBody(Definition) || In.Depth >= MaxDepth ||
      In.calls(Definition))
    return unknown();
  auto Args = argumentsOf(C);
  Frame Callee{Definition, &In, Args, objectOf(C), In.Index, In.Depth + 1};
  Returns R;
  R.TraverseStmt(Definition->getBody());
  Storages Found;
  for (const Expr *E : R.Values)
    add(Found, Of(E, Callee));
  return Found.empty() ? unknown() : Found;
}

Storages Resolver::lvalue(const Expr *E, const Frame &In) {
  if (++Steps > MaxSteps)
    return unknown();
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      return B->getBinding() ? lvalue(B->getBinding(), In) : unknown();
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? ofVariable(V, In, D) : Storages{};
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return A->getBase()->getType()->isPointerType() ? pointer(A->getBase(), In)
                                                    : lvalue(A->getBase(), In);
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(M->getMemberDecl()))
      return ofVariable(Static, In);
    if (M->getMemberDecl()->getType()->isReferenceType())
      return unknown();
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
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return M->getSubExpr()->isGLValue() ? lvalue(M->getSubExpr(), In) : Storages{};
  if (const auto *F = dyn_cast<FullExpr>(E))
    return lvalue(F->getSubExpr(), In);
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? lvalue(O->getSourceExpr(), In) : unknown();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return lvalue(S->getReplacement(), In);
  if (!E->isGLValue() || isa<StringLiteral, PredefinedExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CallExpr>(E))
    return returned(C, In, [this](const Expr *Value, const Frame &Callee) {
      return lvalue(Value, Callee);
    });
  return unknown();
}

Storages Resolver::pointer(const Expr *E, const Frame &In) {
  if (++Steps > MaxSteps)
    return unknown();
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = C->getSubExpr();
    switch (C->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return lvalue(Sub, In);
    case CK_NullToPointer:
      return {};
    case CK_IntegralToPointer:
    case CK_UserDefinedConversion:
      return unknown();
    case CK_LValueToRValue: {
      Sub = Sub->IgnoreParens();
      if (const VarDecl *V = variable(Sub);
          V && V->getType()->isPointerType())
        return pointerVariable(V, In);
      const auto *M = dyn_cast<MemberExpr>(Sub);
      const auto *F = M && !M->isArrow() ? dyn_cast<FieldDecl>(M->getMemberDecl())
                                         : nullptr;
      return F ? loaded(M->getBase(), F, In) : loaded(Sub, nullptr, In);
    }
    default:
      return Sub->isGLValue() && !Sub->getType()->isPointerType()
                 ? unknown()
                 : pointer(Sub, In);
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      return lvalue(U->getSubExpr(), In);
    if (U->isIncrementDecrementOp())
      if (const VarDecl *V = variable(U->getSubExpr()))
        return pointerVariable(V, In);
    return unknown();
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      const VarDecl *V = variable(B->getLHS());
      return V ? pointerVariable(V, In) : unknown();
    }
    if (B->getOpcode() == BO_Comma)
      return pointer(B->getRHS(), In);
    if (B->isAdditiveOp())
      return pointer(B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                             : B->getRHS(),
                     In);
    return unknown();
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    Storages Found = pointer(C->getTrueExpr(), In);
    add(Found, pointer(C->getFalseExpr(), In));
    return Found;
  }
  if (E->isGLValue()) {
    // A pointer variable that a reference is bound to, or one that is assigned.
    if (const VarDecl *V = variable(E); V && V->getType()->isPointerType())
      return pointerVariable(V, In);
    if (E->getType()->isArrayType())
      return lvalue(E, In);
    return unknown();
  }
  if (const auto *F = dyn_cast<FullExpr>(E))
    return pointer(F->getSubExpr(), In);
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return pointer(M->getSubExpr(), In);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return pointer(S->getReplacement(), In);
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
    return O->getSourceExpr() ? pointer(O->getSourceExpr(), In) : unknown();
  if (isa<CXXThisExpr>(E)) {
    if (!In.Caller || !In.Object)
      return unknown();
    return In.Object->getType()->isPointerType()
               ? pointer(In.Object, *In.Caller)
               : lvalue(In.Object, *In.Caller);
  }
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getBuiltinID() && C->getNumArgs() &&
        F->getName() == "__builtin_assume_aligned")
      return pointer(C->getArg(0), In);
    return returned(C, In, [this](const Expr *Value, const Frame &Callee) {
      return pointer(Value, Callee);
    });
  }
  return unknown();
}

} // namespace

llvm::SmallVector<const Expr *, 8> argumentsOf(const CallExpr *C) {
  llvm::SmallVector<const Expr *, 8> Args(C->arguments());
  if (isa<CXXOperatorCallExpr>(C) && !Args.empty() &&
      isa_and_nonnull<CXXMethodDecl>(C->getDirectCallee()))
    Args.erase(Args.begin());
  return Args;
}

const Expr *objectOf(const CallExpr *C) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C))
    return M->getImplicitObjectArgument();
  if (isa<CXXOperatorCallExpr>(C) && C->getNumArgs() &&
      isa_and_nonnull<CXXMethodDecl>(C->getDirectCallee()))
    return C->getArg(0);
  return nullptr;
}

CodeIndex::CodeIndex(ASTContext &Context) : Context(Context) {
  CallFinder F;
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      F.TraverseDecl(D);
  Calls = std::move(F.Calls);
  Hidden = std::move(F.Hidden);
  HandedOut = std::move(F.HandedOut);
  KeepsPointers = F.KeepsPointers;
}

llvm::ArrayRef<CodeIndex::Call>
CodeIndex::callsOf(const FunctionDecl *F) const {
  auto It = Calls.find(F->getCanonicalDecl());
  return It == Calls.end() ? llvm::ArrayRef<Call>() : It->second;
}

bool CodeIndex::hidden(const FunctionDecl *F) const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(F))
    if (HandedOut.count(M->getParent()->getCanonicalDecl()))
      return true;
  return Hidden.count(F->getCanonicalDecl());
}

const FunctionNames &CodeIndex::namesOf(const FunctionDecl *F) const {
  std::unique_ptr<FunctionNames> &Entry = Names[F];
  if (!Entry) {
    NameFinder N;
    N.TraverseStmt(F->getBody());
    Entry = std::make_unique<FunctionNames>(std::move(N.Found));
  }
  return *Entry;
}

bool Frame::calls(const FunctionDecl *F) const {
  for (const Frame *At = this; At; At = At->Caller)
    if (At->Function->getCanonicalDecl() == F->getCanonicalDecl())
      return true;
  return false;
}

Storages storageOfLValue(const Expr *E, const Frame &In) {
  return Resolver().lvalue(E, In);
}

Storages storageOfPointer(const Expr *E, const Frame &In) {
  return Resolver().pointer(E, In);
}

static bool isDynamic(const VarDecl *V) {
  return V->hasExternalStorage() || V->getType()->isIncompleteType();
}

bool mayBeSame(const Storage &A, const Storage &B, const FunctionDecl *Function,
               const CodeIndex &Index) {
  using K = Storage::Kind;
  if (B.Where < A.Where)
    return mayBeSame(B, A, Function, Index);
  switch (A.Where) {
  case K::Local:
    if (B.Where == K::Local)
      return A.Var == B.Var;
    return B.Where == K::Unknown && Index.namesOf(Function).Renamed.count(A.Var);
  case K::Shared:
    if (B.Where == K::Shared)
      return !A.Var || !B.Var || A.Var == B.Var ||
             (isDynamic(A.Var) && isDynamic(B.Var));
    if (B.Where == K::Pointee) // own shared variables have no outer pointer
      return !B.Global &&
             (!A.Var || isDynamic(A.Var) || A.Var->getDeclContext() != Function);
    // Of an array that is only indexed nobody has kept the address.
    return B.Where == K::Unknown ||
           (B.Where == K::AnyGlobal && Index.keepsPointers() &&
            (!A.Var || A.Var->getDeclContext() != Function ||
             Index.namesOf(Function).Renamed.count(A.Var)));
  case K::Device:
    if (B.Where == K::Device)
      return A.Var == B.Var;
    return B.Where != K::Pointee || !B.Restrict;
  case K::Pointee:
    if (B.Where == K::Pointee)
      return A == B || (!A.Restrict && !B.Restrict);
    // A pointer that comes out of memory may have been made of this one.
    return !A.Restrict || B.Where == K::Unknown || Index.keepsPointers();
  case K::AnyGlobal:
  case K::Unknown:
    return true;
  }
  return true;
}

} // namespace kpipe
