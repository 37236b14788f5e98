// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolution of memory roots, see Scope.h.

#include "Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxDepth = 12;

/// The same root by two ways keeps only what both of them promise.
void add(Roots &To, const Roots &From) {
  for (const MemoryRoot &R : From) {
    auto Same = llvm::find(To, R);
    if (Same == To.end()) {
      To.push_back(R);
      continue;
    }
    Same->Restrict &= R.Restrict;
    Same->Assumed |= R.Assumed;
    if (Same->Promise != R.Promise)
      Same->Promise = nullptr;
  }
}

MemoryRoot unknown() { return MemoryRoot(); }

MemoryRoot root(Space Where, const VarDecl *V) {
  MemoryRoot R;
  R.Where = Where;
  R.Var = V;
  return R;
}

/// A temporary: nothing else has a name for it.
Roots temporary() { return {root(Space::Local, nullptr)}; }

struct CallIndexer : ConstDynamicRecursiveASTVisitor {
  CallIndex Index;
  const FunctionDecl *Current = nullptr;

  CallIndexer() { ShouldVisitTemplateInstantiations = true; }

  bool TraverseFunctionDecl(const FunctionDecl *F) override {
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    });
  }
  bool TraverseCXXMethodDecl(const CXXMethodDecl *F) override {
    return in(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXMethodDecl(F);
    });
  }

  bool VisitCallExpr(const CallExpr *C) override {
    if (const FunctionDecl *F = C->getDirectCallee()) {
      Index.Calls[F->getCanonicalDecl()].push_back(C);
      Index.CallerOf[C] = Current;
      Called.insert(C->getCallee()->IgnoreParenImpCasts());
    }
    return true;
  }
  // Parents are visited first.
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
        F && !Called.count(D))
      Index.AddressTaken.insert(F->getCanonicalDecl());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->getOpcode() == BO_Assign)
      stores(B->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *C) override {
    if (C->getOperator() == OO_Equal && C->getNumArgs())
      stores(C->getArg(0));
    return true;
  }

private:
  llvm::SmallPtrSet<const Expr *, 32> Called;

  static bool holdsPointers(QualType T) {
    T = T.getCanonicalType();
    while (const auto *A = dyn_cast<ArrayType>(T))
      T = A->getElementType().getCanonicalType();
    if (T->isPointerType())
      return true;
    const auto *R = T->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition())
      return false;
    return llvm::any_of(R->bases(),
                        [](const CXXBaseSpecifier &B) {
                          return holdsPointers(B.getType());
                        }) ||
           llvm::any_of(R->fields(), [](const FieldDecl *F) {
             return holdsPointers(F->getType());
           });
  }

  /// Device code that gives a pointer to an object which is no local variable.
  void stores(const Expr *To) {
    bool Device = Current && (Current->hasAttr<CUDADeviceAttr>() ||
                              Current->hasAttr<CUDAGlobalAttr>());
    if (!Device || Index.StoresPointers || !holdsPointers(To->getType()))
      return;
    for (;;) {
      To = To->IgnoreParenNoopCasts(Current->getASTContext());
      if (const auto *M = dyn_cast<MemberExpr>(To); M && !M->isArrow())
        To = M->getBase();
      else if (const auto *A = dyn_cast<ArraySubscriptExpr>(To);
               A && A->getBase()->IgnoreParenImpCasts()->getType()
                        ->isArrayType())
        To = A->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(To);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    Index.StoresPointers |= !V || !V->hasLocalStorage() ||
                            V->getType()->isReferenceType();
  }

  template <typename Body> bool in(const FunctionDecl *F, Body Traverse) {
    if (F->isDependentContext())
      return true;
    const FunctionDecl *Outer = Current;
    Current = F;
    bool Continue = Traverse();
    Current = Outer;
    return Continue;
  }
};

/// The pointer-valued expressions that a local pointer variable is given.
struct PointerIndexer : ConstDynamicRecursiveASTVisitor {
  using Map = llvm::DenseMap<const VarDecl *,
                             llvm::SmallVector<const Expr *, 2>>;
  explicit PointerIndexer(Map &Assigned) : Assigned(Assigned) {}
  Map &Assigned;

