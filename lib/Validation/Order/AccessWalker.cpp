// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses by the kind of node and the kind of call, see AccessWalker.h.

#include "AccessWalker.h"
#include "BulkDestinations.h"
#include "Code/InlineAssembly.h"
#include "Validation/Trees/CudaDeclarations.h"
#include "Validation/Trees/QuietLives.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace kpipe {

void AccessWalker::gather(const Stmt *S) {
  if (!S || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(S))
    return;
  if (const auto *L = dyn_cast<LambdaExpr>(S)) {
    for (const Expr *Init : L->capture_inits())
      gather(Init);
    return;
  }
  if (isa<PseudoObjectExpr>(S)) // threadIdx.x and its kin
    return;
  if (const auto *I = dyn_cast<IfStmt>(S); I && I->isConstexpr())
    if (auto Taken = I->getNondiscardedCase(In.Function->getASTContext())) {
      gather(I->getInit());
      gather(I->getConditionVariableDeclStmt());
      if (*Taken)
        gather(*Taken);
      return;
    }
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
    return gather(D->getExpr());
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
    return gather(D->getExpr());
  if (const auto *L = dyn_cast<InitListExpr>(S);
      L && L->getSemanticForm() && L->getSemanticForm() != L)
    return gather(L->getSemanticForm());
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        gather(V->getInit());
  } else if (const auto *C = dyn_cast<SubstNonTypeTemplateParmExpr>(S)) {
    return gather(C->getReplacement());
  } else {
    for (const Stmt *Child : S->children())
      gather(Child);
  }
  node(S);
}

void AccessWalker::record(const Storages &Where, bool Write, const Stmt *At) {
  for (const Storage &P : Where) {
    Access A;
    A.Where = P;
    A.Write = Write;
    A.At = At;
    A.Outer = outer(At);
    Found.All.push_back(A);
  }
}

void AccessWalker::read(const Expr *LValue, const Stmt *At) {
  record(storageOfLValue(LValue, In), false, At);
}

void AccessWalker::write(const Expr *LValue, const Stmt *At) {
  record(storageOfLValue(LValue, In), true, At);
}

void AccessWalker::readThrough(const Expr *Pointer, const Stmt *At) {
  record(storageOfPointer(Pointer, In), false, At);
}

void AccessWalker::writeThrough(const Expr *Pointer, const Stmt *At) {
  record(storageOfPointer(Pointer, In), true, At);
}

void AccessWalker::anything(const Stmt *At) {
  record({Storage()}, false, At);
  record({Storage()}, true, At);
  Found.HasBarrier = true;
}

void AccessWalker::barrier() {
  Found.HasBarrier = true;
  Found.Through = false;
}

void AccessWalker::argument(const Expr *A, bool Write, const Stmt *At) {
  Storages P = A->isGLValue()                  ? storageOfLValue(A, In)
               : A->getType()->isPointerType() ? storageOfPointer(A, In)
                                               : Storages();
  record(P, false, At);
  if (Write)
    record(P, true, At);
}

void AccessWalker::declaration(const VarDecl *V, const Stmt *At) {
  if (V->hasAttr<CUDASharedAttr>() || V->getType()->isReferenceType())
    return;
  if (V->needsDestruction(In.Function->getASTContext()) ==
          QualType::DK_cxx_destructor &&
      !diesQuietly(V->getType()))
    destroy(At);
  if (V->hasAttr<CleanupAttr>())
    destroy(At);
  Storage P;
  P.Where =
      V->hasLocalStorage() ? Storage::Kind::Local : Storage::Kind::Unknown;
  P.Var = V;
  if (V->hasLocalStorage() ? V->hasInit() : !V->isConstexpr())
    record({P}, true, At);
}

