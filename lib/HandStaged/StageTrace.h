// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the first thread of a block does to shared memory on its way to a loop,
// in the loop's turns and behind it, with concrete numbers. Judges nothing.
#ifndef KPIPE_HANDSTAGED_STAGETRACE_H
#define KPIPE_HANDSTAGED_STAGETRACE_H

#include "Code/AsyncOps.h"
#include "Code/Scope.h"
#include <array>
#include <vector>

namespace kpipe {

enum class TraceKind {
  Write,  ///< to shared memory
  Read,   ///< of shared memory
  Fetch,  ///< of global memory, by a load or a copy
  Commit, ///< of the copies before it
  Wait,   ///< until Keep groups are left
  Barrier ///< of the block
};

struct TraceEvent {
  TraceKind Kind = TraceKind::Read;
  /// Of the loop, from 0; -1 before it.
  int Turn = -1;
  bool After = false; ///< behind the loop
  /// The mention, or the call that it is in.
  const clang::Stmt *At = nullptr;
  /// The place, if that is known: a variable and bytes.
  const clang::VarDecl *Base = nullptr;
  int64_t Offset = 0;
  /// The root that the text gives, where there is one.
  const clang::VarDecl *Array = nullptr;
  /// A cp.async; one that copies on conditions of its own.
  bool Async = false, Guarded = false;
  /// What is stored was loaded from global memory; hangs on shared memory.
  bool FromGlobal = false, FromShared = false;
  /// Nobody knows whether it happens.
  bool Maybe = false;
  unsigned Keep = 0;
};

struct StageTrace {
  std::vector<TraceEvent> Events;
  /// Turns that were run to their end.
  unsigned Turns = 0;
  /// The loop's condition ended it, and what follows was run.
  bool Ends = false;
  /// Something was not followed that may use shared memory, or that copies or
  /// waits in a way that events do not tell.
  bool Unsure = false;
};

/// What a trace is made for.
struct TraceOf {
  const clang::FunctionDecl *Function;
  const clang::Stmt *Loop;
  const Scope &In;
  const AsyncOps *Ops; ///< of the function; may be null
  std::array<unsigned, 3> Block;
};

/// \param Host the value of each number that the host gives.
/// \param MostTurns how many turns to run.
StageTrace traceStages(const TraceOf &Of, int64_t Host, unsigned MostTurns);

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_STAGETRACE_H