  static const VarDecl *pointerVar(const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && V->getType()->isPointerType() ? V : nullptr;
  }

  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    return llvm::all_of(L->children(),
                        [&](const Stmt *Child) { return TraverseStmt(Child); });
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Assigned[V].push_back(V->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      plain(B->getLHS());
    // `p += n` stays in the same object; `p = q` may not.
    if (B->getOpcode() == BO_Assign)
      if (const VarDecl *V = pointerVar(B->getLHS()))
        Assigned[V].push_back(B->getRHS());
    return true;
  }
  // A pointer that is named otherwise than to read it, assign it or step it
  // gets another name (`&p`, `T *&r = p`, `f(p)` by reference), through which
  // it can be given anything.
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const VarDecl *V = pointerVar(D); V && !Plain.count(D))
      Assigned[V].push_back(nullptr);
    return true;
  }
  bool VisitCastExpr(const CastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp)
      plain(C->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      plain(U->getSubExpr());
    return true;
  }

private:
  /// Mentions that only read, assign or step; parents are visited first.
  llvm::SmallPtrSet<const Expr *, 16> Plain;
  void plain(const Expr *E) { Plain.insert(E->IgnoreParens()); }
};

/// Objects of class type that are used otherwise than to copy them or to read a
/// member.
struct ChangeFinder : ConstDynamicRecursiveASTVisitor {
  explicit ChangeFinder(llvm::SmallPtrSetImpl<const VarDecl *> &Changed)
      : Changed(Changed) {}
  llvm::SmallPtrSetImpl<const VarDecl *> &Changed;

  // The form as written lacks the casts that read.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    return llvm::all_of(L->children(),
                        [&](const Stmt *Child) { return TraverseStmt(Child); });
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue ||
        (C->getCastKind() == CK_NoOp && C->getType().isConstQualified()))
      reads(C->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    if (C->getConstructor()->isTrivial() && C->getNumArgs() == 1)
      reads(C->getArg(0));
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && V->getType()->isRecordType() && !Plain.count(D))
      Changed.insert(V);
    return true;
  }

private:
  llvm::SmallPtrSet<const Expr *, 16> Plain;
  void reads(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      reads(C->getTrueExpr());
      return reads(C->getFalseExpr());
    }
    while (true) {
      if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
        E = M->getBase()->IgnoreParenImpCasts();
      else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
               A && A->getBase()->IgnoreParenImpCasts()->getType()
                        ->isArrayType())
        E = A->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    Plain.insert(E);
  }
};

