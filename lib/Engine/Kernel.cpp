// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of a kernel, see Kernel.h.

#include "Kernel.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

struct SharedSum : RecursiveASTVisitor<SharedSum> {
  ASTContext &Context;
  llvm::SmallPtrSet<const VarDecl *, 8> Vars;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
  uint64_t Bytes = 0;
  explicit SharedSum(ASTContext &C) : Context(C) {}

  bool VisitVarDecl(VarDecl *V) {
    if (V->hasAttr<CUDASharedAttr>() && !V->hasExternalStorage() &&
        !V->getType()->isIncompleteType() && Vars.insert(V).second) {
      uint64_t Align = Context.getDeclAlign(V).getQuantity();
      Bytes = llvm::alignTo(Bytes, std::max<uint64_t>(Align, 1)) +
              Context.getTypeSizeInChars(V->getType()).getQuantity();
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *Definition = nullptr;
    if (const FunctionDecl *F = C->getDirectCallee();
        F && F->hasBody(Definition) && Visited.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return true;
  }
};

} // namespace

KernelShape kernelShape(const FunctionDecl *F, const TransformOptions &Options,
                        ASTContext &Context) {
  KernelShape Shape;
  SharedSum Sum(Context);
  Sum.Visited.insert(F);
  Sum.TraverseStmt(F->getBody());
  Shape.SharedBytes = Sum.Bytes;
  if (Options.Block) {
    Shape.Threads =
        (*Options.Block)[0] * (*Options.Block)[1] * (*Options.Block)[2];
    Shape.ThreadsFrom = "--block";
  } else if (const auto *Bounds = F->getAttr<CUDALaunchBoundsAttr>()) {
    Expr::EvalResult R;
    const Expr *Max = Bounds->getMaxThreads();
    if (Max && !Max->isValueDependent() && Max->EvaluateAsInt(R, Context)) {
      Shape.Threads = R.Val.getInt().getZExtValue();
      Shape.ThreadsFrom = "__launch_bounds__";
    }
  }
  return Shape;
}

bool mentionsBarrier(const FunctionDecl *F, const ASTContext &Context) {
  llvm::StringRef Text = Lexer::getSourceText(
      CharSourceRange::getTokenRange(F->getSourceRange()),
      Context.getSourceManager(), Context.getLangOpts());
  bool Loop = Text.contains("for") || Text.contains("while");
  return Loop && Text.contains("__shared__") &&
         (Text.contains("__syncthreads") || Text.contains(".sync(") ||
          Text.contains("sync("));
}

} // namespace kpipe
