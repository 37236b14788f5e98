// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between two barriers of a loop, around its end if need be.
// Private to Verify.
#ifndef KPIPE_LIB_VERIFY_STRETCH_H
#define KPIPE_LIB_VERIFY_STRETCH_H

#include "TileCode.h"

namespace kpipe {

/// A stretch that issues loads. Members are indices of TileCode::Events.
struct Stretch {
  std::vector<unsigned> Events; ///< without the cut
  unsigned Cut = 0;             ///< the barrier at its end
  unsigned LastLoad = 0;
};

/// The stretches with loads, in the order of the body.
std::vector<Stretch> stretchesWithLoads(const TileCode &T);

/// How much of the compute is meant.
struct Amount {
  uint64_t Part = 0, Whole = 0;
  /// At least half: what this tool calls the bulk.
  bool isBulk() const { return Part != 0 && 2 * Part >= Whole; }
};

/// An event's weight; of an inner loop with an unknown count that many runs.
inline uint64_t weight(const TileEvent &E, uint64_t Unknown) {
  return E.Times.value_or(Unknown);
}

/// Compute of the stretch that stands behind its last load.
Amount computeAfterLoads(const TileCode &T, const Stretch &S, uint64_t Unknown);

/// The event or, for what a Load brought, the instruction that first wants what
/// the stretch's loads bring: a wait, or a reader of the register.
struct Consumer {
  unsigned Instruction = 0;
  /// Compute from the last load to it, and of the stretch.
  Amount Hidden;
};
std::optional<Consumer> firstConsumer(const TileCode &T, const Stretch &S,
                                      uint64_t Unknown);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_STRETCH_H
