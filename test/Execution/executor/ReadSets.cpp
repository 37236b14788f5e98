// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets are found again through a table of hashes in which newer ones replace
// older ones: a set that was made twice costs memory only. See ReadSets.h.
#include "ReadSets.h"

using namespace kpipe::exec;

std::uint32_t ReadSets::add(std::uint32_t Set, unsigned Thread, unsigned Tick,
                            std::uint32_t PC) {
  const Read &Last = All[Set];
  if (Set && Last.Thread == Thread) {
    if (Last.Tick == Tick)
      return Set; // its first place speaks for all
    Set = Last.Older;
  }
  std::uint64_t Hash = (std::uint64_t(Set) << 32 | PC) * 0x9E3779B97F4A7C15ull ^
                       (Thread << 16 | Tick) * 0xD1B54A32D192ED03ull;
  std::uint32_t &Slot = Known[(Hash ^ Hash >> 32) % CacheSize];
  if (Slot && Slot < All.size()) {
    const Read &R = All[Slot];
    if (R.Older == Set && R.PC == PC && R.Thread == Thread && R.Tick == Tick)
      return Slot;
  }
  if (All[Set].Length >= LongestSet)
    Set = shortened(Set);
  All.push_back({Set, PC, std::uint16_t(Thread), std::uint16_t(Tick),
                 Set ? All[Set].Length + 1 : 1});
  return Slot = std::uint32_t(All.size() - 1);
}

// The newest read of each thread stands for its older ones.
std::uint32_t ReadSets::shortened(std::uint32_t Set) {
  std::vector<bool> Here(0x10000);
  std::uint32_t Result = 0, Length = 0;
  for (std::uint32_t I = Set; I; I = All[I].Older) {
    Read R = All[I];
    if (Here[R.Thread])
      continue;
    Here[R.Thread] = true;
    R.Older = Result;
    R.Length = ++Length;
    All.push_back(R);
    Result = std::uint32_t(All.size() - 1);
  }
  return Result;
}
