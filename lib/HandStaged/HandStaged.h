// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that their author staged: a tile is on its way while another one is
// computed. Says how many stages there are, where that is sure: it is told of
// the first thread of a block, with numbers for what the host gives.
#ifndef KPIPE_HANDSTAGED_HANDSTAGED_H
#define KPIPE_HANDSTAGED_HANDSTAGED_H

#include "StageTrace.h"
#include "kpipe/Route.h"
#include <optional>

namespace kpipe {

/// One store of the loop to a staged array, turn by turn.
struct StagedStore {
  const clang::Stmt *At = nullptr;
  std::vector<std::pair<const clang::VarDecl *, int64_t>> Places;
  bool Async = false;
};

/// One read of a staged array, and how many turns before it its tile is stored.
struct StagedRead {
  const clang::Stmt *At = nullptr;
  unsigned Distance = 0;
  /// The store whose tile it reads, and bytes from its place.
  unsigned Store = 0;
  int64_t Delta = 0;
};

struct HandStaging {
  /// Tiles between their load and their last use; 1 is one buffer that is
  /// filled from registers.
  unsigned Stages = 0;
  unsigned Buffers = 0;
  RouteMix Routes = RouteMix::Registers;
  std::vector<StagedStore> Stores;
  std::vector<StagedRead> Reads;

  /// The store that writes a variable, or null.
  const StagedStore *storeTo(const clang::VarDecl *Base) const;
};

/// \param Trace of more turns than there may be buffers.
std::optional<HandStaging> findHandStaging(const StageTrace &Trace);

/// Turns that a trace must have for that, and the most buffers that are told.
inline constexpr unsigned TurnsToTell = 18, MostBuffers = 8;

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_HANDSTAGED_H
