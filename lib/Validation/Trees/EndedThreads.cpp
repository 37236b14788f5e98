// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over statements and callees, see EndedThreads.h.
#include "EndedThreads.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace kpipe {

static bool ends(const Stmt *S, std::set<const FunctionDecl *> &Known) {
  if (!S)
    return false;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    const std::string Text = A->getAsmString();
    return Text.find("exit") != Text.npos || Text.find("ret") != Text.npos;
  }
  // Destructors are not written where they run.
  auto destroyed = [](QualType T) {
    const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return R && R->hasDefinition() && R->hasNonTrivialDestructor() &&
           !isToolkits(R);
  };
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One); V && destroyed(V->getType()))
        return true;
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(S);
      B && destroyed(B->getType()))
    return true;
  const auto *Call = dyn_cast<CallExpr>(S);
  const auto *Made = dyn_cast<CXXConstructExpr>(S);
  const FunctionDecl *F = Call   ? Call->getDirectCallee()
                          : Made ? Made->getConstructor()
                                 : nullptr;
  if (Call && !F)
    return true;
  const FunctionDecl *Body = nullptr;
  if (F && !isToolkits(F) && Known.insert(F).second && F->hasBody(Body) &&
      ends(Body->getBody(), Known))
    return true;
  return llvm::any_of(S->children(),
                      [&](const Stmt *Kid) { return ends(Kid, Known); });
}

bool endsThreads(const Stmt *S) {
  std::set<const FunctionDecl *> Known;
  return ends(S, Known);
}

} // namespace kpipe
