// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DroppedVariables.h.
#include "DroppedVariables.h"

using namespace clang;

namespace kpipe {

void dropVariables(const DeclStmt &D,
                   llvm::function_ref<bool(const VarDecl *)> Drop,
                   const SourceText &Source, std::vector<Edit> &Edits) {
  std::optional<unsigned> Begin; // of one that goes, with none kept before it
  bool Any = false;              // is one kept before?
  unsigned Before = 0;           // where the one before ends
  for (const Decl *One : D.decls()) {
    const auto *V = cast<VarDecl>(One);
    const auto Name = Source.offset(V->getLocation()),
               Last = Source.offset(V->getEndLoc());
    if (!Name || !Last)
      return;
    const unsigned End = Source.tokenEnd(*Last);
    if (Begin)
      Edits.push_back({*Begin, *Name - *Begin, ""});
    Begin.reset();
    if (!Drop(V))
      Any = true;
    else if (Any)
      Edits.push_back({Before, End - Before, ""});
    else
      Begin = *Name;
    Before = End;
  }
}

} // namespace kpipe
