// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which forms are skipped, rule by rule; and what that would have cost where all
// forms were measured (test/bench/measured).
#include "tune/Skips.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace kpipe;

namespace {

FormResult original(std::vector<double> Trials) {
  FormResult F;
  F.Asked = ChosenForm::original();
  F.Variant = "original";
  F.Runs.Trials = std::move(Trials);
  return F;
}

FormResult form(std::string Variant, unsigned Stages,
                std::vector<double> Trials = {}) {
  FormResult F;
  F.Variant = std::move(Variant);
  F.Made.Stages = Stages;
  F.Made.Schedule = ScheduleKind::Peeled;
  F.Runs.Trials = std::move(Trials);
  return F;
}

FormResult padded(FormResult F) {
  F.Made.Pad = Padding::IfFree;
  return F;
}

FormResult unrolled(FormResult F) {
  F.Made.Unroll = Unrolling::Stages;
  return F;
}

FormResult planned(FormResult F) {
  F.Planned = true;
  return F;
}

TEST(Skips, WhatIsComparedComesFirst) {
  std::vector<FormResult> Forms{original({}),
                                unrolled(form("cp.async", 2)),
                                form("cp.async", 4),
                                form("cp.async", 2),
                                form("registers", 1),
                                form("cp.async", 3),
                                planned(unrolled(form("cp.async", 3)))};
  EXPECT_EQ(wavesOf(Forms), (std::vector<std::vector<size_t>>{
                                {0, 3, 4, 6}, {5}, {2}, {1}}));
  // An addition to a form that there is not is a form of its own.
  Forms = {original({}), unrolled(form("cp.async", 2))};
  EXPECT_EQ(wavesOf(Forms).size(), 1u);
}

TEST(Skips, MoreStagesThatGotSlowerTwice) {
  std::vector<FormResult> Forms{
      original({2, 2}), form("cp.async", 2, {1.00, 1.01}),
      form("cp.async", 3, {1.05, 1.06}), form("cp.async", 4, {1.10, 1.11}),
      form("cp.async", 5)};
  EXPECT_EQ(whyNotBuilt(Forms, 4),
            "more stages made it slower twice: cp.async, 2 stages, then 1.05 "
            "times as slow, then 1.10 times as slow");
  Forms[3].Runs.Trials = {1.06, 1.06}; // once, then as before
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  Forms[3].Runs.Trials = {1.10, 1.11};
  Forms[1].Runs.Trials = {1.00, 1.05}; // differs as much from run to run
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  // Other routes, rows and schedules say nothing.
  Forms[1].Runs.Trials = {1.00, 1.01};
  Forms[4].Variant = "registers";
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  Forms[4] = form("cp.async", 5);
  Forms[4].Made.Schedule = ScheduleKind::Guarded;
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  Forms[4] = planned(form("cp.async", 5));
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
}

TEST(Skips, RowsThatAreNotPadded) {
  std::vector<FormResult> Forms{original({4, 4}),
                                form("cp.async", 2, {3.5, 3.6}),
                                padded(form("cp.async", 2, {1.1, 1.2})),
                                form("cp.async", 3), form("registers", 3)};
  EXPECT_EQ(whyNotBuilt(Forms, 3),
            "rows that are not padded made it 3.18 times as slow: cp.async, 2 "
            "stages");
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  Forms[1].Runs.Trials = {1.5, 1.5};
  EXPECT_EQ(whyNotBuilt(Forms, 3), "");
}

TEST(Skips, AdditionsToASlowForm) {
  std::vector<FormResult> Forms{original({4, 4}), form("cp.async", 2, {1, 1.1}),
                                form("registers", 2, {1.5, 1.6}),
                                unrolled(form("registers", 2)),
                                unrolled(form("cp.async", 2))};
  EXPECT_EQ(whyNotBuilt(Forms, 3),
            "registers, 2 stages is 1.50 times as slow as cp.async, 2 stages");
  EXPECT_EQ(whyNotBuilt(Forms, 4), "");
  Forms[2].Runs.Trials = {1.4, 1.4}; // unrolling has made up for that
  EXPECT_EQ(whyNotBuilt(Forms, 3), "");
  // What failed says nothing of what is added.
  Forms[2].Runs.Trials.clear();
  Forms[2].Failure = "the build failed";
  EXPECT_EQ(whyNotBuilt(Forms, 3), "");
  Forms[2].Failure.clear();
  // What ptxas says of it need not hold of them.
  Forms[2].Skipped = "for a reason";
  EXPECT_EQ(whyNotBuilt(Forms, 3), "");
  Forms[2].IsUnbuilt = true;
  EXPECT_EQ(whyNotBuilt(Forms, 3),
            "the same as registers, 2 stages, which was skipped");
}

TEST(Skips, WhatLostTheRace) {
  std::vector<FormResult> Forms{original({4, 4}), form("cp.async", 2, {1, 1.1}),
                                form("registers", 2, {1.3, 1.4})};
  EXPECT_EQ(whyNotMeasured(Forms, 2),
            "1.30 times as slow as cp.async, 2 stages when both were tried");
  EXPECT_EQ(whyNotMeasured(Forms, 0), "");
  EXPECT_EQ(whyNotMeasured(Forms, 1), "");
  Forms[2].Runs.Trials = {1.25, 9}; // its fastest counts
  EXPECT_EQ(whyNotMeasured(Forms, 2), "");
  Forms[2] = planned(form("registers", 2, {1.3, 1.4}));
  EXPECT_EQ(whyNotMeasured(Forms, 2), "");
  // Who is out is no measure for others.
  Forms[2].Planned = false;
  Forms[1].Failure = "its output differs";
  EXPECT_EQ(whyNotMeasured(Forms, 2), "");
}

//===----------------------------------------------------------------------===//
// What was measured
//===----------------------------------------------------------------------===//

/// "cp.async 2 guarded compute unrolled padded -occupancy".
FormResult formOf(llvm::StringRef Name) {
  auto Has = [&](llvm::StringRef Word) { return Name.contains(Word); };
  if (Name == "original")
    return original({});
  auto [Variant, Rest] = Name.split(' ');
  unsigned Stages = 0;
  Rest.split(' ').first.getAsInteger(10, Stages);
  FormResult F = form(Variant.str(), Stages);
  if (Has(" guarded"))
    F.Made.Schedule = ScheduleKind::Guarded;
  if (Has(" padded"))
    F.Made.Pad = Padding::IfFree;
  if (Has(" compute unrolled"))
    F.Made.Unroll = Unrolling::Compute;
  else if (Has(" unrolled"))
    F.Made.Unroll = Unrolling::Stages;
  else if (Has(" rolled"))
    F.Made.Unroll = Unrolling::Never;
  if (Has(" -occupancy"))
    F.Made.AllowOccupancyDrop = Flag::Given;
  return F;
}

/// \returns what is lost: 0 if the fastest form is measured to the end.
double replay(const llvm::json::Object &Program, unsigned &Unbuilt,
              unsigned &Unmeasured, unsigned &All) {
  std::vector<FormResult> Forms;
  std::vector<double> Medians;
  for (const llvm::json::Value &V : *Program.getArray("forms")) {
    const llvm::json::Object &F = *V.getAsObject();
    std::optional<double> Median = F.getNumber("median");
    if (F.getString("kind") != "form" || !Median)
      continue;
    Forms.push_back(formOf(*F.getString("name")));
    Forms.back().Planned = F.getBoolean("planned").value_or(false);
    Medians.push_back(*Median);
  }
  EXPECT_FALSE(Medians.empty());
  for (const std::vector<size_t> &Wave : wavesOf(Forms)) {
    for (size_t I : Wave) {
      Forms[I].Skipped = whyNotBuilt(Forms, I);
      Forms[I].IsUnbuilt = !Forms[I].Skipped.empty();
    }
    for (size_t I : Wave)
      if (Forms[I].Skipped.empty())
        Forms[I].Runs.Trials = {Medians[I]};
      else
        ++Unbuilt;
  }
  double Best = *std::min_element(Medians.begin(), Medians.end()), Kept = 0;
  for (size_t I = 0; I != Forms.size(); ++I) {
    if (!Forms[I].Skipped.empty())
      continue;
    if (!whyNotMeasured(Forms, I).empty())
      ++Unmeasured;
    else if (!Kept || Medians[I] < Kept)
      Kept = Medians[I];
  }
  All += Forms.size();
  return Kept / Best - 1;
}

TEST(Skips, LoseNothingWhereAllFormsWereMeasured) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      KPIPE_UNIT_INPUTS "/../../bench/measured/h200.json");
  ASSERT_TRUE(bool(Buffer));
  llvm::Expected<llvm::json::Value> All =
      llvm::json::parse((*Buffer)->getBuffer());
  ASSERT_TRUE(bool(All));
  unsigned Forms = 0, Unbuilt = 0, Unmeasured = 0;
  for (const llvm::json::Value &P : *All->getAsObject()->getArray("programs"))
    EXPECT_EQ(replay(*P.getAsObject(), Unbuilt, Unmeasured, Forms), 0)
        << P.getAsObject()->getString("name")->str();
  // docs/tune.md has these.
  EXPECT_EQ(Forms, 556u);
  EXPECT_EQ(Unbuilt, 38u);
  EXPECT_EQ(Unmeasured, 209u);
}

} // namespace
