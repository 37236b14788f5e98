// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods behind operators and closures, see Called.h.
#include "Called.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool copiesBits(const CXXOperatorCallExpr &Call, const SourceManager &SM) {
  const auto *F = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  if (!F || !(F->isCopyAssignmentOperator() || F->isMoveAssignmentOperator()))
    return false;
  const std::string Class = F->getParent()->getNameAsString();
  return F->isTrivial() ||
         (SM.isInSystemHeader(F->getLocation()) &&
          llvm::is_contained(
              {"__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"}, Class));
}

const CXXMethodDecl *calledIn(const LambdaExpr *L) {
  const CXXMethodDecl *Pattern = L->getCallOperator();
  const FunctionTemplateDecl *Made = Pattern->getDescribedFunctionTemplate();
  if (!Made || std::distance(Made->spec_begin(), Made->spec_end()) != 1)
    return Pattern;
  const auto *Only = cast<CXXMethodDecl>(*Made->spec_begin());
  return Only->hasBody() ? Only : Pattern;
}

} // namespace kpipe
