// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over the kernel and what it calls, see ProducerCode.h. What is not known
// is taken for what stands in the way.
#include "ProducerCode.h"
#include "Code/AstUtils.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "Code/SpecialRegisters.h"
#include "Code/ThreadEnds.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kpipe {

static bool isIn(const Decl *D, llvm::StringRef Namespace) {
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C);
        N && N->getName() == Namespace)
      return true;
  return false;
}

/// Words of assembly, as `bar.sync`, `%ntid.x` and `p`.
static llvm::SmallVector<llvm::StringRef, 16> wordsOf(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 16> Words;
  while (!Text.empty()) {
    auto IsWord = [](char C) {
      return llvm::isAlnum(C) || C == '.' || C == '_' || C == '%' || C == ':';
    };
    Text = Text.drop_until(IsWord);
    Words.push_back(Text.take_while(IsWord));
    Text = Text.drop_front(Words.back().size());
  }
  return Words;
}

namespace {

/// Enters what is called, once each.
class Walk : public ConstDynamicRecursiveASTVisitor {
public:
  Message Not;
  /// The function that is entered; null: the kernel.
  const FunctionDecl *In = nullptr;

  Walk() { ShouldVisitImplicitCode = true; } // begin() of a range, `==`

  /// Is the call one that is looked into? Else it has been judged.
  virtual bool enters(const CallExpr *C, const FunctionDecl *F) = 0;

  bool no(Message Why) {
    if (!Not)
      Not = std::move(Why);
    return false;
  }

  bool TraverseDecl(const Decl *D) override {
    // A class in the function: what it does is entered where it is called.
    const auto *R = dyn_cast_or_null<CXXRecordDecl>(D);
    return (R && !R->isLambda()) ||
           ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return no({msg::producer_unknown_code, Message(msg::function_pointer)});
    return !enters(C, F) || enter(F);
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    const CXXConstructorDecl *F = C->getConstructor();
    return F->isTrivial() || isToolkits(F) || enter(F);
  }
  bool VisitCXXInheritedCtorInitExpr(
      const CXXInheritedCtorInitExpr *C) override {
    return enter(C->getConstructor());
  }
  // What a declaration elsewhere says, evaluated here.
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *D) override {
    return elsewhere(D->getExpr(),
                     cast<FunctionDecl>(D->getParam()->getDeclContext()));
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *D) override {
    return elsewhere(D->getExpr(), cast<FunctionDecl>(D->getUsedContext()));
  }
  bool VisitVarDecl(const VarDecl *V) override {
    const auto *R =
        V->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return !(R && R->hasDefinition() && !isToolkits(R) &&
             R->hasNonTrivialDestructor()) ||
           no({msg::producer_unknown_code, Message(msg::destructor)});
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *B) override {
    return isToolkits(B->getTemporary()->getDestructor()) ||
           no({msg::producer_unknown_code, Message(msg::destructor)});
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  bool enter(const FunctionDecl *F) {
    // A closure's text stands where it is made.
    if (const auto *M = dyn_cast<CXXMethodDecl>(F)) {
      if (M->getParent()->isLambda())
        return true;
      if (M->isVirtual())
        return no({msg::producer_unknown_code, quoted(F)});
    }
    if (!Seen.insert(F->getCanonicalDecl()).second)
      return true;
    const FunctionDecl *Body = nullptr;
    if (!F->hasBody(Body))
      return F->isTrivial() || F->getBuiltinID() ||
             no({msg::producer_unknown_code, quoted(F)});
    const auto *Makes = dyn_cast<CXXConstructorDecl>(Body);
    if (Makes)
      for (const CXXCtorInitializer *I : Makes->inits())
        if (!elsewhere(I->getInit(), F))
          return false;
    return elsewhere(Body->getBody(), F);
  }

  bool elsewhere(const Stmt *S, const FunctionDecl *Of) {
    const FunctionDecl *Outer = std::exchange(In, In ? In : Of);
    const bool Going = TraverseStmt(S);
    In = Outer;
    return Going;
  }
};

class BlockWalk final : public Walk {
public:
  BlockCode Found;

