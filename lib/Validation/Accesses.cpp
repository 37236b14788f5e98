// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over statements, see Accesses.h. Code without a barrier is one bag of
// accesses; where it holds one, Clang's control-flow graph tells which accesses
// are reached before it and behind it.

#include "Accesses.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxDepth = 12;

/// A declaration of the compiler's, of the CUDA toolkit's, or of kpipe's own
/// stand-ins for it: only there a name says what a function does.
bool isCudas(const FunctionDecl *F) {
  if (F->getBuiltinID() || F->isImplicit())
    return true;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  for (const FunctionDecl *D : F->redecls()) {
    SourceLocation Where = SM.getExpansionLoc(D->getLocation());
    if (!SM.isInSystemHeader(Where))
      continue;
    llvm::StringRef Path = SM.getFilename(Where);
    llvm::StringRef Name = llvm::sys::path::filename(Path);
    if (Path.contains("__kpipe__") || Name.starts_with("__clang_cuda") ||
        Path.contains("cuda_wrappers"))
      return true;
    for (llvm::StringRef Folder = llvm::sys::path::parent_path(Path);
         !Folder.empty(); Folder = llvm::sys::path::parent_path(Folder)) {
      llvm::SmallString<256> Runtime(Folder);
      llvm::sys::path::append(Runtime, "cuda_runtime.h");
      if (SM.getFileManager().getOptionalFileRef(Runtime))
        return true;
      llvm::StringRef Last = llvm::sys::path::filename(Folder);
      if (Last == "include" || Last == "usr" || Last == "/")
        break;
    }
    // The host's C and C++ library: mathematics by its name, nothing else.
    if (D->isExternC() && D->getIdentifier() && !D->getReturnType()->isVoidType() &&
        D->getReturnType()->isFloatingType())
      return true;
  }
  return false;
}

/// The end of an object's life does nothing.
bool dies(const CXXRecordDecl *R);
bool diesQuietly(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !R || dies(R);
}
bool dies(const CXXRecordDecl *R) {
  if (!R->hasDefinition() || R->hasTrivialDestructor())
    return true;
  const CXXDestructorDecl *D = R->getDestructor();
  const FunctionDecl *Definition = nullptr;
  if (!D || D->isVirtual())
    return false;
  if (!D->isDefaulted()) {
    if (!D->hasBody(Definition))
      return false;
    const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
    if (!Body || !Body->body_empty())
      return false;
  }
  return llvm::all_of(R->fields(), [](const FieldDecl *F) {
           return diesQuietly(F->getType());
         }) &&
         llvm::all_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return diesQuietly(B.getType());
         });
}

class Walker {
public:
  Walker(const Frame &In, const Stmt *Outer) : In(In), Outer(Outer) {}

  /// The accesses of S and everything in it.
  void gather(const Stmt *S) {
    if (!S || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(S))
      return;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const Expr *Init : L->capture_inits())
        gather(Init);
      return;
    }
    if (const auto *P = dyn_cast<PseudoObjectExpr>(S)) {
      (void)P; // threadIdx.x and its kin
      return;
    }
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

  /// What S itself does when its parts are evaluated.
  void node(const Stmt *S);

  /// A destructor runs, which is not looked into.
  void destroy(const Stmt *At) { anything(At); }

  Accesses Found;

