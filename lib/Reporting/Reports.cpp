// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making reports: the budget of one rewrite, and one report per loop out of
// one per loop and architecture. Prints nothing.
#include "kpipe/Reporting.h"
#include <map>
#include <tuple>

namespace kpipe {

BudgetReport makeBudget(const ArchLimits &Arch, const LaunchShape &Before,
                        const LaunchShape &After) {
  BudgetReport Budget;
  Budget.SharedBefore = Before.shared();
  Budget.SharedAfter = After.shared();
  Budget.LaunchBefore = Before;
  Budget.LaunchAfter = After;
  if (Before.ThreadsPerBlock == 0 || After.ThreadsPerBlock == 0)
    return Budget;
  Occupancy Then = occupancy(Arch, After);
  Budget.BlocksBefore = occupancy(Arch, Before).BlocksPerSM;
  Budget.BlocksAfter = Then.BlocksPerSM;
  Budget.Limit = Then.Limit;
  if (Then.BlocksPerSM > 0) {
    Budget.CliffBytes = Then.CliffBytes;
    Budget.DistanceToCliff = Then.DistanceToCliff;
  }
  return Budget;
}

std::vector<LoopReport> mergeReports(llvm::ArrayRef<LoopReport> Reports) {
  std::vector<LoopReport> Loops;
  std::map<std::tuple<llvm::StringRef, unsigned, unsigned, llvm::StringRef>,
           size_t>
      Known;
  for (const LoopReport &Report : Reports) {
    auto [Entry, IsNew] = Known.insert({{Report.Where.File, Report.Where.Line,
                                         Report.Where.Column, Report.Function},
                                        Loops.size()});
    if (IsNew) {
      Loops.push_back(Report);
      continue;
    }
    LoopReport &Loop = Loops[Entry->second];
    if (!Loop.Ratio)
      Loop.Ratio = Report.Ratio;
    Loop.Archs.insert(Loop.Archs.end(), Report.Archs.begin(),
                      Report.Archs.end());
  }
  return Loops;
}

} // namespace kpipe
