// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one run of a program is steered: when asynchronous copies land and in
// which order threads run. Plain values; knows nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

/// When the bytes of an asynchronous copy arrive: at issue, when a wait forces
/// them, or at a random moment in between. (That they may be *used* only after
/// the wait is checked in every mode.)
enum class Completion : std::uint8_t { Early, Late, Random };

/// In which order the threads of a block run between two barriers, and the
/// blocks of a grid.
enum class Order : std::uint8_t { Forward, Reverse, Shuffled };

struct Config {
  Completion Mode = Completion::Late;
  Order Threads = Order::Forward;
  std::uint64_t Seed = 1;
  bool Clocks = false; ///< vector clocks also where intervals would do
};

inline const char *name(Completion M) {
  return M == Completion::Early  ? "early"
         : M == Completion::Late ? "late"
                                 : "random";
}
inline const char *name(Order O) {
  return O == Order::Forward   ? "forward"
         : O == Order::Reverse ? "reverse"
                               : "shuffled";
}

/// xorshift64*: small, seeded, the same everywhere.
class Random {
  std::uint64_t State;

public:
  explicit Random(std::uint64_t Seed)
      : State(Seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
  std::uint64_t next() {
    State ^= State >> 12;
    State ^= State << 25;
    State ^= State >> 27;
    return State * 0x2545F4914F6CDD1Dull;
  }
  unsigned below(unsigned N) { return unsigned((next() >> 33) % N); }
};

} // namespace kpipe::exec
