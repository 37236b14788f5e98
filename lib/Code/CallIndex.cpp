// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a unit, see CallIndex.h.
#include "CallIndex.h"
#include "LibraryCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct CallIndexer : ConstDynamicRecursiveASTVisitor {
  CallIndex Index;
  const FunctionDecl *Current = nullptr;
  /// The same, and constructors, destructors and conversions too.
  const FunctionDecl *Body = nullptr;

  LibraryCalls Library{Index.AddressTaken};

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

  bool TraverseCXXConstructorDecl(const CXXConstructorDecl *F) override {
    return inBody(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXConstructorDecl(F);
    });
  }
  bool TraverseCXXDestructorDecl(const CXXDestructorDecl *F) override {
    return inBody(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXDestructorDecl(F);
    });
  }
  bool TraverseCXXConversionDecl(const CXXConversionDecl *F) override {
    return inBody(F, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXConversionDecl(F);
    });
  }

  bool VisitMemberExpr(const MemberExpr *M) override {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (F && F->getType()->isReferenceType())
      Index.NamedIn[F].insert(Body);
    const auto *Named = dyn_cast<FunctionDecl>(M->getMemberDecl());
    Library.enter(Named);
    // `s.f`, of a static member function, becomes a pointer to it.
    if (Named && !Called.count(M))
      Index.AddressTaken.insert(Named->getCanonicalDecl());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    if (const FunctionDecl *F = C->getDirectCallee()) {
      Index.Calls[F->getCanonicalDecl()].push_back(C);
      Index.CallerOf[C] = Body == Current ? Current : nullptr;
      Called.insert(C->getCallee()->IgnoreParenImpCasts());
    }
    return true;
  }
  // Parents are visited first.
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    Library.enter(F);
    if (F && !Called.count(D))
      Index.AddressTaken.insert(F->getCanonicalDecl());
    return true;
  }
  /// Which of them is meant Clang leaves open where arguments have errors.
  bool VisitOverloadExpr(const OverloadExpr *O) override {
    for (const NamedDecl *D : O->decls()) {
      D = D->getUnderlyingDecl();
      if (const auto *T = dyn_cast<FunctionTemplateDecl>(D))
        for (const FunctionDecl *F : T->specializations())
          Index.AddressTaken.insert(F->getCanonicalDecl());
      else if (const auto *F = dyn_cast<FunctionDecl>(D))
        Index.AddressTaken.insert(F->getCanonicalDecl());
    }
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    Library.enter(E->getConstructor());
    Library.enterEndOf(E->getType());
    return true;
  }
  // `a != b` calls `a == b`, a loop over a range calls what nobody writes.
  bool VisitCXXRewrittenBinaryOperator(
      const CXXRewrittenBinaryOperator *B) override {
    takeCalled(B->getSemanticForm());
    return true;
  }
  bool VisitCXXForRangeStmt(const CXXForRangeStmt *F) override {
    const Stmt *Unwritten[] = {F->getBeginStmt(), F->getEndStmt(), F->getCond(),
                               F->getInc(), F->getLoopVarStmt()};
    llvm::for_each(Unwritten, [&](const Stmt *S) { takeCalled(S); });
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

  /// Templates of which there is no instance here, perhaps because of an error
  /// in a call of them: what they call is called by somebody then.
  void takePatterns() {
    for (const FunctionDecl *F : Patterns)
      if (!Instantiated.count(F))
        takeNamed(F->getBody());
  }

private:
  llvm::SmallPtrSet<const Expr *, 32> Called;
  std::vector<const FunctionDecl *> Patterns;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Instantiated;

  void takeNamed(const Stmt *S) {
    if (!S)
      return;
    if (const auto *O = dyn_cast<OverloadExpr>(S))
      VisitOverloadExpr(O);
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
        Index.AddressTaken.insert(F->getCanonicalDecl());
    for (const Stmt *Child : S->children())
      takeNamed(Child);
  }

  /// All functions that a statement calls may be called in other ways.
  void takeCalled(const Stmt *S) {
    if (!S)
      return;
    if (const auto *C = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *F = C->getDirectCallee()) {
        Index.AddressTaken.insert(F->getCanonicalDecl());
        Library.enter(F);
      }
    for (const Stmt *Child : S->children())
      takeCalled(Child);
  }

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
               A &&
               A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        To = A->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    const auto *D = dyn_cast<DeclRefExpr>(To);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    Index.StoresPointers |=
        !V || !V->hasLocalStorage() || V->getType()->isReferenceType();
  }

  template <typename Walk> bool in(const FunctionDecl *F, Walk Traverse) {
    if (F->isDependentContext()) {
      if (F->doesThisDeclarationHaveABody())
        Patterns.push_back(F);
      return true;
    }
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
        Pattern && F->doesThisDeclarationHaveABody())
      Instantiated.insert(Pattern);
    const FunctionDecl *Outer = Current;
    Current = F;
    bool Continue = inBody(F, Traverse);
    Current = Outer;
    return Continue;
  }
  template <typename Walk> bool inBody(const FunctionDecl *F, Walk Traverse) {
    if (F->isDependentContext())
      return true;
    const FunctionDecl *Outer = Body;
    Body = F;
    bool Continue = Traverse();
    Body = Outer;
    return Continue;
  }
};

} // namespace

