// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of the block copy, and nothing in the loop reaches the buffer but
// by names that mean a stage there, see KeptContents.h.

#include "KeptContents.h"
#include "OutsideAddresses.h"
#include "Recognition/Body/WhoComes.h"
#include "Recognition/TileCopies/CopyLoops.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Bytes that the runtime's functions copy at once.
constexpr uint64_t CopiedAtOnce = 16;
/// Two copies of a tile within shared memory take about as long as a turn of
/// the loop: a loop that is known to have fewer turns gains less.
constexpr uint64_t FewestTurns = 16;

/// An access that may be one of any shared memory, by whatever address.
bool accessesAnything(const LoopFacts &Facts) {
  return llvm::any_of(Facts.Body.Memory, [](const MemoryAccess &A) {
    return A.Root.Where == Space::Unknown ||
           (A.Root.Where == Space::Shared && !A.Root.Var);
  });
}

} // namespace

Message whyNotCopied(const LoopFacts &Facts, const StagedBuffer &B,
                     llvm::ArrayRef<Mention> Outside) {
  if (!Facts.Tile.Function->hasAttr<CUDAGlobalAttr>())
    return msg::function_may_copy_apart;
  if (Facts.Tile.Bulk)
    return msg::copy_engine_fills_it;
  if (ruleIsSwitchedOff("kept-contents"))
    return {};
  if (!allThreadsCome(Facts))
    return msg::not_all_threads_copy;
  // Of an array the name becomes a reference to its first stage.
  if (llvm::any_of(Outside, [&](const Mention &M) {
        return M.InClosure || (!B.Block && M.Fixed);
      }))
    return msg::closure_names_it;
  if (auto From = addressFromOutside(Facts, B))
    return From->Keeper ? Message(msg::address_comes_from_outside,
                                  quoted(From->Keeper))
                        : Message(msg::address_is_kept_outside);
  if (accessesAnything(Facts))
    return msg::accesses_untraced;
  if (!B.Block && B.Bytes % CopiedAtOnce != 0)
    return msg::copies_whole_16_bytes;
  if (const auto *For = dyn_cast<ForStmt>(Facts.Tile.Loop))
    if (uint64_t Turns = describeCopyLoop(For, *Facts.In).Trips;
        Turns && Turns < FewestTurns)
      return {msg::too_few_turns_to_copy, Turns};
  return {};
}

} // namespace kpipe
