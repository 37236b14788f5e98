// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Degrees of bank conflicts of patterns that are known from the literature, and
// the paddings that follow from them.
#include "kpipe/BankConflicts.h"
#include "Planning/Padding.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace kpipe;

namespace {

/// 32 lanes, of which each has the address that Of gives.
template <typename Place> unsigned degree(unsigned Bytes, Place Of) {
  std::vector<std::optional<int64_t>> Lanes;
  for (int64_t I = 0; I != 32; ++I)
    Lanes.push_back(Of(I));
  return bankConflictDegree(Lanes, Bytes);
}

TEST(BankConflicts, StridesOfWords) {
  for (int64_t Stride = 1; Stride != 65; ++Stride)
    EXPECT_EQ(degree(4, [&](int64_t I) { return I * Stride * 4; }),
              std::gcd(Stride, int64_t(32)))
        << Stride;
}

TEST(BankConflicts, OneWordIsBroadcast) {
  EXPECT_EQ(degree(4, [](int64_t) { return 128; }), 1u);
  // Two halves of a word, two words of one bank.
  EXPECT_EQ(degree(2, [](int64_t I) { return I * 2; }), 1u);
  EXPECT_EQ(degree(4, [](int64_t I) { return I % 2 * 128; }), 2u);
  // A half that begins in the last word of one row ends in the same.
  EXPECT_EQ(degree(1, [](int64_t I) { return I % 4 + 124; }), 1u);
}

TEST(BankConflicts, WideAccessesAreServedInParts) {
  EXPECT_EQ(degree(8, [](int64_t I) { return I * 8; }), 1u);
  EXPECT_EQ(degree(16, [](int64_t I) { return I * 16; }), 1u);
  EXPECT_EQ(degree(16, [](int64_t I) { return I * 32; }), 2u);
  EXPECT_EQ(degree(16, [](int64_t I) { return I * 128; }), 8u);
  EXPECT_EQ(degree(16, [](int64_t I) { return I * 144; }), 1u);
  EXPECT_EQ(degree(8, [](int64_t I) { return I * 128; }), 16u);
  // Quarters do not meet: each begins where the last one did.
  EXPECT_EQ(degree(16, [](int64_t I) { return I % 8 * 16 + I / 8 * 128; }), 1u);
}

TEST(BankConflicts, LanesThatTakeNoPart) {
  EXPECT_EQ(bankConflictDegree({}, 4), 0u);
  EXPECT_EQ(
      degree(4, [](int64_t) -> std::optional<int64_t> { return std::nullopt; }),
      0u);
  EXPECT_EQ(degree(4,
                   [](int64_t I) -> std::optional<int64_t> {
                     return I % 4 ? std::nullopt : std::optional(I * 128);
                   }),
            8u);
}

TEST(BankConflicts, AddressesMayBeRelative) {
  EXPECT_EQ(degree(4, [](int64_t I) { return (I - 16) * 4; }), 1u);
  EXPECT_EQ(degree(4, [](int64_t I) { return (I - 16) * 128; }), 32u);
  EXPECT_EQ(degree(2, [](int64_t I) { return I * 2 - 64; }), 1u);
}

/// An access of Lanes lanes to rows and columns of their own.
template <typename Place>
RowAccess access(unsigned Bytes, bool Write, Place Of, int Lanes = 32) {
  RowAccess A;
  A.Bytes = Bytes;
  A.Write = Write;
  WarpPlaces Warp;
  for (int I = 0; I != Lanes; ++I)
    Warp[I] = Of(I);
  A.Warps.push_back(Warp);
  return A;
}

/// The one conflict of an array of Rows x Columns elements, or an empty one.
BankConflict conflictOf(SharedLayout Layout, unsigned Alignment = 4) {
  TileLoop Loop;
  StagedBuffer B;
  B.Alignment = Alignment;
  Loop.Buffers.push_back(B);
  KernelShape Kernel;
  Kernel.Layouts.push_back(std::move(Layout));
  std::vector<BankConflict> All = findConflicts(Loop, Kernel);
  return All.empty() ? BankConflict() : All.front();
}

SharedLayout layout(uint64_t Rows, uint64_t Columns, uint64_t Bytes) {
  SharedLayout L;
  L.Rows = Rows;
  L.ElementBytes = Bytes;
  L.RowBytes = Columns * Bytes;
  L.PadMultiple = Bytes;
  return L;
}

LanePlace column(int I) { return {I, 0}; }
LanePlace row(int I) { return {0, I * 4}; }

TEST(Padding, OneWordParesAColumn) {
  SharedLayout L = layout(32, 32, 4);
  L.Accesses = {access(4, true, row), access(4, false, column)};
  BankConflict C = conflictOf(L);
  EXPECT_EQ(C.Degree, 32u);
  EXPECT_EQ(C.Spacing.str(), "threads are 128 bytes apart");
  EXPECT_EQ(C.PadElements, 1u);
  EXPECT_EQ(C.PadBytes, 128u);
  EXPECT_EQ(C.ReadsAfter, 1u);
  EXPECT_EQ(C.WritesAfter, 1u);
}

TEST(Padding, WideStoresAllowWideStepsOnly) {
  SharedLayout L = layout(32, 32, 4);
  L.PadMultiple = 16;
  L.Accesses = {access(16, true,
                       [](int I) {
                         return LanePlace{I / 8, I % 8 * 16};
                       }),
                access(4, false, column)};
  BankConflict C = conflictOf(L, 16);
  EXPECT_EQ(C.PadElements, 4u);
  EXPECT_EQ(C.ReadsAfter, 4u);
}

TEST(Padding, RowsOfMatrices) {
  SharedLayout L = layout(128, 64, 2);
  L.PadMultiple = 16;
  L.Accesses = {access(16, false, column, 8)};
  L.Accesses.back().Matrix = true;
  BankConflict C = conflictOf(L, 32);
  EXPECT_EQ(C.Degree, 8u);
  EXPECT_EQ(C.Spacing.str(), "rows are 128 bytes apart");
  EXPECT_EQ(C.PadElements, 8u);
  EXPECT_EQ(C.ReadsAfter, 1u);
}

TEST(Padding, StagesKeepTheirAlignment) {
  // 3 rows of 128 + 16 bytes are 432: the second stage would begin at no
  // multiple of 32.
  SharedLayout L = layout(3, 64, 2);
  L.PadMultiple = 16;
  L.Accesses = {access(16, false, column, 3)};
  EXPECT_EQ(conflictOf(L, 16).PadElements, 8u);
  EXPECT_EQ(conflictOf(L, 32).PadElements, 16u);
  L.Alignment = 32;
  EXPECT_EQ(conflictOf(L, 16).PadElements, 16u);
}

TEST(Padding, NeighboursAreJoined) {
  // Four words in a row for each thread, one in each iteration: a compiler
  // reads them at once, and then nothing conflicts.
  SharedLayout L = layout(8, 128, 4);
  L.Accesses = {access(4, false, [](int I) { return LanePlace{0, I * 16}; })};
  EXPECT_EQ(conflictOf(L).Degree, 4u);
  L.Accesses.back().Joinable = true;
  EXPECT_EQ(conflictOf(L).Degree, 0u);
  // Rows of 132 bytes keep it from doing so, which costs more than it gains.
  L.Accesses.push_back(access(4, true, column, 8));
  EXPECT_EQ(conflictOf(L).PadElements, 4u);
  EXPECT_EQ(conflictDegree(L.Accesses[0], 516), 4u);
  EXPECT_EQ(joinedDegree(L.Accesses[0], 512), 1u);
  // A column is one of conflicts however wide the accesses are.
  RowAccess Column = access(4, false, column);
  Column.Joinable = true;
  EXPECT_EQ(joinedDegree(Column, 128), 8u);
  EXPECT_EQ(joinedDegree(Column, 132), 1u);
}

TEST(Padding, NothingIsSaidWithoutAConflict) {
  SharedLayout L = layout(32, 32, 4);
  L.Accesses = {access(4, true, row), access(4, false, row)};
  EXPECT_EQ(conflictOf(L).Degree, 0u);
}

TEST(Padding, SaysWhyNot) {
  SharedLayout L = layout(32, 32, 4);
  L.Accesses = {access(4, false, column)};
  L.NotPadded = msg::lambda_uses_it;
  BankConflict C = conflictOf(L);
  EXPECT_EQ(C.Degree, 32u);
  EXPECT_EQ(C.PadElements, 0u);
  EXPECT_TRUE(C.NotPadded.is(msg::lambda_uses_it));
  // Rows of 128 bytes longer conflict as before.
  L.NotPadded = {};
  L.PadMultiple = 128;
  EXPECT_EQ(conflictOf(L).NotPadded.str(),
            "no padding that keeps its accesses aligned is worth its bytes");
}

} // namespace