private:
  const Frame &In;
  const Stmt *Outer;
  const Stmt *outer(const Stmt *S) const { return Outer ? Outer : S; }

  void record(const Storages &Where, bool Write, const Stmt *At) {
    for (const Storage &P : Where) {
      Access A;
      A.Where = P;
      A.Write = Write;
      A.At = At;
      A.Outer = outer(At);
      Found.All.push_back(A);
    }
  }
  void read(const Expr *LValue, const Stmt *At) {
    record(storageOfLValue(LValue, In), false, At);
  }
  void write(const Expr *LValue, const Stmt *At) {
    record(storageOfLValue(LValue, In), true, At);
  }
  void readThrough(const Expr *Pointer, const Stmt *At) {
    record(storageOfPointer(Pointer, In), false, At);
  }
  void writeThrough(const Expr *Pointer, const Stmt *At) {
    record(storageOfPointer(Pointer, In), true, At);
  }
  void anything(const Stmt *At) {
    record({Storage()}, false, At);
    record({Storage()}, true, At);
    Found.HasBarrier = true;
  }
  void barrier() {
    Found.HasBarrier = true;
    Found.Through = false;
  }
  void argument(const Expr *A, bool Write, const Stmt *At) {
    Storages P = A->isGLValue()                   ? storageOfLValue(A, In)
               : A->getType()->isPointerType() ? storageOfPointer(A, In)
                                               : Storages();
    record(P, false, At);
    if (Write)
      record(P, true, At);
  }

  void call(const CallExpr *C);
  void construct(const CXXConstructExpr *C);
  void known(const CallExpr *C, CallKind Kind,
             llvm::ArrayRef<const Expr *> Args);
  void enter(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Args,
             const Expr *Object, const Expr *At);
  void assembly(const GCCAsmStmt *A);
};

void Walker::node(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D)) {
        if (V->hasAttr<CUDASharedAttr>() || V->getType()->isReferenceType())
          continue;
        if (V->needsDestruction(In.Function->getASTContext()) ==
                QualType::DK_cxx_destructor &&
            !diesQuietly(V->getType()))
          destroy(S);
        Storage P;
        P.Where = V->hasLocalStorage() ? Storage::Kind::Local
                                       : Storage::Kind::Unknown;
        P.Var = V;
        if (V->hasLocalStorage() ? V->hasInit() : !V->isConstexpr())
          record({P}, true, S);
      }
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

void Walker::construct(const CXXConstructExpr *C) {
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

void Walker::enter(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Args,
                   const Expr *Object, const Expr *At) {
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) || In.Depth >= MaxDepth || In.calls(Definition))
    return anything(At);
  Frame Callee{Definition, &In, Args, Object, In.Index, In.Depth + 1};
  // By value, an object is copied: the caller's storage is read.
  for (unsigned I = 0; I != Args.size() && I < Definition->getNumParams(); ++I)
    if (!Definition->getParamDecl(I)->getType()->isReferenceType() &&
        Args[I]->isGLValue())
      read(Args[I], At);
  Accesses Body = accessesOf(Definition->getBody(), Callee);
  auto Take = [&](const Accesses &Part) {
    for (Access A : Part.All) {
      if (A.Where.Where == Storage::Kind::Local &&
          A.Where.Var->getDeclContext() == Definition)
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

void Walker::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F)
    return anything(C);
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
  if (M && !M->isImplicit() && Object && Args.size() == 1 && M->isOverloadedOperator() &&
      M->getOverloadedOperator() == OO_Equal) {
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

void Walker::known(const CallExpr *C, CallKind Kind,
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
    return;
  }
}

void Walker::assembly(const GCCAsmStmt *A) {
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
  case CallKind::AsyncCopy:
    return;
  default:
    return anything(A);
  }
}

/// Code that holds a barrier, as a graph of its smallest steps.
class Graph {
public:
  Graph(const CFG &G, const Frame &In) : G(G) {
    Steps.resize(G.getNumBlockIDs());
    for (const CFGBlock *B : G)
      for (const CFGElement &E : *B)
        Steps[B->getBlockID()].push_back(accessesOf(E, In));
  }

  Accesses run() {
    Accesses Out;
    Out.HasBarrier = true;
    Out.Through = walk(true);
    walk(false);
    for (auto &Block : Steps)
      for (Accesses &Step : Block)
        for (unsigned I = 0; I != Step.All.size(); ++I) {
          Access A = Step.All[I];
          A.FromStart = A.FromStart && Reached[0].count(&Step);
          A.ToEnd = A.ToEnd && Reached[1].count(&Step);
          Out.All.push_back(A);
        }
    return Out;
  }

private:
  const CFG &G;
  std::vector<std::vector<Accesses>> Steps; ///< by block
  std::set<const Accesses *> Reached[2];

