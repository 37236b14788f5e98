// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolution of memory roots, see Scope.h.

#include "Scope.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxDepth = 12;

void add(Roots &To, const Roots &From) {
  for (const MemoryRoot &R : From)
    if (!llvm::is_contained(To, R))
      To.push_back(R);
}

MemoryRoot unknown() { return MemoryRoot(); }

struct CallIndexer : RecursiveASTVisitor<CallIndexer> {
  CallIndex Index;
  const FunctionDecl *Current = nullptr;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseFunctionDecl(FunctionDecl *F) {
    return in(F, [&] {
      return RecursiveASTVisitor::TraverseFunctionDecl(F);
    });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) {
    return in(F, [&] {
      return RecursiveASTVisitor::TraverseCXXMethodDecl(F);
    });
  }

  bool VisitCallExpr(CallExpr *C) {
    if (const FunctionDecl *F = C->getDirectCallee()) {
      Index.Calls[F->getCanonicalDecl()].push_back(C);
      Index.CallerOf[C] = Current;
    }
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

/// The pointer-valued expressions that a local pointer variable is given.
struct PointerIndexer : RecursiveASTVisitor<PointerIndexer> {
  using Map = llvm::DenseMap<const VarDecl *,
                             llvm::SmallVector<const Expr *, 2>>;
  explicit PointerIndexer(Map &Assigned) : Assigned(Assigned) {}
  Map &Assigned;

  static const VarDecl *pointerVar(const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && V->getType()->isPointerType() ? V : nullptr;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (V->hasInit() && !isa<ParmVarDecl>(V) &&
        (V->getType()->isPointerType() || V->getType()->isReferenceType()))
      Assigned[V].push_back(V->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
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
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    if (const VarDecl *V = pointerVar(D); V && !Plain.count(D))
      Assigned[V].push_back(nullptr);
    return true;
  }
  bool VisitCastExpr(CastExpr *C) {
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp)
      plain(C->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp())
      plain(U->getSubExpr());
    return true;
  }

private:
  /// Mentions that only read, assign or step; parents are visited first.
  llvm::SmallPtrSet<const Expr *, 16> Plain;
  void plain(const Expr *E) { Plain.insert(E->IgnoreParens()); }
};

struct ReturnFinder : RecursiveASTVisitor<ReturnFinder> {
  llvm::SmallVector<const Expr *, 2> Values;
  bool VisitReturnStmt(ReturnStmt *R) {
    if (R->getRetValue())
      Values.push_back(R->getRetValue());
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

} // namespace

bool mayOverlap(const MemoryRoot &A, const MemoryRoot &B) {
  if (!A.Var || !B.Var || A.Var == B.Var)
    return true;
  auto Open = [](const VarDecl *V) {
    return isa<ParmVarDecl>(V) || V->hasExternalStorage();
  };
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
             llvm::ArrayRef<const Expr *> Args)
    : Context(From.Context), Function(Callee), Caller(&From),
      Depth(From.Depth + 1), Spent(From.Spent) {
  unsigned Count = std::min<unsigned>(Args.size(), Callee->getNumParams());
  for (unsigned I = 0; I != Count; ++I)
    Arguments[Callee->getParamDecl(I)] = Args[I];
  indexPointers(Callee->getBody());
}

void Scope::indexPointers(const Stmt *S) {
  if (S)
    PointerIndexer(Assigned).TraverseStmt(const_cast<Stmt *>(S));
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
      // The parameter of a kernel is global memory, and so is that of a
      // `__device__` function unless a call in this unit says otherwise.
      bool Known = false;
      if (Calls && !Function->hasAttr<CUDAGlobalAttr>())
        if (auto C = Calls->Calls.find(Function->getCanonicalDecl());
            C != Calls->Calls.end() && Depth < 4)
          for (const CallExpr *Call : C->second) {
            const FunctionDecl *From = Calls->CallerOf.lookup(Call);
            unsigned I = cast<ParmVarDecl>(V)->getFunctionScopeIndex();
            if (!From || From == Function || !From->getBody() ||
                I >= Call->getNumArgs())
              continue;
            Scope CallerScope(Context, From, Calls);
            CallerScope.Depth = Depth + 1;
            CallerScope.Spent = Spent;
            for (MemoryRoot Root : CallerScope.ofPointer(Call->getArg(I))) {
              // Only the memory space travels; the variable is this one.
              Root.Var = V;
              Root.Restrict = V->getType().isRestrictQualified();
              add(R, {Root});
            }
            Known = true;
          }
      if (!Known)
        R.push_back({Space::Global, V, V->getType().isRestrictQualified(),
                     false});
    }
  } else if (V->hasGlobalStorage() && !V->isStaticLocal()) {
    return {{Space::Global, V, false, true}};
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
      Root.Restrict = true;
  return R;
}

Roots Scope::ofReturned(const FunctionDecl *F,
                        llvm::ArrayRef<const Expr *> Args,
                        bool Reference) const {
  const FunctionDecl *Definition = nullptr;
  if (!F || !F->hasBody(Definition) || contains(Definition))
    return {unknown()};
  Scope Callee(*this, Definition, Args);
  ReturnFinder Finder;
  Finder.TraverseStmt(Definition->getBody());
  Roots R;
  for (const Expr *E : Finder.Values)
    add(R, Reference ? Callee.ofLValue(E) : Callee.ofPointer(E));
  if (R.empty())
    R.push_back(unknown());
  return R;
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
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return ofLValue(B->getOpcode() == BO_Comma ? B->getRHS() : B->getLHS());
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
    return {{Space::Constant, nullptr, false, false}};
  if (isa<CXXThisExpr>(E))
    return {unknown()};
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    return E->isGLValue()
               ? ofReturned(M->getDirectCallee(),
                            llvm::SmallVector<const Expr *, 4>(M->arguments()),
                            true)
               : Roots{};
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    if (!E->isGLValue())
      return {};
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    if (isa<CXXOperatorCallExpr>(C) &&
        isa_and_nonnull<CXXMethodDecl>(C->getDirectCallee()))
      Args.erase(Args.begin());
    return ofReturned(C->getDirectCallee(), Args, true);
  }
  if (!E->isGLValue())
    return {}; // a value: no storage that anything else can touch
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
      // A pointer loaded from an object: a parameter struct's member keeps
      // its identity, anything else is reached indirectly.
      Roots R;
      for (MemoryRoot Root : ofLValue(Object)) {
        bool Parameter = Root.Where == Space::Local && Root.Var &&
                         isa<ParmVarDecl>(Root.Var);
        if (Parameter || Root.Where == Space::Global ||
            Root.Where == Space::Constant) {
          Root.Where = Space::Global;
          Root.Indirect = true;
          Root.Restrict = false;
          add(R, {Root});
        } else {
          add(R, {unknown()});
        }
      }
      return R;
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
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    Roots R;
    for (MemoryRoot Root : ofLValue(M)) {
      bool Parameter = Root.Where == Space::Local && Root.Var &&
                       isa<ParmVarDecl>(Root.Var);
      if (M->getType()->isPointerType() &&
          (Parameter || Root.Where == Space::Global)) {
        Root.Where = Space::Global;
        Root.Indirect = true;
        Root.Restrict = false;
      } else if (M->getType()->isPointerType()) {
        Root = unknown();
      }
      add(R, {Root});
    }
    return R;
  }
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return ofPointer(W->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return ofPointer(M->getSubExpr());
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return ofPointer(S->getReplacement());
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    return ofReturned(M->getDirectCallee(),
                      llvm::SmallVector<const Expr *, 4>(M->arguments()),
                      false);
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    return ofReturned(C->getDirectCallee(), Args, false);
  }
  return {unknown()};
}

} // namespace kpipe
