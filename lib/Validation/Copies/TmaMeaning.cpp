// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel with the loop, and its launches, in both texts. See
// kpipe/TmaMeaning.h.
#include "kpipe/TmaMeaning.h"
#include "TmaLaunches.h"
#include "Validation/Trees/WrittenAround.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace kpipe {

bool engineBringsTheSame(ASTContext &Author, ASTContext &Engine,
                         const Place &Where, std::array<unsigned, 3> Block) {
  const auto Old = functionsAround(Author, Where),
             New = functionsAround(Engine, Where);
  if (Old.empty() || Old.size() != New.size())
    return false;
  // Instances come in one order in both.
  for (size_t I = 0; I != Old.size(); ++I) {
    const FunctionDecl *F = Old[I], *G = New[I];
    const std::unique_ptr<Tree> A = treeOf(F, Author), B = treeOf(G, Engine);
    if (A->Label != B->Label)
      return false;
    const TmaCode Code = compareTma(*A, *B, Author);
    if (!Code.Same)
      return false;
    const auto Matrices = matricesOfLaunches(Author, F, Engine, G, Code);
    if (!Matrices ||
        !bringsTheSame(Author, F, Engine, G, Code, *Matrices, Block))
      return false;
  }
  return true;
}

} // namespace kpipe