struct ReturnFinder : ConstDynamicRecursiveASTVisitor {
  llvm::SmallVector<const Expr *, 2> Values;
  bool VisitReturnStmt(const ReturnStmt *R) override {
    if (R->getRetValue())
      Values.push_back(R->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
};

} // namespace

bool mayOverlap(const MemoryRoot &A, const MemoryRoot &B) {
  if (!A.Var || !B.Var || A.Var == B.Var)
    return true;
  // What a parameter points to has no name here, but may have one in the
  // function that the array is not declared in.
  auto Open = [](const VarDecl *V) {
    return isa<ParmVarDecl>(V) || V->hasExternalStorage() ||
           !V->isLocalVarDecl();
  };
  bool Given = isa<ParmVarDecl>(A.Var) || isa<ParmVarDecl>(B.Var);
  bool Extern = A.Var->hasExternalStorage() && B.Var->hasExternalStorage();
  if (!Given && !Extern)
    return false;
  return Open(A.Var) && Open(B.Var) && !A.Restrict && !B.Restrict;
}

CallIndex indexCalls(ASTContext &Context) {
  CallIndexer Indexer;
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      Indexer.TraverseDecl(D);
  return std::move(Indexer.Index);
}

class Scope::Step {
public:
  explicit Step(Effort &E) : E(E) {
    E.Steps = E.Nested++ ? E.Steps + 1 : 0;
  }
  ~Step() { --E.Nested; }
  bool tooMany() const { return E.Steps > MaxSteps; }

private:
  Effort &E;
};

Roots Scope::ofLValue(const Expr *E) const {
  Step S(*Spent);
  return S.tooMany() ? Roots{unknown()} : lvalueRoots(E);
}

Roots Scope::ofPointer(const Expr *E) const {
  Step S(*Spent);
  return S.tooMany() ? Roots{unknown()} : pointerRoots(E);
}

Scope::Scope(ASTContext &Context, const FunctionDecl *Function,
             const CallIndex *Calls)
    : Context(Context), Function(Function), Calls(Calls),
      Spent(std::make_shared<Effort>()) {
  indexPointers(Function->getBody());
}

Scope::Scope(const Scope &From, const FunctionDecl *Callee,
             llvm::ArrayRef<const Expr *> Args, const Expr *Object)
    : Context(From.Context), Function(Callee), Caller(&From), Object(Object),
      Depth(From.Depth + 1), Spent(From.Spent) {
  unsigned Count = std::min<unsigned>(Args.size(), Callee->getNumParams());
  for (unsigned I = 0; I != Count; ++I)
    Arguments[Callee->getParamDecl(I)] = Args[I];
  indexPointers(Callee->getBody());
}

void Scope::indexPointers(const Stmt *S) {
  if (!S)
    return;
  PointerIndexer(Assigned).TraverseStmt(S);
}

const CallIndex *Scope::index() const {
  const Scope *S = this;
  while (S->Caller)
    S = S->Caller;
  return S->Calls;
}

bool Scope::changes(const VarDecl *V) const {
  if (!SearchedForChanges)
    ChangeFinder(Changed).TraverseStmt(Function->getBody());
  SearchedForChanges = true;
  return Changed.count(V);
}

/// The value that a pointer member of a local object has for good: the object
/// is initialised with a list and never changed.
std::pair<const Scope *, const Expr *>
Scope::valueOfMember(const Expr *E) const {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens());
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!Field || M->isArrow())
    return {};
  const auto *D = dyn_cast<DeclRefExpr>(M->getBase()->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage() || !V->getType()->isRecordType())
    return {};
  const Scope *Of = this;
  while (Of && Of->Function != V->getDeclContext())
    Of = Of->Caller;
  if (!Of || Of->changes(V))
    return {};
  const Scope *At = isa<ParmVarDecl>(V) ? Of->Caller : Of;
  const Expr *Init = isa<ParmVarDecl>(V) ? Of->argument(V) : V->getInit();
  const auto *List =
      Init ? dyn_cast<InitListExpr>(Init->IgnoreImplicit()) : nullptr;
  if (List && List->isSyntacticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  const auto *R = V->getType()->getAsCXXRecordDecl();
  if (!At || !List || !R || R->isUnion() || R->getNumBases() ||
      llvm::any_of(R->fields(),
                   [](const FieldDecl *F) { return F->isUnnamedBitField(); }) ||
      Field->getParent() != R || Field->getFieldIndex() >= List->getNumInits())
    return {};
  return {At, List->getInit(Field->getFieldIndex())};
}

bool Scope::contains(const FunctionDecl *Callee) const {
  for (const Scope *S = this; S; S = S->Caller)
    if (S->Function->getCanonicalDecl() == Callee->getCanonicalDecl())
      return true;
  return Depth >= MaxDepth;
}

Roots Scope::ofVariable(const VarDecl *V) const {
  if (V->getType()->isReferenceType()) {
    if (auto It = Arguments.find(V); It != Arguments.end())
      return Caller->ofLValue(It->second);
    auto It = Assigned.find(V);
    if (It == Assigned.end() && Caller)
      return Caller->ofVariable(V); // captured by the closure that is called
    if (It == Assigned.end() || llvm::is_contained(Resolving, V))
      return {unknown()};
    Resolving.push_back(V);
    Roots R;
    for (const Expr *E : It->second)
      add(R, E ? ofLValue(E) : Roots{unknown()});
    Resolving.pop_back();
    return R;
  }
  MemoryRoot R;
  R.Var = V;
  if (V->hasAttr<CUDASharedAttr>())
    R.Where = Space::Shared;
  else if (V->hasAttr<CUDAConstantAttr>() ||
           (V->hasGlobalStorage() && V->getType().isConstQualified()))
    R.Where = Space::Constant;
  else if (V->hasGlobalStorage())
    R.Where = Space::Global;
  else
    R.Where = Space::Local;
  return {R};
}

