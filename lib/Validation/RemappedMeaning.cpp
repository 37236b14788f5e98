// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the loop stands in, all instances, in both texts. See
// kpipe/RemappedMeaning.h.
#include "kpipe/RemappedMeaning.h"
#include "PiecesRun.h"
#include "WrittenAround.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool bringTheSame(ASTContext &Author, ASTContext &Remapped, const Place &Where,
                  std::array<unsigned, 3> Block) {
  const auto Old = functionsAround(Author, Where),
             New = functionsAround(Remapped, Where);
  if (Old.empty() || Old.size() != New.size())
    return false;
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
                return bringTheSame(Remapped, G, Branch, Block);
              });
      break;
    }
    if (!Found)
      return false;
  }
  return true;
}

} // namespace kpipe