  bool enters(const CallExpr *C, const FunctionDecl *F) override {
    const std::string Name = F->getNameAsString();
    if (isIn(F, "cooperative_groups") || isIn(F, "cub") ||
        llvm::StringRef(Name).starts_with("__nvvm_bar"))
      return no({msg::producer_counts_threads, Name});
    // As `blockDim` is turned into a dim3.
    if (llvm::StringRef(Name).starts_with("__nvvm_read_ptx_sreg_ntid"))
      return no({msg::producer_counts_threads, std::string("blockDim")});
    switch (classifyCall(F)) {
    case CallKind::BlockBarrier:
      barrier(C, F);
      return false;
    case CallKind::NamedBarrier:
      return no({msg::producer_numbered, F->getNameAsString()});
    case CallKind::ValueBarrier:
    case CallKind::GridSync:
      return no({msg::producer_counts_threads, F->getNameAsString()});
    case CallKind::Unknown:
      return no({msg::producer_unknown_code, quoted(F)});
    case CallKind::Ordinary:
      return true;
    default:
      return false;
    }
  }
  bool VisitPseudoObjectExpr(const PseudoObjectExpr *P) override {
    const auto R = specialRegister(P);
    if (!R || !R->isOf("blockDim") || R->Axis != 0)
      return true;
    if (In)
      return no({msg::producer_size_in_callee, quoted(In)});
    if (P->getBeginLoc().isMacroID() || P->getEndLoc().isMacroID())
      return no(msg::producer_size_in_macro);
    if (!llvm::is_contained(Found.Sizes, P))
      Found.Sizes.push_back(P);
    return true;
  }
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    // The register's own name is no other use of it.
    return specialRegister(P)
               ? VisitPseudoObjectExpr(P)
               : ConstDynamicRecursiveASTVisitor::TraversePseudoObjectExpr(P);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return !V || V->getName() != "blockDim" || V->hasLocalStorage() ||
           no({msg::producer_counts_threads, V->getNameAsString()});
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    const std::string Text = withoutComments(A->getAsmString());
    for (llvm::StringRef Word : wordsOf(Text)) {
      if (Word.contains("%ntid") || Word.contains("%nwarpid"))
        return no({msg::producer_counts_threads, Word.ltrim('%')});
      if (Word.contains("tensormap") && !Word.starts_with("prefetch"))
        return no({msg::producer_unknown_code,
                   Message(msg::quoted_name, Word)});
      Word = Word.drop_front(Word.rfind(':') + 1);
      if (Word.starts_with("bar.") || Word.starts_with("barrier."))
        return no({msg::producer_numbered, Word});
      if (Word.starts_with("setmaxnreg"))
        return no({msg::producer_moves_registers, Word.split('.').first});
    }
    return true;
  }
  bool VisitMSAsmStmt(const MSAsmStmt *) override {
    return no({msg::producer_unknown_code, Message(msg::unknown_callee)});
  }
  // What leaves the kernel, or leads past what stands in front of the loop.
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    ++Closures;
    const bool Going = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(L);
    --Closures;
    return Going;
  }
  bool VisitReturnStmt(const ReturnStmt *) override {
    return In || Closures || no(msg::producer_leaves);
  }
  bool VisitGotoStmt(const GotoStmt *) override {
    return In || Closures || no(msg::producer_leaves);
  }

private:
  unsigned Closures = 0;

  void barrier(const CallExpr *C, const FunctionDecl *F) {
    if (In)
      no({msg::producer_barrier_in_callee, quoted(In)});
    else if (!F->getIdentifier() || F->getName() != "__syncthreads")
      no({msg::producer_counts_threads, F->getNameAsString()});
    else if (C->getBeginLoc().isMacroID() || C->getEndLoc().isMacroID())
      no(msg::producer_barrier_in_macro);
    else if (!llvm::is_contained(Found.Barriers, C))
      Found.Barriers.push_back(C);
  }
};

class ThreadWalk final : public Walk {
public:
  explicit ThreadWalk(const ThreadDependence &Values) : Values(Values) {}

  bool enters(const CallExpr *, const FunctionDecl *F) override {
    if (isIn(F, "cooperative_groups") ||
        llvm::StringRef(F->getNameAsString())
            .starts_with("__nvvm_read_ptx_sreg"))
      return named(F);
    switch (classifyCall(F)) {
    case CallKind::Ordinary:
      return true;
    case CallKind::Pure:
    case CallKind::AsyncCopy:
    case CallKind::Fence:
      return false;
    default:
      return named(F);
    }
  }
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
    const auto R = specialRegister(P);
    if (R && R->isOf("threadIdx"))
      return named(R->Vector);
    return R || ConstDynamicRecursiveASTVisitor::TraversePseudoObjectExpr(P);
  }
  bool VisitVarDecl(const VarDecl *V) override {
    Own.insert(V);
    return Walk::VisitVarDecl(V);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return !isa<BindingDecl>(D->getDecl()) || named(D->getDecl());
    if (V->getName() == "threadIdx")
      return named(V);
    // What a function computes follows from what it is given.
    return In || !V->hasLocalStorage() || Own.contains(V) ||
           !Values.dependent(D) || named(V);
  }
  bool VisitCXXThisExpr(const CXXThisExpr *) override {
    return In || no(Message(msg::quoted_name, "this"));
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    const std::string Text = withoutComments(A->getAsmString());
    for (llvm::StringRef Word : wordsOf(Text)) {
      // A special register, or an instruction of a warp.
      if (Word.contains("%%") ||
          (Word.starts_with("%") && Word.size() > 1 && llvm::isAlpha(Word[1])))
        return no({msg::quoted_name, Word.ltrim('%')});
      Word = Word.drop_front(Word.rfind(':') + 1);
      for (llvm::StringRef Of : {"elect.", "vote.", "shfl.", "match.", "redux.",
                                 "activemask.", "bar.", "barrier."})
        if (Word.starts_with(Of))
          return no({msg::quoted_name, Word});
    }
    return true;
  }

private:
  bool named(const NamedDecl *By) {
    return no({msg::quoted_name, By->getNameAsString()});
  }

  const ThreadDependence &Values;
  llvm::SmallPtrSet<const VarDecl *, 4> Own; ///< declared on the way
};

} // namespace

BlockCode blockCodeOf(const FunctionDecl *Kernel) {
  BlockWalk W;
  W.TraverseStmt(Kernel->getBody());
  W.Found.Not = std::move(W.Not);
  if (!W.Found.Not && mayEndThread(Kernel->getBody()))
    W.Found.Not = msg::producer_leaves;
  return std::move(W.Found);
}

Message dependsOnThread(const Stmt *S, const ThreadDependence &Values) {
  ThreadWalk W(Values);
  W.TraverseStmt(S);
  return std::move(W.Not);
}

} // namespace kpipe