Roots Scope::ofPointerVar(const VarDecl *V) const {
  if (llvm::is_contained(Resolving, V))
    return {};
  Roots R;
  if (isa<ParmVarDecl>(V)) {
    if (auto It = Arguments.find(V); It != Arguments.end()) {
      add(R, Caller->ofPointer(It->second));
    } else if (Caller) {
      // Of an enclosing function, captured by the closure that is called.
      return V->getDeclContext() == Function ? Roots{unknown()}
                                             : Caller->ofPointerVar(V);
    } else {
      add(R, ofOpenParameter(cast<ParmVarDecl>(V)));
    }
  } else if (V->hasGlobalStorage() && !V->hasAttr<CUDASharedAttr>()) {
    // Constant memory is the host's.
    MemoryRoot Root = root(Space::Global, V);
    Root.Indirect = true;
    Root.Assumed = !V->hasAttr<CUDAConstantAttr>() &&
                   (!index() || index()->StoresPointers);
    return {Root};
  } else if (V->hasGlobalStorage()) {
    return {unknown()};
  } else if (!Assigned.count(V)) {
    return Caller ? Caller->ofPointerVar(V) : Roots{unknown()};
  }
  Resolving.push_back(V);
  if (auto It = Assigned.find(V); It != Assigned.end())
    for (const Expr *E : It->second)
      add(R, E ? ofPointer(E) : Roots{unknown()});
  Resolving.pop_back();
  if (!isa<ParmVarDecl>(V) && V->getType().isRestrictQualified())
    for (MemoryRoot &Root : R)
      if (!Root.Promise)
        Root.Promise = V;
  return R;
}

/// What a pointer parameter of the outermost function can point to: global
/// memory in a kernel, and in a `__device__` function what its calls give it.
Roots Scope::ofOpenParameter(const ParmVarDecl *P) const {
  MemoryRoot Own = root(Space::Global, P);
  Own.Restrict = P->getType().isRestrictQualified();
  if (Function->hasAttr<CUDAGlobalAttr>())
    return {Own};
  Roots R;
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  bool All = Calls && Depth < 4 && P->getDeclContext() == Function &&
             !Calls->AddressTaken.count(Function->getCanonicalDecl()) &&
             // Called by a library's templates, or by a table.
             !(Method && (Method->isVirtual() || Method->getParent()->isLambda() ||
                          Method->isOverloadedOperator())) &&
             // Called by other units.
             !(Context.getLangOpts().GPURelocatableDeviceCode &&
               Function->isExternallyVisible());
  auto Found = Calls ? Calls->Calls.find(Function->getCanonicalDecl())
                     : CallerMap::const_iterator();
  bool Any = false;
  if (Calls && Found != Calls->Calls.end())
    for (const CallExpr *Call : Found->second) {
      const FunctionDecl *From = Calls->CallerOf.lookup(Call);
      unsigned I = P->getFunctionScopeIndex();
      if (!From || From == Function || !From->getBody() ||
          I >= Call->getNumArgs() || Depth >= 4) {
        All = false;
        continue;
      }
      Scope CallerScope(Context, From, Calls);
      CallerScope.Depth = Depth + 1;
      CallerScope.Spent = Spent;
      for (MemoryRoot Root : CallerScope.ofPointer(Call->getArg(I))) {
        // Only the memory space travels; the variable is this one.
        Root.Var = P;
        Root.Restrict = Own.Restrict;
        Root.Promise = nullptr;
        add(R, {Root});
      }
      Any = true;
    }
  if (R.empty() || !All || !Any) {
    Own.Assumed = true;
    add(R, {Own});
  }
  return R;
}

Roots Scope::ofThis() const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(Function);
      !Caller || (M && M->getParent()->isLambda()))
    return {unknown()};
  if (isa<CXXConstructorDecl>(Function) && !Object)
    return temporary(); // under construction: it has no other name yet
  if (!Object)
    return {unknown()};
  return Object->getType()->isPointerType() ? Caller->ofPointer(Object)
                                            : Caller->ofLValue(Object);
}

