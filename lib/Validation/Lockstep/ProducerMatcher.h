// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep where a warp more brings the tiles: what the kernel says of the
// threads of a block, and the producer's own part. Private to the validation.
#ifndef KPIPE_VALIDATION_PRODUCERMATCHER_H
#define KPIPE_VALIDATION_PRODUCERMATCHER_H

#include "Matcher.h"

namespace kpipe {

class ProducerMatcher {
public:
  explicit ProducerMatcher(Matcher &M);

  /// A node that is not as it was, but means the same for the author's threads;
  /// nothing for all other nodes.
  std::optional<bool> match(const Tree &A, const Tree &O);

  // Of M.Loop.
  /// `__shared__ unsigned long long empty_stages[3];`
  bool declaresEmpty(const Tree &V);
  /// `kpipe::start_stages<256>(empty_stages)`
  bool isStart(const Tree &O) const;
  /// `kpipe::sync_threads<256>()`
  bool isBarrier(const Tree &O) const;
  /// `if (threadIdx.x >= 256) { if (threadIdx.x == 256) { … } return; }`, in
  /// which a warpgroup calls `kpipe::give_registers<24>()` first. \returns what
  /// the one thread does; null for all others.
  const Tree *partOf(const Tree &O) const;
  /// `kpipe::take_registers<240>()`
  bool takesRegisters(const Tree &O) const;
  /// The mbarrier of a stage that is free. \param Stage becomes its index.
  bool isEmpty(const Tree &O, const Tree *&Stage) const;
  /// With which stage the producer's parity flips, and which stage lies behind
  /// the one that is freed.
  unsigned flipsAt() const;

private:
  Matcher &M;
  const DeclaredLoop *Of = nullptr; ///< of the function

  bool comparesThread(const Tree &O, llvm::StringRef Op) const;
  /// What stands for A does all that it does.
  void allRuns(const Tree &A);
  std::optional<bool> matchSize(const Tree &A, const Tree &O);
  std::optional<bool> matchIssue(const Tree &A, const Tree &O);
  std::optional<bool> matchGuard(const Tree &A, const Tree &O);
  /// A primitive whose first template argument is this.
  bool calls(const Tree &O, llvm::StringRef Name, unsigned Argument) const;
  bool callsPlainly(const Tree &O, llvm::StringRef Name,
                    unsigned Argument) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_PRODUCERMATCHER_H
