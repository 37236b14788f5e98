// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that outlive an iteration, see CarriedAddress.h.

#include "CarriedAddress.h"
#include "AddressFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

std::optional<CarriedAddress> carriedAddress(const LoopFacts &Facts,
                                             const StagedBuffer &Buffer) {
  AddressFlow Flow(*Facts.In, Buffer);
  llvm::SmallVector<const Stmt *, 16> Code;
  for (const BodyItem &I : Facts.Tile.Body)
    Code.push_back(I.S);
  Flow.run(Code);
  if (const Stmt *Away = Flow.storedAway())
    return CarriedAddress{startOf(Away), nullptr};
  for (const VarDecl *V : Flow.holders())
    if (Facts.Body.Exposed.count(V) && !llvm::is_contained(Buffer.Views, V))
      return CarriedAddress{V->getLocation(), V};
  return std::nullopt;
}

} // namespace kpipe
