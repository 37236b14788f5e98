// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as text that can be edited, see Relaunch.h. A kernel is also reached
// by whoever holds its address, by other files that declare it, and by launches
// in templates that nobody instantiates: so every mention of its name in the
// unit must be the callee of a launch that was seen.

#include "Relaunch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace kpipe {

namespace {

const DeclRefExpr *calleeOf(const CUDAKernelCallExpr *C) {
  return dyn_cast<DeclRefExpr>(C->getCallee()->IgnoreParenImpCasts());
}

/// `k<64><<<…>>>` can be named again; `k<<<…>>>` of a template whose arguments
/// are deduced cannot.
bool namesItsInstance(const DeclRefExpr *Callee) {
  const auto *F = cast<FunctionDecl>(Callee->getDecl());
  const FunctionTemplateDecl *T = F->getPrimaryTemplate();
  if (!T)
    return true;
  const TemplateParameterList *Params = T->getTemplateParameters();
  if (Params->hasParameterPack() || Params->hasAssociatedConstraints() ||
      !Callee->hasExplicitTemplateArgs())
    return false;
  for (unsigned I = Callee->getNumTemplateArgs(); I < Params->size(); ++I) {
    const NamedDecl *P = Params->getParam(I);
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P);
    const auto *Type = dyn_cast<TemplateTypeParmDecl>(P);
    if (!(Value && Value->hasDefaultArgument()) &&
        !(Type && Type->hasDefaultArgument()))
      return false;
  }
  return true;
}

/// `<<<grid, block>>>` or `<<<grid, block, 0, …>>>`, spelled in the file.
bool hasRoom(const CUDAKernelCallExpr *C, const ASTContext &Context) {
  const CallExpr *Config = C->getConfig();
  if (!Config || Config->getNumArgs() < 3)
    return false;
  const Expr *Bytes = Config->getArg(2);
  if (isa<CXXDefaultArgExpr>(Bytes))
    return true;
  const auto *Zero = dyn_cast<IntegerLiteral>(Bytes->IgnoreParenImpCasts());
  return Zero && Zero->getValue() == 0 && !Bytes->getBeginLoc().isMacroID();
}

} // namespace

Relaunch relaunch(const FunctionDecl *Kernel, const LaunchIndex &Index,
                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Relaunch R;
  auto no = [&](const llvm::Twine &Why) {
    R.Not = Why.str();
    R.Launches.clear();
    return R;
  };
  const FunctionDecl *Written = writtenKernel(Kernel);
  if (!Kernel->hasAttr<CUDAGlobalAttr>())
    return no("it is declared in a function that kernels call");
  if (Written->getPreviousDecl() || Written->getMostRecentDecl() != Written)
    return no("the kernel is declared apart from its definition, so that other "
              "files may launch it");
  TemplateSpecializationKind Kind = Kernel->getTemplateSpecializationKind();
  if (Kind != TSK_Undeclared && Kind != TSK_ImplicitInstantiation)
    return no("the kernel is specialised or instantiated by hand, so that "
              "other files may launch it");

  llvm::SmallSet<SourceLocation, 8> Known;
  FileID File = SM.getFileID(SM.getExpansionLoc(Written->getLocation()));
  for (const auto &[Launched, All] : Index.Of) {
    if (writtenKernel(Launched) != Written)
      continue;
    for (const Launch &L : All) {
      std::string At = "the launch in line " +
                       std::to_string(SM.getExpansionLineNumber(L.Where)) + " ";
      const DeclRefExpr *Callee = L.Call ? calleeOf(L.Call) : nullptr;
      if (!Callee || isa<VarDecl>(Callee->getDecl()))
        return no(At + "does not name the kernel in `<<<…>>>` form");
      if (L.Call->getBeginLoc().isMacroID() ||
          L.Call->getEndLoc().isMacroID() || Callee->getLocation().isMacroID())
        return no(At + "is in a macro");
      if (SM.getFileID(L.Where) != File)
        return no(At + "is in another file than the kernel");
      if (!namesItsInstance(Callee))
        return no(At + "leaves template arguments to be deduced");
      if (!hasRoom(L.Call, Context))
        return no(At + "gives the kernel dynamic shared memory already");
      if (Known.insert(Callee->getLocation()).second)
        R.Launches.push_back(L.Call);
    }
  }
  if (R.Launches.empty())
    return no("no launch of the kernel is in this file");
  auto It = Index.Mentions.find(Written->getCanonicalDecl());
  if (It != Index.Mentions.end())
    for (SourceLocation L : It->second)
      if (!Known.contains(L))
        return no("the kernel is named outside its launches in line " +
                  llvm::Twine(SM.getExpansionLineNumber(L)));
  llvm::sort(R.Launches, [&](const auto *A, const auto *B) {
    return SM.isBeforeInTranslationUnit(A->getBeginLoc(), B->getBeginLoc());
  });
  return R;
}

} // namespace kpipe