/// Is it called where nobody writes a call: by a closure's pointer to it, where
/// an object begins, ends or is allocated, by the name of what it overrides?
static bool isCalledUnwritten(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (M && (M->isVirtual() || M->getParent()->isLambda() ||
            isa<CXXConstructorDecl, CXXDestructorDecl>(M)))
    return true;
  switch (F->getOverloadedOperator()) {
  case OO_New:
  case OO_Array_New:
  case OO_Delete:
  case OO_Array_Delete:
    return true;
  default:
    return false;
  }
}

bool CallIndex::hasAll(const FunctionDecl *F) const {
  return !AddressTaken.count(F->getCanonicalDecl()) && !isCalledUnwritten(F) &&
         // Called by other units.
         !(F->getASTContext().getLangOpts().GPURelocatableDeviceCode &&
           F->isExternallyVisible());
}

const VarDecl *CallIndex::memberOf(const FunctionDecl *F,
                                   const FieldDecl *Member) const {
  const VarDecl *&V = Members[{F, Member}];
  if (!V)
    V = ImplicitParamDecl::Create(
        Member->getASTContext(), const_cast<FunctionDecl *>(F),
        Member->getLocation(), Member->getIdentifier(), Member->getType(),
        ImplicitParamKind::Other);
  return V;
}

Runners runnersOf(const FunctionDecl *F, const CallIndex &Calls) {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  llvm::SmallVector<const FunctionDecl *, 8> Work{F};
  Runners All;
  while (!Work.empty()) {
    const FunctionDecl *At = Work.pop_back_val();
    if (!Seen.insert(At->getCanonicalDecl()).second)
      continue;
    if (At->hasAttr<CUDAGlobalAttr>()) {
      All.Kernels.push_back(At);
      continue;
    }
    All.Functions.push_back(At);
    All.AreAll &=
        Calls.hasAll(At) && At->getIdentifier() && !isa<CXXMethodDecl>(At);
    if (auto It = Calls.Calls.find(At->getCanonicalDecl());
        It != Calls.Calls.end())
      for (const CallExpr *C : It->second) {
        const FunctionDecl *Caller = Calls.CallerOf.lookup(C);
        All.AreAll &= Caller != nullptr;
        if (Caller)
          Work.push_back(Caller);
      }
  }
  const SourceManager &SM = F->getASTContext().getSourceManager();
  llvm::stable_sort(
      All.Kernels, [&](const FunctionDecl *A, const FunctionDecl *B) {
        return SM.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
      });
  return All;
}

bool Runners::areOneKernel() const {
  auto written = [](const FunctionDecl *K) {
    const FunctionDecl *Pattern = K->getTemplateInstantiationPattern();
    return (Pattern ? Pattern : K)->getCanonicalDecl();
  };
  return AreAll && !Kernels.empty() &&
         llvm::all_of(Kernels, [&](const FunctionDecl *K) {
           return written(K) == written(Kernels.front());
         });
}

std::vector<const FunctionDecl *> kernelsAround(const FunctionDecl *F,
                                                const CallIndex &Calls) {
  return runnersOf(F, Calls).Kernels;
}

CallIndex indexCalls(ASTContext &Context) {
  CallIndexer Indexer;
  for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!Context.getSourceManager().isInSystemHeader(D->getLocation()))
      Indexer.TraverseDecl(D);
  if (Context.getDiagnostics().hasErrorOccurred())
    Indexer.takePatterns();
  return std::move(Indexer.Index);
}

} // namespace kpipe
