// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel with the loop in both texts, all instances. See
// kpipe/BulkMeaning.h.
#include "kpipe/BulkMeaning.h"
#include "BulkRun.h"
#include "Validation/Storage/AllCome.h"
#include "Validation/Trees/WrittenAround.h"

using namespace clang;

namespace kpipe {

bool engineBringsRows(ASTContext &Author, ASTContext &Engine,
                      const Place &Where, std::array<unsigned, 3> Block) {
  const auto Old = functionsAround(Author, Where),
             New = functionsAround(Engine, Where);
  if (Old.empty() || Old.size() != New.size())
    return false;
  const CodeIndex Index(Engine);
  // Instances come in one order in both.
  for (size_t I = 0; I != Old.size(); ++I) {
    const FunctionDecl *F = Old[I], *G = New[I];
    const std::unique_ptr<Tree> A = treeOf(F, Author), B = treeOf(G, Engine);
    if (A->Label != B->Label || A->Name != B->Name)
      return false;
    const BulkCode Code = compareBulk(*A, *B, Author, Engine);
    if (!Code.Same || !allCome(Code.EngineLoop, G, Index) ||
        !bringsSameRows(Author, F, Engine, G, Code, Block))
      return false;
  }
  return true;
}

} // namespace kpipe