Roots Scope::ofLoaded(const Expr *From) const {
  if (auto [At, Value] = valueOfMember(From); Value)
    return At->ofPointer(Value);
  Roots R;
  bool Given = false; // by itself
  for (MemoryRoot Root : ofLValue(From)) {
    const auto *P = Root.Where == Space::Local && Root.Var
                        ? dyn_cast<ParmVarDecl>(Root.Var)
                        : nullptr;
    const Scope *Of = this;
    while (P && Of && Of->Function != P->getDeclContext())
      Of = Of->Caller;
    if (P && (!Of || P->getType()->isReferenceType() || Of->changes(P)))
      P = nullptr;
    if (P && Of->Caller) {
      const Expr *Value = Of->argument(P);
      add(R, Value ? Of->Caller->ofObject(Value) : Roots{unknown()});
      continue;
    }
    if (const VarDecl *V = Root.Where == Space::Local ? Root.Var : nullptr;
        V && !isa<ParmVarDecl>(V) && V->hasLocalStorage() &&
        V->getType()->isRecordType()) {
      for (Of = this; Of && Of->Function != V->getDeclContext();)
        Of = Of->Caller;
      Given |= Of && llvm::is_contained(Of->Resolving, V);
      add(R, Of ? Of->ofHeld(V) : Roots{unknown()});
      continue;
    }
    const CallIndex *Index = index();
    bool InMemory = Root.Where == Space::Global || Root.Where == Space::Constant;
    if (!P && !InMemory) {
      add(R, {unknown()});
      continue;
    }
    // What the host gave to a kernel is global memory.
    Root.Assumed =
        P ? !Of->Function->hasAttr<CUDAGlobalAttr>()
          : Root.Where == Space::Global && (!Index || Index->StoresPointers);
    Root.Where = Space::Global;
    Root.Indirect = true;
    Root.Restrict = false;
    Root.Promise = nullptr;
    add(R, {Root});
  }
  return R.empty() && !Given ? Roots{unknown()} : R;
}

Roots Scope::ofHeld(const VarDecl *V) const {
  if (llvm::is_contained(Resolving, V))
    return {};
  auto It = Held.find(V);
  if (It == Held.end())
    It = Held.try_emplace(V, heldPointers(V, Function->getBody())).first;
  HeldPointers H = It->second;
  if (H.Anything)
    return {unknown()};
  Resolving.push_back(V);
  Roots R;
  for (const Expr *E : H.Values)
    add(R, ofPointer(E));
  for (const Expr *E : H.Objects)
    add(R, ofObject(E));
  Resolving.pop_back();
  return R;
}

Roots Scope::ofObject(const Expr *E) const {
  Step S(*Spent);
  if (S.tooMany())
    return {unknown()};
  E = E->IgnoreImplicit();
  if (E->isGLValue())
    return ofLoaded(E);
  Roots R;
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isSyntacticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    for (const Expr *Init : L->inits())
      if (Init->getType()->isPointerType())
        add(R, ofPointer(Init));
      else if (!Init->getType()->isArithmeticType() &&
               !Init->getType()->isEnumeralType())
        add(R, Init->getType()->isRecordType() ? ofObject(Init)
                                               : Roots{unknown()});
    return R;
  }
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {};
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (!C->getConstructor()->isTrivial() || C->getNumArgs() > 1)
      return {unknown()};
    return C->getNumArgs() == 0 ? Roots() : ofObject(C->getArg(0));
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    R = ofObject(C->getTrueExpr());
    add(R, ofObject(C->getFalseExpr()));
    return R;
  }
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Definition = nullptr;
  if (!F || isa<CXXMethodDecl>(F) || !F->hasBody(Definition) ||
      contains(Definition))
    return {unknown()};
  Scope Callee(*this, Definition,
               llvm::SmallVector<const Expr *, 4>(C->arguments()));
  ReturnFinder Finder;
  Finder.TraverseStmt(Definition->getBody());
  for (const Expr *Value : Finder.Values)
    add(R, Callee.ofObject(Value));
  return R;
}

Roots Scope::ofReturned(const FunctionDecl *F,
                        llvm::ArrayRef<const Expr *> Args, bool Reference,
                        const Expr *Object) const {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition) || contains(Definition))
    return {unknown()};
  Scope Callee(*this, Definition, Args, Object);
  ReturnFinder Finder;
  Finder.TraverseStmt(Definition->getBody());
  Roots R;
  for (const Expr *E : Finder.Values)
    add(R, Reference ? Callee.ofLValue(E) : Callee.ofPointer(E));
  if (R.empty())
    R.push_back(unknown());
  return R;
}