  /// Marks the steps that are reached from the one end without a barrier.
  /// True if the other end is.
  bool walk(bool Forward) {
    std::set<const CFGBlock *> Seen;
    llvm::SmallVector<const CFGBlock *, 16> Work{Forward ? &G.getEntry()
                                                         : &G.getExit()};
    const CFGBlock *Goal = Forward ? &G.getExit() : &G.getEntry();
    bool Through = false;
    while (!Work.empty()) {
      const CFGBlock *B = Work.pop_back_val();
      if (!B || !Seen.insert(B).second)
        continue;
      auto &Block = Steps[B->getBlockID()];
      bool Stopped = false;
      auto One = [&](Accesses &Step) {
        if (Stopped)
          return;
        Reached[!Forward].insert(&Step);
        Stopped = !Step.Through;
      };
      if (Forward)
        llvm::for_each(Block, One);
      else
        llvm::for_each(llvm::reverse(Block), One);
      if (Stopped)
        continue;
      Through |= B == Goal;
      if (Forward)
        for (const CFGBlock::AdjacentBlock &N : B->succs())
          Work.push_back(N.getReachableBlock());
      else
        for (const CFGBlock::AdjacentBlock &N : B->preds())
          Work.push_back(N.getReachableBlock());
    }
    return Through;
  }
};

} // namespace

std::unique_ptr<CFG> graphOf(const Stmt *S, const Frame &In, bool Whole) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddInitializers = true;
  Options.AddImplicitDtors = true;
  Options.AddTemporaryDtors = true;
  Options.AddCXXDefaultInitExprInAggregates = true;
  Options.AddCXXDefaultInitExprInCtors = true;
  return CFG::buildCFG(Whole ? In.Function : nullptr, const_cast<Stmt *>(S),
                       &In.Index->context(), Options);
}

Accesses accessesOf(const CFGElement &E, const Frame &In) {
  Walker W(In, nullptr);
  if (auto S = E.getAs<CFGStmt>()) {
    W.node(S->getStmt());
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S->getStmt()))
      return accessesOf(D->getExpr(), In);
  } else if (auto D = E.getAs<CFGImplicitDtor>()) {
    const CXXDestructorDecl *X = D->getDestructorDecl(In.Index->context());
    if (!X || !dies(X->getParent()))
      W.destroy(nullptr);
  }
  return std::move(W.Found);
}

Accesses accessesOf(const Stmt *S, const Frame &In) {
  Walker Bag(In, nullptr);
  Bag.gather(S);
  if (Bag.Found.Through || !S)
    return std::move(Bag.Found);
  if (const auto *E = dyn_cast<Expr>(S)) {
    // A call with the barrier inside, or the barrier itself; not one of which
    // an argument has it, and perhaps on one way only.
    const auto *C = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
    const auto *K = dyn_cast<CXXConstructExpr>(E);
    auto Quiet = [&](const Stmt *Part) {
      Walker Inner(In, nullptr);
      Inner.gather(Part);
      return !Inner.Found.HasBarrier;
    };
    if ((C && llvm::all_of(C->children(), Quiet)) ||
        (K && llvm::all_of(K->children(), Quiet)))
      return std::move(Bag.Found);
  }
  if (isa<GCCAsmStmt>(S))
    return std::move(Bag.Found);
  std::unique_ptr<CFG> G = graphOf(S, In);
  if (!G) {
    // A jump leaves the code: whatever it does, no barrier is counted on.
    Bag.Found.Through = true;
    for (Access &A : Bag.Found.All)
      A.FromStart = A.ToEnd = true;
    return std::move(Bag.Found);
  }
  return Graph(*G, In).run();
}

} // namespace kpipe
