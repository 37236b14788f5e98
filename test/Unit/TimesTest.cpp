// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Medians, quartiles, and the form that they lead to.
#include "tune/Times.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

FormResult form(std::vector<double> Times, bool Original = false) {
  FormResult F;
  F.Asked.Original = Original;
  F.Times = summarize(Times);
  return F;
}

TEST(Times, SummarizesByRank) {
  TimeSummary S = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(S.Rounds, 5u);
  EXPECT_EQ(S.Median, 3);
  EXPECT_EQ(S.LowerQuartile, 2);
  EXPECT_EQ(S.UpperQuartile, 4);
  EXPECT_EQ(S.Fastest, 1);
  EXPECT_EQ(S.Slowest, 5);
  EXPECT_EQ(summarize({1, 2}).Median, 1.5);
  EXPECT_EQ(summarize({7}).UpperQuartile, 7);
  EXPECT_EQ(summarize({}).Rounds, 0u);
}

TEST(Times, OneDisturbedRunDoesNotCount) {
  EXPECT_EQ(summarize({2, 2, 900, 2, 2}).Median, 2);
}

TEST(Times, ChoosesTheFastest) {
  EXPECT_EQ(choose({form({9, 9, 9}, true), form({8, 8, 8}), form({7, 7, 7})}),
            2u);
}

TEST(Times, TakesTheOriginalWhereTheSpreadHidesTheGain) {
  EXPECT_EQ(choose({form({9, 9, 9}, true), form({7, 8.9, 9.3})}), 0u);
}

TEST(Times, TakesThePlannedFormAmongEquals) {
  std::vector<FormResult> Forms{form({9, 9}, true), form({7, 7}), form({7, 7})};
  EXPECT_EQ(choose(Forms), 1u);
  Forms[2].Planned = true;
  EXPECT_EQ(choose(Forms), 2u);
}

TEST(Times, PassesOverWhatFailedOrWasNotRun) {
  std::vector<FormResult> Forms{form({9, 9}, true), form({1, 1}), form({})};
  Forms[1].Failure = "its output differs";
  EXPECT_EQ(choose(Forms), 0u);
  EXPECT_EQ(choose({form({})}), std::nullopt);
}

} // namespace
