// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conflicts and paddings, see Padding.h. Every candidate is tried on all
// accesses of the array, since what helps a read may hurt a write.

#include "Padding.h"
#include "kpipe/BankConflicts.h"
#include <tuple>

namespace kpipe {

/// Bytes that a lane can want at once.
constexpr unsigned WidestAccess = 16;

/// The degree if each lane takes the Bytes around what it wants, which begin at
/// a multiple of as many; nothing if that is another part of them for each.
static std::optional<unsigned> degreeOf(const RowAccess &A, int64_t Stride,
                                        int64_t Bytes) {
  // Every row has to begin at such a multiple.
  if (Bytes != int64_t(A.Bytes) && Stride % Bytes)
    return std::nullopt;
  unsigned Degree = 0;
  for (const WarpPlaces &Warp : A.Warps) {
    std::array<std::optional<int64_t>, WarpLanes> Addresses;
    std::optional<int64_t> Inside;
    for (unsigned I = 0; I != WarpLanes; ++I) {
      if (!Warp[I])
        continue;
      int64_t Address = Warp[I]->Row * Stride + Warp[I]->Column;
      int64_t Part = (Address % Bytes + Bytes) % Bytes;
      if (Bytes != int64_t(A.Bytes) && Inside.value_or(Part) != Part)
        return std::nullopt;
      Inside = Part;
      Addresses[I] = Bytes == int64_t(A.Bytes) ? Address : Address - Part;
    }
    Degree = std::max(Degree, bankConflictDegree(Addresses, Bytes));
  }
  return Degree;
}

unsigned conflictDegree(const RowAccess &A, int64_t Stride) {
  return *degreeOf(A, Stride, A.Bytes);
}

unsigned joinedDegree(const RowAccess &A, int64_t Stride) {
  unsigned Least = conflictDegree(A, Stride);
  if (A.Joinable && A.Bytes != 0)
    for (unsigned Bytes = 2 * A.Bytes; Bytes <= WidestAccess; Bytes *= 2)
      Least = std::min(Least, degreeOf(A, Stride, Bytes).value_or(Least));
  return Least;
}

Message describeSpacing(const RowAccess &A, int64_t Stride) {
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
  return {A.Matrix ? msg::rows_apart : msg::threads_apart, std::abs(*Apart)};
}

namespace {

/// Rows that are longer by all banks once conflict as before.
constexpr uint64_t MostPadding = BankCount * BankBytes;

/// All accesses of an array with rows that are Stride bytes apart.
struct Cost {
  /// As compilers can make them: the worst, the worst read, and all.
  unsigned Worst = 0, WorstRead = 0, Sum = 0;
  /// As written: the worst reads and writes, and all.
  unsigned Reads = 0, Writes = 0, Written = 0;

  Cost(const SharedLayout &Layout, uint64_t Stride) {
    for (const RowAccess &A : Layout.Accesses) {
      unsigned Degree = conflictDegree(A, Stride);
      unsigned Joined = joinedDegree(A, Stride);
      Worst = std::max(Worst, Joined);
      Sum += Joined;
      Written += Degree;
      unsigned &Kind = A.Write ? Writes : Reads;
      Kind = std::max(Kind, Degree);
      if (!A.Write)
        WorstRead = std::max(WorstRead, Joined);
    }
  }
  std::tuple<unsigned, unsigned, unsigned> total() const {
    return {Worst, Sum, Written};
  }
};

/// Are rows longer by a larger factor than accesses get faster?
bool costsMore(const Cost &Now, const Cost &Then, uint64_t Row, uint64_t Pad) {
  return Then.Worst * (Row + Pad) > Now.Worst * Row &&
         Then.Sum * (Row + Pad) > Now.Sum * Row;
}

/// Bytes that are best added to each row, 0 if none are.
uint64_t bestPadding(const SharedLayout &Layout, uint64_t Alignment) {
  Alignment = std::max(Alignment, Layout.Alignment);
  const Cost Now(Layout, Layout.RowBytes);
  uint64_t Best = 0;
  auto Least = Now.total();
  for (uint64_t Pad = Layout.PadMultiple;
       Pad <= std::max(MostPadding, Layout.PadMultiple);
       Pad += Layout.PadMultiple) {
    // Each stage has to begin where the accesses rely on it.
    if (Layout.Rows * (Layout.RowBytes + Pad) % Alignment)
      continue;
    const Cost Then(Layout, Layout.RowBytes + Pad);
    // What only looks better as it is written is not worth the bytes.
    if (Then.total() < Least && Then.WorstRead <= Now.WorstRead &&
        std::tuple(Then.Worst, Then.Sum) < std::tuple(Now.Worst, Now.Sum) &&
        !costsMore(Now, Then, Layout.RowBytes, Pad)) {
      Best = Pad;
      Least = Then.total();
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
      unsigned Least = joinedDegree(A, Layout.RowBytes);
      if (Least < 2 ||
          std::tuple(Degree, !A.Write) <= std::tuple(C.Degree, !C.Write))
        continue;
      C.Degree = Degree;
      C.LeastDegree = Least;
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
        C.NotPadded = {msg::no_padding_helps};
    }
    All.push_back(std::move(C));
  }
  return All;
}

} // namespace kpipe
