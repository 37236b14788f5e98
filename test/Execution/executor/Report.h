// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects hazards: one entry per kind and pair of places in the program, with
// how often and under which configurations it showed. Knows no memory and no
// threads; addresses of code are offsets into the module and are turned into
// source lines by the front (execute.py), which alone needs debug information.
#pragma once

#include "Config.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace kpipe::exec {

/// What can go wrong. The kebab-case ids (see id()) are what tests match.
enum class Hazard : std::uint8_t {
  SharedRace,        ///< conflicting accesses in one barrier interval
  ReadInFlight,      ///< shared bytes read before the wait of their copy
  WriteInFlight,     ///< shared bytes stored while a copy to them is pending
  CopyCollision,     ///< two copies in flight to one byte
  GlobalRace,        ///< the same in global memory, within one block
  SourceWritten,     ///< global source stored while a copy reads it
  Uninitialised,     ///< shared bytes read that this block never wrote
  SharedBounds,      ///< shared access outside every array
  GlobalBounds,      ///< global access outside every buffer
  Misaligned,        ///< access or copy not aligned to its size
  BadCopy,           ///< copy not global to shared, or of an illegal size
  UndrainedCopy,     ///< copies pending when their thread ends
  ProxyFence,        ///< no proxy fence between threads and the async proxy
  BadMbarrier,       ///< an mbarrier is used as none may be
  Deadlock,          ///< no thread can ever go on
  BarrierDivergence, ///< not all live threads at the same barrier
  WarpDivergence,    ///< a warp operation that some of its lanes never reach
  WildAccess,        ///< the program faulted
  Assertion,         ///< assert() failed
  Unsupported,       ///< the executor has no stand-in for this
};
const char *id(Hazard H);

struct Finding {
  std::string Text;  ///< holds "@{pc}" marks for places in the module
  std::string Where; ///< case and label of the first occurrence
  unsigned Count = 0;
  unsigned Modes = 0;  ///< bit set over Completion
  unsigned Orders = 0; ///< bit set over Order
};

/// The hazards of one module over all its runs.
class Report {
public:
  /// Adds one occurrence. PC and OtherPC (0: none) identify the defect;
  /// Describe is only asked for the text on the first occurrence.
  template <typename Fn>
  void add(Hazard H, std::uint32_t PC, std::uint32_t OtherPC, const Config &C,
           const std::string &Where, Fn Describe) {
    Finding &F = Findings[{H, PC, OtherPC}];
    if (F.Count++ == 0) {
      F.Text = Describe();
      F.Where = Where;
    }
    F.Modes |= 1u << unsigned(C.Mode);
    F.Orders |= 1u << unsigned(C.Threads);
    Runs |= 1u << (unsigned(C.Mode) * 3 + unsigned(C.Threads));
  }

  using Key = std::tuple<Hazard, std::uint32_t, std::uint32_t>;
  std::map<Key, Finding> Findings;
  unsigned Runs = 0; ///< bit set: which runs had any
};

/// "@{1f40}": a place in the module, resolved to file:line:column by the front.
std::string place(std::uint32_t PC);

} // namespace kpipe::exec
