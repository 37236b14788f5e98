// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When two turns of loops, or two places, read the same elements.
#include "Metrics/ElementTurns.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

const int K = 0, J = 0;

LinearIndex index(int64_t OfK, int64_t OfJ, int64_t Constant = 0,
                  const char *Rest = "") {
  LinearIndex I;
  if (OfK)
    I.Terms.push_back({&K, OfK});
  if (OfJ)
    I.Terms.push_back({&J, OfJ});
  I.Constant = Constant;
  I.Rest = Rest;
  return I;
}

ValueOfElements value(std::initializer_list<LinearIndex> Rows,
                      int64_t StepOfK = 1) {
  ValueOfElements V;
  V.Loops = {{&K, StepOfK, 8}, {&J, 1, 8}};
  ElementRead Read;
  static const int Array = 0;
  Read.Array = &Array;
  for (const LinearIndex &I : Rows)
    Read.Indices.emplace_back(I);
  V.Reads.push_back(Read);
  return V;
}

TEST(ElementTurns, AnIndexForEachLoopTellsTurnsApart) {
  EXPECT_TRUE(readsOthersEachTurn(value({index(1, 0), index(0, 1)})));
  EXPECT_TRUE(readsOthersEachTurn(value({index(1, 1), index(0, 1)})));
  EXPECT_TRUE(readsOthersEachTurn(value({index(0, -1), index(1, 1)})));
  EXPECT_FALSE(readsOthersEachTurn(value({index(1, 0)})));
  EXPECT_FALSE(readsOthersEachTurn(value({index(1, 1)})));
  EXPECT_FALSE(readsOthersEachTurn(value({index(1, 1), index(1, 1)})));
  EXPECT_FALSE(readsOthersEachTurn(value({index(0, 0, 3)})));
}

TEST(ElementTurns, DigitsTellTurnsApart) {
  EXPECT_TRUE(readsOthersEachTurn(value({index(8, 1)})));
  EXPECT_TRUE(readsOthersEachTurn(value({index(1, 8)})));
  EXPECT_TRUE(readsOthersEachTurn(value({index(-8, 1)})));
  EXPECT_FALSE(readsOthersEachTurn(value({index(7, 1)})));
  EXPECT_TRUE(readsOthersEachTurn(value({index(4, 1)}, /*StepOfK=*/2)));
}

TEST(ElementTurns, WhatIsNotLinearTellsNothing) {
  ValueOfElements V = value({index(1, 0), index(0, 1)});
  V.Reads[0].Indices[1].reset();
  EXPECT_FALSE(readsOthersEachTurn(V));
  V.Loops.pop_back();
  EXPECT_TRUE(readsOthersEachTurn(V));
}

TEST(ElementTurns, PlacesDifferByWhatNoTurnMakesUpFor) {
  EXPECT_TRUE(readOtherElements(value({index(0, 0, 1)}), value({index(0, 0)})));
  EXPECT_FALSE(readOtherElements(value({index(1, 0, 1)}), value({index(1, 0)})));
  EXPECT_TRUE(readOtherElements(value({index(2, 4, 1)}), value({index(2, 4)})));
  EXPECT_FALSE(readOtherElements(value({index(2, 4, 6)}), value({index(2, 4)})));
  EXPECT_FALSE(readOtherElements(value({index(2, 0, 1)}), value({index(0, 2)})));
  EXPECT_FALSE(readOtherElements(value({index(0, 0, 1, "a")}),
                                 value({index(0, 0, 0, "b")})));
  EXPECT_TRUE(readOtherElements(value({index(0, 0, 1, "a")}),
                                value({index(0, 0, 0, "a")})));
  EXPECT_FALSE(readOtherElements(value({index(0, 0)}), value({index(0, 0)})));
}

TEST(ElementTurns, OtherArraysAreOtherElementsIfAllAreKnown) {
  ValueOfElements A = value({index(1, 0)}), B = A;
  static const int Other = 0;
  B.Reads[0].Array = &Other;
  EXPECT_TRUE(readOtherElements(A, B));
  B.Complete = false;
  EXPECT_FALSE(readOtherElements(A, B));
  // Which read of the array is which?
  ValueOfElements C = value({index(0, 0)}), D = value({index(0, 0, 1)});
  C.Reads.push_back(D.Reads[0]);
  D.Reads.push_back(C.Reads[0]);
  EXPECT_FALSE(readOtherElements(C, D));
}

} // namespace
