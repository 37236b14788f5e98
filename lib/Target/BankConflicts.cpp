// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts words per bank, see kpipe/BankConflicts.h.

#include "kpipe/BankConflicts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>

namespace kpipe {

/// Floor, for addresses relative to something in the middle.
static int64_t wordOf(int64_t Address) {
  return (Address - (Address % BankBytes + BankBytes) % BankBytes) / BankBytes;
}

unsigned bankConflictDegree(llvm::ArrayRef<std::optional<int64_t>> Addresses,
                            unsigned Bytes) {
  if (Bytes == 0)
    return 0;
  unsigned Words = (Bytes + BankBytes - 1) / BankBytes;
  size_t AtOnce = std::max(WarpLanes / Words, 1u);
  unsigned Degree = 0;
  for (size_t First = 0; First < Addresses.size(); First += AtOnce) {
    std::array<llvm::SmallVector<int64_t, 4>, BankCount> Wanted;
    for (std::optional<int64_t> Address :
         Addresses.slice(First, std::min(AtOnce, Addresses.size() - First))) {
      if (!Address)
        continue;
      int64_t Last = wordOf(*Address + Bytes - 1);
      for (int64_t Word = wordOf(*Address); Word <= Last; ++Word) {
        auto &Bank =
            Wanted[(Word % int64_t(BankCount) + BankCount) % BankCount];
        if (!llvm::is_contained(Bank, Word))
          Bank.push_back(Word);
        Degree = std::max<unsigned>(Degree, Bank.size());
      }
    }
  }
  return Degree;
}

} // namespace kpipe