void AccessWalker::node(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        declaration(V, S);
    return;
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass: {
    const auto *B = cast<BinaryOperator>(S);
    if (!B->isAssignmentOp())
      return;
    if (B->isCompoundAssignmentOp())
      read(B->getLHS(), S);
    return write(B->getLHS(), S);
  }
  case Stmt::UnaryOperatorClass: {
    const auto *U = cast<UnaryOperator>(S);
    if (!U->isIncrementDecrementOp())
      return;
    read(U->getSubExpr(), S);
    return write(U->getSubExpr(), S);
  }
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
  case Stmt::CUDAKernelCallExprClass:
    return call(cast<CallExpr>(S));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(cast<CXXConstructExpr>(S));
  case Stmt::CXXBindTemporaryExprClass:
    if (!diesQuietly(cast<Expr>(S)->getType()))
      destroy(S);
    return;
  case Stmt::CXXInheritedCtorInitExprClass:
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
  case Stmt::CXXThrowExprClass:
  case Stmt::VAArgExprClass:
  case Stmt::RecoveryExprClass:
  case Stmt::MSAsmStmtClass:
  case Stmt::CXXTryStmtClass:
    return anything(S);
  case Stmt::AtomicExprClass: {
    const auto *A = cast<AtomicExpr>(S);
    for (unsigned I = 0; I != A->getNumSubExprs(); ++I)
      if (A->getSubExprs()[I]->getType()->isPointerType())
        argument(A->getSubExprs()[I], true, S);
    return;
  }
  case Stmt::GCCAsmStmtClass:
    return assembly(cast<GCCAsmStmt>(S));
  default:
    if (const auto *C = dyn_cast<CastExpr>(S);
        C && C->getCastKind() == CK_LValueToRValue)
      read(C->getSubExpr(), S);
    return;
  }
}

void AccessWalker::construct(const CXXConstructExpr *C) {
  const CXXConstructorDecl *K = C->getConstructor();
  if (K->isTrivial()) {
    if (C->getNumArgs() && C->getArg(0)->isGLValue())
      read(C->getArg(0), C);
    return;
  }
  llvm::SmallVector<const Expr *, 4> Args(C->arguments());
  // What the compiler makes calls those of members and bases.
  if (!K->isImplicit() && !K->isDefaulted() && isCudas(K)) {
    for (const Expr *A : Args)
      argument(A, false, C);
    return;
  }
  enter(K, Args, nullptr, C);
}

void AccessWalker::enter(const FunctionDecl *F,
                         llvm::ArrayRef<const Expr *> Args, const Expr *Object,
                         const Expr *At) {
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) || In.isTooDeep() || In.calls(Definition))
    return anything(At);
  CallFrame Callee{Definition, &In, Args, Object, In.Index, In.Depth + 1};
  // By value, an object is copied: the caller's storage is read.
  for (unsigned I = 0; I != Args.size() && I < Definition->getNumParams(); ++I)
    if (!Definition->getParamDecl(I)->getType()->isReferenceType() &&
        Args[I]->isGLValue())
      read(Args[I], At);
  Accesses Body = accessesOf(Definition->getBody(), Callee);
  auto Take = [&](const Accesses &Part) {
    for (Access A : Part.All) {
      if (A.Where.Where == Storage::Kind::Local &&
          A.Where.Var && A.Where.Var->getDeclContext() == Definition)
        continue;
      A.Outer = outer(At);
      Found.All.push_back(A);
    }
    Found.Through &= Part.Through;
    Found.HasBarrier |= Part.HasBarrier;
  };
  if (const auto *K = dyn_cast<CXXConstructorDecl>(Definition))
    for (const CXXCtorInitializer *Init : K->inits())
      Take(accessesOf(Init->getInit(), Callee));
  Take(Body);
}

void AccessWalker::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F)
    return anything(C);
  // A constant does nothing, however it is computed.
  if (F->isConstexpr() && !C->isValueDependent() &&
      C->isEvaluatable(In.Index->context()))
    return;
  const Expr *Object = objectOf(C);
  auto Args = argumentsOf(C);
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (M && M->isVirtual() && !M->hasAttr<FinalAttr>() &&
      !M->getParent()->isEffectivelyFinal())
    return anything(C);
  if (M && M->isTrivial() && Object && !Args.empty() &&
      (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator())) {
    if (Args[0]->isGLValue())
      read(Args[0], C);
    return Object->getType()->isPointerType() ? writeThrough(Object, C)
                                              : write(Object, C);
  }
  if (!isCudas(F))
    return enter(F, Args, Object, C);
  // The toolkit's number types copy their bits, however they spell it; what the
  // compiler makes of the author's own members is looked into.
  if (M && !M->isImplicit() && Object && Args.size() == 1 &&
      M->isOverloadedOperator() && M->getOverloadedOperator() == OO_Equal) {
    argument(Args[0], false, C);
    return write(Object, C);
  }
  CallKind Kind = classifyCall(F);
  const FunctionDecl *Definition = nullptr;
  if (Kind == CallKind::Ordinary && F->hasBody(Definition))
    return enter(F, Args, Object, C);
  if (Object)
    argument(Object, M && !M->isConst(), C);
  known(C, Kind, Args);
}

