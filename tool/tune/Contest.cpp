// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wave after wave is built and tried, so that what was tried before says which
// forms need not be; those that can win are measured together in the end.
#include "Contest.h"
#include "BuiltRegisters.h"
#include "Skips.h"
#include "Times.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

namespace kpipe {

std::string hashOfSource(llvm::StringRef Text) {
  return llvm::utohexstr(llvm::xxh3_64bits(Text), /*LowerCase=*/true,
                         /*Width=*/16);
}

std::string Contest::resume(const EarlierRuns &Earlier) {
  if (Earlier.Forms.empty())
    return "the profile has no runs of this loop as it is; it is measured anew";
  for (const auto &[Name, Text] : Loop.Setup.Commands)
    if (!llvm::is_contained(Earlier.Setup.Commands, std::pair(Name, Text)))
      return "--" + Name + " is not what it was; all is measured anew";
  if (Earlier.Setup.Commands.size() != Loop.Setup.Commands.size())
    return "the options are not what they were; all is measured anew";
  auto Known = [&](const Contender &C) {
    return llvm::find_if(Earlier.Forms, [&](const auto &Form) {
      return !C.Text.empty() && Form.first.Source == hashOfSource(C.Text);
    });
  };
  if (Known(All.front()) == Earlier.Forms.end())
    return "the source has changed, or the form of a loop before this one; all "
           "is measured anew";
  unsigned Taken = 0;
  for (Contender &C : All)
    if (auto Form = Known(C); Form != Earlier.Forms.end()) {
      C.Runs = Form->first;
      C.Failure = Form->second;
      Taken += !C.Runs.Trials.empty() || !C.Failure.empty();
    }
  EarlierOutput = Earlier.Setup.Output;
  return "runs of " + std::to_string(Taken) + " of " +
         std::to_string(All.size()) + " forms are taken from the profile";
}

void Contest::writeDown() {
  for (auto [Form, C] : llvm::zip_equal(Loop.Forms, All)) {
    Form.Runs = C.Runs;
    Form.Runs.Source = C.Text.empty() ? "" : hashOfSource(C.Text);
    Form.Failure = C.Failure;
    if (!C.NotRun.empty())
      Form.Skipped = C.NotRun;
    std::vector<double> Times;
    for (std::optional<double> Time : C.Runs.Rounds)
      if (Time)
        Times.push_back(*Time);
    Form.Times = summarize(Times);
  }
  Loop.Setup.Output = Measuring.output();
}

llvm::Error Contest::tryOut(bool Everything, Progress &Shown) {
  std::vector<size_t> Indices(All.size());
  std::iota(Indices.begin(), Indices.end(), 0);
  std::vector<std::vector<size_t>> Waves{Indices};
  if (!Everything)
    Waves = wavesOf(Loop.Forms);
  for (const std::vector<size_t> &Wave : Waves) {
    std::vector<Contender *> Some;
    for (size_t I : Wave) {
      std::string &Why = Loop.Forms[I].Skipped;
      Why = Everything ? "" : whyNotBuilt(Loop.Forms, I);
      Loop.Forms[I].IsUnbuilt = !Why.empty();
      if (Why.empty())
        Some.push_back(&All[I]);
      else
        Shown.skip(Measuring.steps(1) - 1);
    }
    llvm::Error Bad = Measuring.tryOut(Some, Shown);
    writeDown();
    if (Bad || InterruptScope::interrupted())
      return Bad;
  }
  return llvm::Error::success();
}

llvm::Error Contest::measure(bool Everything, Progress &Shown) {
  std::vector<Contender *> Some;
  for (size_t I = 0; I != All.size(); ++I) {
    std::string &Why = Loop.Forms[I].Skipped;
    if (!Why.empty())
      continue;
    if (!Everything)
      Why = whyNotMeasured(Loop.Forms, I);
    if (Why.empty())
      Some.push_back(&All[I]);
    else
      Shown.skip(Measuring.rounds());
  }
  llvm::Error Bad = Measuring.measure(Some, Shown);
  writeDown();
  return Bad;
}

llvm::Error Contest::run(bool Everything) {
  using Clock = std::chrono::steady_clock;
  constexpr auto SaveEvery = std::chrono::seconds(2);
  constexpr unsigned LineEvery = 10;
  Progress Shown(Measuring.steps(All.size()), LineEvery);
  Clock::time_point Saved = Clock::now();
  Measuring.AfterRun = [&] {
    if (Clock::now() < Saved + SaveEvery)
      return;
    writeDown();
    Save();
    Saved = Clock::now();
  };
  Measuring.WhyNotRun = [&](const Contender &C, llvm::StringRef Log,
                            llvm::StringRef First) -> std::string {
    const FormResult &Form = Loop.Forms[&C - All.data()];
    if (Everything || Form.Planned)
      return "";
    return whyNotByRegisters(Form, Loop.Choice.Arch, First, Log);
  };
  Measuring.begin(All.front(), EarlierOutput);
  llvm::Error Bad = tryOut(Everything, Shown);
  if (!Bad && !InterruptScope::interrupted())
    Bad = measure(Everything, Shown);
  Measuring.AfterRun = [] {};
  Measuring.WhyNotRun = nullptr;
  return Bad;
}

} // namespace kpipe
