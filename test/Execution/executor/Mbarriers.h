// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarriers of the running block: phase, pending and expected arrivals,
// bytes that are still to come, and the clocks that go through them. Knows no
// instruction's text and nothing of how threads wait.
#pragma once

#include "Clocks.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kpipe::exec {

struct Mbarrier {
  std::size_t At; ///< offset in shared memory
  std::uint32_t Phase = 0;
  std::int64_t Expected, Pending, Bytes = 0;

  // Who made it and when, and whether the async proxy may know of it.
  std::uint32_t InitPC;
  unsigned InitThread, InitTick;
  bool InitFenced = false;

  /// What copies that complete on it do: bulk ones and cp.async.
  unsigned BulkAgent, CopyAgent;
  Clocks::Vector Arrived;          ///< in the phase that runs
  Clocks::Vector Completed;        ///< in those that are complete
  std::vector<std::uint16_t> Used; ///< by thread: the moment of its last use
  std::vector<unsigned> Waiters;   ///< suspended threads

  /// The moment of the agents in the phase that runs.
  unsigned tick() const { return Phase + 1; }
  bool isOver(bool ByParity, std::uint32_t Which) const {
    return ByParity ? (Phase & 1) != (Which & 1) : Phase > Which;
  }
};

class Mbarriers {
public:
  static constexpr std::int64_t Most = (1 << 20) - 1; ///< arrivals, and bytes

  void startBlock() { All.clear(); }
  Mbarrier *at(std::size_t Offset);
  /// Any mbarrier of which a byte lies within eight from here.
  Mbarrier *near(std::size_t Offset);
  Mbarrier &add(std::size_t Offset) { return All[Offset] = {}; }
  void remove(std::size_t Offset) { All.erase(Offset); }
  std::map<std::size_t, Mbarrier> &all() { return All; }

  /// If nothing is missing any more the next phase begins.
  static bool settle(Mbarrier &M, const Clocks &C);

private:
  std::map<std::size_t, Mbarrier> All;
};

/// "phase 3, pending 1 of 2, tx 512".
std::string describe(const Mbarrier &M);

/// The state that an arrival returns: its phase and what was pending.
std::uint64_t token(const Mbarrier &M);
bool readToken(std::uint64_t Token, std::uint32_t &Phase,
               std::uint32_t &Pending);

} // namespace kpipe::exec
