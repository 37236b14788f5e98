// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of the unit, see GivenBytes.h.

#include "GivenBytes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

const FunctionDecl *writtenFunction(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  return F->getCanonicalDecl();
}

namespace {

class Given final : public ConstDynamicRecursiveASTVisitor {
public:
  Given(const FunctionDecl *Kernel, const FunctionDecl *Instance,
        ASTContext &Context)
      : Instance(Instance ? Instance->getCanonicalDecl() : nullptr),
        Kernel(Kernel), Context(Context) {
    ShouldVisitTemplateInstantiations = true;
    for (const Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      TraverseDecl(D);
  }
  std::map<SourceLocation, uint64_t> Bytes;

  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *C) override {
    const auto *F = dyn_cast_or_null<FunctionDecl>(C->getCalleeDecl());
    const auto *D =
        dyn_cast<DeclRefExpr>(C->getCallee()->IgnoreParenImpCasts());
    if (!F || !D || writtenFunction(F) != Kernel ||
        C->isInstantiationDependent())
      return true;
    Expr::EvalResult Value;
    const Expr *Asked = C->getConfig()->getArg(2);
    uint64_t Known = Asked->EvaluateAsInt(Value, Context) &&
                             Value.Val.getInt().isNonNegative()
                         ? Value.Val.getInt().getZExtValue()
                         : 0;
    if (Instance && F->getCanonicalDecl() != Instance)
      Known = UINT64_MAX;
    auto [It, New] = Bytes.try_emplace(
        Context.getSourceManager().getSpellingLoc(D->getLocation()), Known);
    It->second = std::min(It->second, Known);
    return true;
  }

private:
  const FunctionDecl *Instance, *Kernel;
  ASTContext &Context;
};

} // namespace

std::map<SourceLocation, uint64_t> bytesGiven(const FunctionDecl *Kernel,
                                              const FunctionDecl *Instance,
                                              ASTContext &Context) {
  return std::move(Given(Kernel, Instance, Context).Bytes);
}

} // namespace kpipe
