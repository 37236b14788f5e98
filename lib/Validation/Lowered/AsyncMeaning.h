// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement that copies asynchronously does, read once more and from the
// tree alone: nothing of what lib/Code found is believed. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_ASYNCMEANING_H
#define KPIPE_LIB_VALIDATION_ASYNCMEANING_H

#include "KeptBytes.h"
#include <vector>

namespace kpipe {

struct AsyncEvent {
  enum Kind {
    Copy,
    Commit,
    Wait,    ///< of a thread for its copies
    Barrier, ///< of the block
    GroupBarrier,
    Arrive,
    ArriveOn,     ///< a barrier waits for the copies so far as well
    ArriveBehind, ///< an arrival once these are there
    Quit,         ///< of a pipeline, which the thread uses no more
    Other         ///< an acquisition; a barrier is initialised
  } What = Other;

  Sum To, From;
  Sum Bytes;
  /// What both addresses are multiples of, as promised.
  unsigned Alignment = 1;
  std::optional<Truth> Kept; ///< else zeros are written
  /// So many bytes are copied, or are zeros; the others are the other.
  const Tree *Part = nullptr;
  bool PartIsZeros = false;
  const Frame *PartIn = nullptr; ///< where its names are looked up
  std::optional<Truth> Only; ///< else nothing is done
  /// The group whose threads do it together; empty: each thread by itself.
  std::string Group;

  /// What counts the copies: a pipeline or a barrier of the block, by its
  /// spelling; empty where each thread counts its own.
  std::string Object;
  bool All = false;         ///< a wait that leaves nothing in flight
  bool Uncommitted = false; ///< also of what is not committed
  /// A wait that may leave so many of the groups committed last in flight.
  std::optional<int64_t> Keep;
  /// For which arrival a thread waits: its variable, 0 if it arrives there.
  unsigned Token = 0;
  /// Of an mbarrier by its address: its name, the parity that is waited for,
  /// and how many arrivals it is initialised for.
  const Tree *At = nullptr, *Parity = nullptr, *Count = nullptr;
};

/// What an asynchronous statement of the author's does, one after the other.
struct AsyncStatement {
  std::vector<AsyncEvent> Events;
  /// Nodes that do something beside.
  unsigned Effects = 0;
};

/// \returns none for a statement that does anything else.
std::optional<AsyncStatement> asyncStatement(const Tree &S, const Frame &F);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ASYNCMEANING_H
