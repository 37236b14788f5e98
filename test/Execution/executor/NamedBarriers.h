// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barriers of a block that are known by a number: bar.sync and bar.arrive
// with a count of threads. Plain data; Machine lets threads wait.
#pragma once

#include "Clocks.h"

#include <cstdint>
#include <vector>

namespace kpipe::exec {

struct NamedBarrier {
  unsigned Expected = 0, Arrived = 0; ///< threads; 0 expected: nobody is there
  std::uint32_t PC = 0;               ///< of the first that came
  Clocks::Vector Released;
  std::vector<unsigned> Waiters;
};

constexpr unsigned NamedBarrierCount = 16;

} // namespace kpipe::exec