Roots Scope::ofCall(const CallExpr *C, bool Reference) const {
  const FunctionDecl *F = C->getDirectCallee();
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  const Expr *On = nullptr;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
    On = M->getImplicitObjectArgument();
  } else if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
             M && isa<CXXOperatorCallExpr>(C) && !Args.empty()) {
    On = Args[0];
    Args.erase(Args.begin());
  }
  if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(F); M && M->isVirtual())
    return {unknown()};
  return ofReturned(F, Args, Reference, On);
}

Roots Scope::lvalueRoots(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *B = dyn_cast<BindingDecl>(D->getDecl()))
      return B->getBinding() ? ofLValue(B->getBinding()) : Roots{unknown()};
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V ? ofVariable(V) : Roots{};
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    if (A->getBase()->getType()->isVectorType())
      return ofLValue(A->getBase());
    return ofPointer(A->getBase());
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(M->getMemberDecl()))
      return ofVariable(Static);
    if (M->getMemberDecl()->getType()->isReferenceType())
      return {unknown()}; // the object that it refers to, not the member
    return M->isArrow() ? ofPointer(M->getBase()) : ofLValue(M->getBase());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return ofPointer(U->getSubExpr());
    return ofLValue(U->getSubExpr());
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return ofLValue(C->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    // A member pointer reaches a part of the object.
    if (B->getOpcode() == BO_PtrMemI)
      return ofPointer(B->getLHS());
    return ofLValue(B->getOpcode() == BO_Comma ? B->getRHS() : B->getLHS());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Roots R = ofLValue(C->getTrueExpr());
    add(R, ofLValue(C->getFalseExpr()));
    return R;
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return ofLValue(M->getSubExpr());
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return ofLValue(W->getSubExpr());
  if (isa<StringLiteral>(E))
    return {root(Space::Constant, nullptr)};
  if (const auto *O = dyn_cast<OpaqueValueExpr>(E); O && O->getSourceExpr())
    return ofLValue(O->getSourceExpr());
  if (!E->isGLValue())
    return temporary();
  if (const auto *C = dyn_cast<CallExpr>(E))
    return ofCall(C, true);
  return {unknown()};
}

Roots Scope::pointerRoots(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    switch (C->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return ofLValue(C->getSubExpr());
    case CK_NullToPointer:
      return {};
    case CK_IntegralToPointer:
      return {unknown()};
    case CK_LValueToRValue: {
      const Expr *Object = C->getSubExpr()->IgnoreParens();
      if (const auto *D = dyn_cast<DeclRefExpr>(Object))
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
          if (!V->getType()->isReferenceType())
            return ofPointerVar(V);
      return ofLoaded(Object);
    }
    default:
      return ofPointer(C->getSubExpr());
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      return ofLValue(U->getSubExpr());
    if (U->isIncrementDecrementOp())
      if (const VarDecl *V = PointerIndexer::pointerVar(U->getSubExpr()))
        return ofPointerVar(V);
    return {unknown()};
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      if (const VarDecl *V = PointerIndexer::pointerVar(B->getLHS()))
        return ofPointerVar(V);
      return {unknown()};
    }
    if (B->getOpcode() == BO_Comma)
      return ofPointer(B->getRHS());
    return ofPointer(B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                             : B->getRHS());
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Roots R = ofPointer(C->getTrueExpr());
    add(R, ofPointer(C->getFalseExpr()));
    return R;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return {unknown()};
    if (V->getType()->isReferenceType()) {
      if (auto It = Arguments.find(V); It != Arguments.end())
        return Caller->ofPointer(It->second);
      return {unknown()};
    }
    return V->getType()->isPointerType() ? ofPointerVar(V) : ofVariable(V);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return ofLValue(A); // an array glvalue that has not decayed
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getType()->isPointerType() ? ofLoaded(M) : ofLValue(M);
  if (isa<CXXThisExpr>(E))
    return ofThis();
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return ofPointer(W->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return ofPointer(M->getSubExpr());
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return ofPointer(S->getReplacement());
  if (const auto *C = dyn_cast<CallExpr>(E))
    return ofCall(C, false);
  return {unknown()};
}

} // namespace kpipe
