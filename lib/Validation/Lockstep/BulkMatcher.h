// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep where a tile is brought by the copy engine: mbarriers with
// stages, their parity, and the author's waits that are not there any more.
// Private to the validation.
#ifndef KPIPE_VALIDATION_BULKMATCHER_H
#define KPIPE_VALIDATION_BULKMATCHER_H

#include "Matcher.h"

namespace kpipe {

class BulkMatcher {
public:
  explicit BulkMatcher(Matcher &M) : M(M) {}

  /// `__syncthreads()`.
  static bool isBlockBarrier(const Tree &O);

  /// The statement that initialises a barrier, done for each stage; nothing for
  /// all other nodes.
  std::optional<bool> matchInit(const Tree &A, const Tree &O);

  // Of the skeleton of M.Loop.
  /// `kpipe::wait_full(bar_stages[stage], parity)` and its kin; nothing for
  /// other calls.
  std::optional<bool> call(const Tree &O);
  static bool isWait(const Tree &O);
  /// From All[I] on, one wait at each barrier of the tile. \param I becomes the
  /// last of them.
  bool waitForTile(llvm::ArrayRef<const Tree *> All, size_t &I);
  /// `unsigned parity = 0;`
  bool declareParity(const Tree &O);
  /// `parity ^= stage == 0;`
  bool isFlip(const Tree &O, unsigned With = 0) const;

  /// Does a statement that went do nothing but wait: read with the validators'
  /// own walk.
  bool onlyWaits(const BodyItem &Item) const;

private:
  Matcher &M;

  unsigned barrierOfStage(const Tree &O) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_BULKMATCHER_H
