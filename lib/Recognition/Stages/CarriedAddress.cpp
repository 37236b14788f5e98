// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that outlive an iteration, see CarriedAddress.h.

#include "CarriedAddress.h"
#include "AddressFlow.h"
#include "Support/RuleSwitch.h"
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
  // Stages that are so far apart have the low bits in common: those by which
  // rows are swizzled, also as hardware does it.
  const uint64_t Step =
      Buffer.Block ? Facts.Tile.stageAlignment() : Buffer.Bytes;
  if (!Flow.bitsAsked() || Step % 1024 == 0 ||
      ruleIsSwitchedOff("address-bits"))
    return std::nullopt;
  AddressFlow Numbers(*Facts.In, Buffer, true);
  Numbers.run(Code);
  if (const Stmt *Asks = Numbers.bitsAsked())
    return CarriedAddress{startOf(Asks), nullptr, true};
  return std::nullopt;
}

} // namespace kpipe
