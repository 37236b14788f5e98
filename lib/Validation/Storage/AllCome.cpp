// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AllCome.h.
#include "AllCome.h"
#include "Validation/Trees/SameForAll.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool allCome(const Stmt *At, const FunctionDecl *F, const CodeIndex &Index,
             unsigned Depth) {
  constexpr unsigned MostDepth = 8;
  const std::unique_ptr<Tree> Whole = treeOf(F, Index.context());
  const SameForAll Same(*Whole);
  unsigned Times = 0;
  bool Come = true;
  eachNode(*Whole, [&](const Tree &T) {
    if (T.Origin != originOf(At))
      return;
    ++Times;
    Come &= Same.come(T);
  });
  if (!Come || Times != 1 || Depth == MostDepth)
    return false;
  if (F->hasAttr<CUDAGlobalAttr>())
    return true;
  const auto Calls = Index.callsOf(F);
  return !Index.hidden(F) && !Calls.empty() &&
         llvm::all_of(Calls, [&](const CodeIndex::Call &C) {
           return C.In && allCome(C.At, C.In, Index, Depth + 1);
         });
}

} // namespace kpipe
