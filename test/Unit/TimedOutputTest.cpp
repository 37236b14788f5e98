// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a time, what may differ, and what is compared.
#include "tune/TimedOutput.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

TEST(TimedOutput, AddsTheLinesOfTheRuntime) {
  TimedOutput Out =
      OutputReader("", "").read("sum 4\nkpipe-time: a b 1.5\r\n"
                                "kpipe-time: c 2e-1\n");
  EXPECT_DOUBLE_EQ(*Out.Time, 1.7);
  EXPECT_EQ(Out.Rest, "sum 4\n\n");
}

TEST(TimedOutput, TakesTheFirstGroupOrTheWholeMatch) {
  EXPECT_EQ(OutputReader("took ([0-9]+) ms", "").read("took 12 ms").Time, 12);
  EXPECT_EQ(OutputReader("^[0-9.]+$", "").read("x\n3.5\n").Time, 3.5);
  EXPECT_EQ(OutputReader("time: (.*)", "").read("time: soon").Time,
            std::nullopt);
}

TEST(TimedOutput, LeavesOutWhatMayDiffer) {
  OutputReader Reader("", "^date");
  EXPECT_EQ(Reader.read("date 1\nsum 4\n").Rest,
            Reader.read("date 2\nsum 4\n").Rest);
}

TEST(TimedOutput, NamesTheFirstDifference) {
  EXPECT_EQ(firstDifference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(firstDifference("a\nb\n", "a\nc\n"), "'c' instead of 'b'");
  EXPECT_EQ(firstDifference("a\n", "a\nb\n"), "'b' instead of ''");
  EXPECT_EQ(firstDifference("a\n", "a\n\n"), "another number of empty lines");
  EXPECT_LT(firstDifference(std::string(900, 'x'), "y").size(), 80u);
}

} // namespace
