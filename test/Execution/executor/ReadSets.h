// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who read a byte since it was written last, as vector clocks need it: sets of
// (thread, moment, place). Most bytes of a stage are read by the same threads
// one after another, so that sets are lists that share their ends and are made
// once: a byte holds the number of one. Zero is the empty set.
#pragma once

#include "Clocks.h"

#include <cstdint>
#include <vector>

namespace kpipe::exec {

class ReadSets {
public:
  struct Read {
    std::uint32_t Older; ///< the rest of the set
    std::uint32_t PC;
    std::uint16_t Thread, Tick;
    std::uint32_t Length;
  };

  ReadSets() : Known(CacheSize) { startBlock(); }
  /// Forgets all sets.
  void startBlock() {
    All.resize(1);
    Ordered[0] = Ordered[1] = Ordered[2] = {};
  }

  /// The set with one more read.
  std::uint32_t add(std::uint32_t Set, unsigned Thread, unsigned Tick,
                    std::uint32_t PC);

  /// The first read for which Good does not hold, or null. Kind, 0 to 2,
  /// tells apart what is asked; its last answer is kept while clocks stand.
  template <typename Fn>
  const Read *firstBad(std::uint32_t Set, const Thread &T, unsigned Kind,
                       const Clocks &C, Fn Good) {
    Asked Question{Set, T.Id, C.version()};
    if (!Set || Question == Ordered[Kind])
      return nullptr;
    for (std::uint32_t I = Set; I; I = All[I].Older)
      if (!Good(All[I]))
        return &All[I];
    Ordered[Kind] = Question;
    return nullptr;
  }

private:
  struct Asked {
    std::uint32_t Set = 0;
    unsigned Thread = 0;
    std::uint64_t Version = 0;
    bool operator==(const Asked &O) const {
      return Set == O.Set && Thread == O.Thread && Version == O.Version;
    }
  };
  static constexpr std::size_t CacheSize = std::size_t(1) << 14;
  static constexpr std::uint32_t LongestSet = 4096;

  std::uint32_t shortened(std::uint32_t Set);

  std::vector<Read> All;
  std::vector<std::uint32_t> Known; // hash of a set with one more -> that set
  Asked Ordered[3];
};

} // namespace kpipe::exec
