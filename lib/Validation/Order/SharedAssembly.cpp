// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over statements and callees, see SharedAssembly.h.
#include "SharedAssembly.h"
#include "clang/AST/ExprCXX.h"
#include <set>

using namespace clang;

namespace kpipe {

namespace {

class AssemblyWalk {
public:
  /// \param Of what to look for: a function's name or an assembly's text.
  explicit AssemblyWalk(bool (*Of)(llvm::StringRef Text, bool IsName)) : Of(Of) {}

  const Stmt *find(const Stmt *S) {
    if (!S)
      return nullptr;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S);
        A && Of(A->getAsmString(), false))
      return S;
    const FunctionDecl *F = nullptr, *Body = nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      F = Call->getDirectCallee();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(S))
      F = Made->getConstructor();
    if (F && Known.insert(F).second &&
        (Of(F->getNameAsString(), true) ||
         (F->hasBody(Body) && find(Body->getBody()))))
      return S;
    for (const Stmt *Kid : S->children())
      if (const Stmt *Found = find(Kid))
        return Found;
    return nullptr;
  }

private:
  bool (*Of)(llvm::StringRef, bool);
  std::set<const FunctionDecl *> Known;
};

/// What the copy engine does at the block's own memory is spelled so, too.
bool isOfOtherBlock(llvm::StringRef Text, bool IsName) {
  if (IsName)
    return Text.contains("map_shared_rank");
  return Text.contains("mapa") || Text.contains("multicast") ||
         (Text.contains("::cluster") && !Text.contains("bulk") &&
          !Text.contains("mbarrier") && !Text.contains("fence"));
}

bool asksForSize(llvm::StringRef Text, bool IsName) {
  return !IsName && Text.contains("smem_size");
}

} // namespace

bool reachesOtherBlock(const FunctionDecl *F) {
  return AssemblyWalk(isOfOtherBlock).find(F->getBody());
}

const Stmt *sharedSizeQuery(const FunctionDecl *F) {
  return AssemblyWalk(asksForSize).find(F->getBody());
}

} // namespace kpipe