void AccessWalker::known(const CallExpr *C, CallKind Kind,
                         llvm::ArrayRef<const Expr *> Args) {
  auto Each = [&](unsigned From, bool Write) {
    for (const Expr *A : Args.drop_front(std::min<size_t>(From, Args.size())))
      argument(A, Write, C);
  };
  switch (Kind) {
  case CallKind::Pure:
    for (const Expr *A : Args)
      if (A->isGLValue())
        read(A, C);
    return;
  case CallKind::ReadOnlyLoad: // nobody writes that memory
  case CallKind::Assertion:
  case CallKind::WarpSync:
  case CallKind::Fence:
    return;
  case CallKind::CachedLoad:
  case CallKind::VolatileLoad:
    return Each(0, false);
  case CallKind::CachedStore:
    return writeThrough(Args[0], C);
  case CallKind::Atomic:
    return Each(0, true);
  case CallKind::BlockBarrier:
  case CallKind::ValueBarrier:
  case CallKind::GridSync:
    return barrier();
  case CallKind::NamedBarrier:
    Found.HasBarrier = true;
    return;
  case CallKind::Output:
    return Each(0, false);
  case CallKind::AsyncCopy:
  case CallKind::KpipePrimitive:
    for (const Expr *A : Args)
      if (A->getType()->isPointerType())
        argument(A, !A->getType()->getPointeeType().isConstQualified(), C);
    return;
  case CallKind::WmmaLoad:
    argument(Args[0], true, C);
    return readThrough(Args[1], C);
  case CallKind::WmmaStore:
    argument(Args[1], false, C);
    return writeThrough(Args[0], C);
  case CallKind::WmmaCompute:
    argument(Args[0], true, C);
    return Each(1, false);
  case CallKind::Unknown:
    return anything(C);
  case CallKind::Ordinary:
    return ordinary(C, Args);
  }
}

/// A function of the toolkit that is known by nothing but its parameters.
void AccessWalker::ordinary(const CallExpr *C,
                            llvm::ArrayRef<const Expr *> Args) {
  if (!touchesOnlyArguments(C->getDirectCallee()))
    return anything(C);
  for (unsigned I = 0; I != Args.size(); ++I) {
    const FunctionDecl *F = C->getDirectCallee();
    QualType T = I < F->getNumParams() ? F->getParamDecl(I)->getType()
                                       : Args[I]->getType();
    argument(Args[I],
             (T->isPointerType() || T->isReferenceType()) &&
                 !T->getPointeeType().isConstQualified(),
             C);
  }
}

void AccessWalker::assembly(const GCCAsmStmt *A) {
  for (unsigned I = 0; I != A->getNumOutputs(); ++I) {
    if (llvm::StringRef(A->getOutputConstraint(I)).starts_with("+"))
      read(A->getOutputExpr(I), A);
    write(A->getOutputExpr(I), A);
  }
  AsmEffect E = classifyAsm(A->getAsmString());
  auto Touch = [&](Storage::Kind Kind, bool Write) {
    Storage P;
    P.Where = Kind;
    record({P}, Write, A);
  };
  if (E.ReadsShared)
    Touch(Storage::Kind::Shared, false);
  if (E.WritesShared)
    Touch(Storage::Kind::Shared, true);
  if (E.ReadsGlobal && !E.OnlyReadOnly)
    Touch(Storage::Kind::AnyGlobal, false);
  if (E.WritesGlobal)
    Touch(Storage::Kind::AnyGlobal, true);
  switch (E.Kind) {
  case CallKind::BlockBarrier:
  case CallKind::GridSync:
    return barrier();
  case CallKind::NamedBarrier:
    Found.HasBarrier = true;
    return;
  case CallKind::Pure:
  case CallKind::Fence:
  case CallKind::WarpSync:
  case CallKind::Assertion:
    return;
  case CallKind::AsyncCopy:
    // Bulk copies: the engine reads and writes when it likes.
    if (E.Opcode.rfind("cp.async.bulk", 0) == 0) {
      Touch(Storage::Kind::AnyGlobal, false);
      record(destinationOfBulk(A, In), true, A);
    }
    return;
  default:
    if (!E.OnlyMatrix)
      anything(A);
  }
}

} // namespace kpipe
