// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conflicts and paddings, see Padding.h. Every candidate is tried on all
// accesses of the array, since what helps a read may hurt a write.

#include "Padding.h"
#include "kpipe/BankConflicts.h"
#include <tuple>

namespace kpipe {

unsigned conflictDegree(const RowAccess &A, int64_t Stride) {
  unsigned Degree = 0;
  for (const WarpPlaces &Warp : A.Warps) {
    std::array<std::optional<int64_t>, WarpLanes> Addresses;
    for (unsigned I = 0; I != WarpLanes; ++I)
      if (Warp[I])
        Addresses[I] = Warp[I]->Row * Stride + Warp[I]->Column;
    Degree = std::max(Degree, bankConflictDegree(Addresses, A.Bytes));
  }
  return Degree;
}

std::string describeSpacing(const RowAccess &A, int64_t Stride) {
  std::optional<int64_t> Apart;
  unsigned Lanes = A.Matrix ? 8 : WarpLanes;
  for (const WarpPlaces &Warp : A.Warps)
    for (unsigned I = 1; I != Lanes; ++I) {
      if (!Warp[I] || !Warp[I - 1])
        continue;
      int64_t Here = (Warp[I]->Row - Warp[I - 1]->Row) * Stride +
                     Warp[I]->Column - Warp[I - 1]->Column;
      if (Apart && *Apart != Here)
        return {};
      Apart = Here;
    }
  if (!Apart)
    return {};
  return (A.Matrix ? "rows are " : "threads are ") +
         std::to_string(std::abs(*Apart)) + " bytes apart";
}

namespace {

/// Rows that are longer by all banks once conflict as before.
constexpr uint64_t MostPadding = BankCount * BankBytes;

/// All accesses of an array with rows that are Stride bytes apart.
struct Cost {
  unsigned Worst = 0, Reads = 0, Writes = 0, Sum = 0;

  Cost(const SharedLayout &Layout, uint64_t Stride) {
    for (const RowAccess &A : Layout.Accesses) {
      unsigned Degree = conflictDegree(A, Stride);
      Worst = std::max(Worst, Degree);
      Sum += Degree;
      unsigned &Kind = A.Write ? Writes : Reads;
      Kind = std::max(Kind, Degree);
    }
  }
};

/// Bytes that are best added to each row, 0 if none are.
uint64_t bestPadding(const SharedLayout &Layout, uint64_t Alignment) {
  Alignment = std::max(Alignment, Layout.Alignment);
  const Cost Now(Layout, Layout.RowBytes);
  uint64_t Best = 0;
  std::tuple<unsigned, unsigned> Least(Now.Worst, Now.Sum);
  for (uint64_t Pad = Layout.PadMultiple;
       Pad <= std::max(MostPadding, Layout.PadMultiple);
       Pad += Layout.PadMultiple) {
    // Each stage has to begin where the accesses rely on it.
    if (Layout.Rows * (Layout.RowBytes + Pad) % Alignment)
      continue;
    const Cost Then(Layout, Layout.RowBytes + Pad);
    std::tuple<unsigned, unsigned> Total(Then.Worst, Then.Sum);
    if (Total < Least && Then.Reads <= Now.Reads) {
      Best = Pad;
      Least = Total;
    }
  }
  return Best;
}

} // namespace

std::vector<BankConflict> findConflicts(const TileLoop &Loop,
                                        const KernelShape &Kernel) {
  std::vector<BankConflict> All;
  for (unsigned I = 0; I != Kernel.Layouts.size(); ++I) {
    const SharedLayout &Layout = Kernel.Layouts[I];
    BankConflict C;
    C.Buffer = I;
    for (const RowAccess &A : Layout.Accesses) {
      unsigned Degree = conflictDegree(A, Layout.RowBytes);
      if (Degree < 2 || std::tuple(Degree, !A.Write) <=
                            std::tuple(C.Degree, !C.Write))
        continue;
      C.Degree = Degree;
      C.Write = A.Write;
      C.Where = A.Where;
      C.Spacing = describeSpacing(A, Layout.RowBytes);
    }
    if (C.Degree < 2)
      continue;
    C.NotPadded = Layout.NotPadded;
    if (C.NotPadded.empty()) {
      uint64_t Pad = bestPadding(Layout, Loop.Buffers[I].Alignment);
      C.PadElements = Pad / Layout.ElementBytes;
      C.PadBytes = Pad * Layout.Rows;
      Cost After(Layout, Layout.RowBytes + Pad);
      C.ReadsAfter = After.Reads;
      C.WritesAfter = After.Writes;
      // Wide stores to rows that suit the reads often meet twice.
      if (!Pad && C.Write)
        continue;
      if (!Pad)
        C.NotPadded = "no padding that keeps its accesses aligned makes that "
                      "better";
    }
    All.push_back(std::move(C));
  }
  return All;
}

} // namespace kpipe
