// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk into callees, see ThreadEnds.h.
#include "ThreadEnds.h"
#include "InlineAssembly.h"
#include "KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// May code end the thread that runs it, other than by `return`?
class Finder : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;

  void call(const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (F && (F->getBuiltinID() || isToolkits(F) || !Seen.insert(F).second))
      return;
    if (!F || !F->hasBody(Definition))
      Found |= !F || !F->isTrivial();
    else
      TraverseStmt(Definition->getBody());
  }
  bool VisitCallExpr(const CallExpr *C) override {
    call(C->getDirectCallee());
    return !Found;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *C) override {
    call(C->getConstructor());
    return !Found;
  }
  // What destructors do, of members as well, is not read.
  bool VisitVarDecl(const VarDecl *V) override {
    const auto *R = V->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return !(Found |= R && R->hasDefinition() && !isToolkits(R) &&
                      R->hasNonTrivialDestructor());
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *B) override {
    return !(Found |= !isToolkits(B->getTemporary()->getDestructor()));
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *A) override {
    return !(Found |= classifyAsm(A->getAsmString()).EndsThread);
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
};

} // namespace

bool mayEndThread(const Stmt *S) {
  Finder F;
  F.TraverseStmt(S);
  return F.Found;
}

} // namespace kpipe
