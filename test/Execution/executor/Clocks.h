// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks of the running block: for every thread, up to which moment of
// every other it is ordered behind, and up to which a proxy fence lies in
// between. Barriers of all kinds carry them from thread to thread. What the
// hardware does by itself (bulk copies of one mbarrier, say) is an agent: a
// component of the clocks without a thread. Knows no memory and no barriers.
#pragma once

#include "Thread.h"

#include <cstdint>
#include <vector>

namespace kpipe::exec {

class Clocks {
public:
  /// A snapshot that travels through a barrier: the rows, one after another.
  using Vector = std::vector<std::uint16_t>;

  void startBlock(unsigned Threads);
  unsigned threads() const { return Threads; }

  /// A new agent; ~0u where there is no place for one more. Async: it works
  /// through the async proxy.
  unsigned addAgent(bool Async);
  bool isAgent(unsigned Who) const { return Who >= Threads; }
  bool isAsync(unsigned Who) const {
    return isAgent(Who) && Async[Who - Threads];
  }

  /// Is what Who did at its moment Tick ordered before what T does now?
  bool seen(const Thread &T, unsigned Who, unsigned Tick) const {
    return row(T.Id, Seen)[Who] >= Tick;
  }
  /// And does a proxy fence for that memory lie in between?
  bool fenced(const Thread &T, unsigned Who, unsigned Tick, bool Global) const {
    return row(T.Id, Global ? FencedGlobal : FencedShared)[Who] >= Tick;
  }
  /// Has any thread seen it?
  bool seenByAny(unsigned Who, unsigned Tick) const;
  /// Grows whenever any thread's clocks do.
  std::uint64_t version() const { return Version; }

  /// What T did so far becomes part of Into; what it does next does not.
  void release(Thread &T, Vector &Into);
  void acquire(const Thread &T, const Vector &From);
  /// T waited for an agent's moment.
  void see(const Thread &T, unsigned Who, unsigned Tick);
  static void join(Vector &Into, const Vector &From);
  /// The agent's moment becomes part of a snapshot.
  void mark(Vector &Into, unsigned Who, unsigned Tick) const;
  /// A proxy fence by T.
  void fence(Thread &T, bool Shared, bool Global);
  /// All of them are ordered: Next is called for each thread afterwards.
  void meet(Thread *const *List, unsigned Count);

  /// T's moments are numbers of 16 bits.
  static constexpr unsigned LastTick = 0xFFFF;

private:
  enum Row : unsigned { Seen, FencedShared, FencedGlobal, Rows };
  static constexpr unsigned Agents = 192;

  std::uint16_t *row(unsigned Of, unsigned R) {
    return All.data() + (std::size_t(Of) * Rows + R) * Width;
  }
  const std::uint16_t *row(unsigned Of, unsigned R) const {
    return All.data() + (std::size_t(Of) * Rows + R) * Width;
  }
  void advance(Thread &T);

  unsigned Threads = 0, Width = 0;
  std::uint64_t Version = 0;
  Vector All, Scratch;
  std::vector<bool> Async; // of each agent
};

} // namespace kpipe::exec
