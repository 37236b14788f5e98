// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the loop stands in, all instances, in both texts. See
// kpipe/RemappedMeaning.h.
#include "kpipe/RemappedMeaning.h"
#include "Code/AstUtils.h"
#include "PiecesRun.h"
#include "Validation/Storage/AllCome.h"
#include "Validation/Trees/WrittenAround.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The innermost loop around a statement of F.
const Stmt *innermostLoop(const Stmt *S, const FunctionDecl *F) {
  const Stmt *Loop = nullptr;
  for (const Stmt *On : pathTo(S, F->getBody()))
    if (isa<ForStmt, WhileStmt, DoStmt>(On))
      Loop = On;
  return Loop;
}

} // namespace

bool bringTheSame(ASTContext &Author, ASTContext &Remapped, const Place &Where,
                  std::array<unsigned, 3> Block) {
  const auto Old = functionsAround(Author, Where),
             New = functionsAround(Remapped, Where);
  if (Old.empty() || Old.size() != New.size())
    return false;
  const CodeIndex Index(Remapped);
  for (const FunctionDecl *F : Old) {
    const std::unique_ptr<Tree> A = treeOf(F, Author);
    bool Found = false;
    for (const FunctionDecl *G : New) {
      const std::unique_ptr<Tree> B = treeOf(G, Remapped);
      if (A->Name != B->Name)
        continue;
      const RemappedCode Code = compareRemapped(*A, *B);
      Found = Code.Same && !Code.Branches.empty() &&
              llvm::all_of(Code.Branches, [&](const RemappedBranch &Branch) {
                const Stmt *Loop = innermostLoop(Branch.If, G);
                return Loop && allCome(Loop, G, Index) &&
                       bringTheSame(Remapped, G, Branch, Block);
              });
      break;
    }
    if (!Found)
      return false;
  }
  return true;
}

} // namespace kpipe
