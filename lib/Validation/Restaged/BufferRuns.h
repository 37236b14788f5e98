// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is each tile there when it is read, and is nobody reading a buffer that is
// copied to? Copies, commits, waits, barriers and reads are run turn by turn.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_BUFFERRUNS_H
#define KPIPE_LIB_VALIDATION_BUFFERRUNS_H

#include "BufferIndex.h"
#include "kpipe/Message.h"
#include <vector>

namespace kpipe {

struct BufferEvent {
  enum Kind {
    Copy, ///< of a tile to a buffer
    Commit,
    Wait,    ///< for all groups but the last ones
    WaitAll, ///< for all copies
    Barrier,
    Read
  } What = Read;
  const Tree *At = nullptr;
  /// Of a copy or a read: the array, by its number, and which buffer.
  unsigned Array = 0;
  ByTurn Buffer{};
  /// Only where another turn follows, or only where none does.
  bool IfMore = false, IfLast = false;
  /// Of a wait: groups that may stay in flight.
  int64_t Keep = 0;
};

/// A loop as events.
struct BufferedLoop {
  std::vector<BufferEvent> Before, Turn;
  /// How many turns after its copy in the loop a tile is read.
  int Ahead = 0;
};

struct BufferFault {
  const Tree *At = nullptr;
  Message Why;
};

/// \returns what goes wrong with an array; none: each turn reads its own tile.
std::optional<BufferFault> findBufferFault(const BufferedLoop &Loop,
                                           unsigned Array);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_BUFFERRUNS_H
