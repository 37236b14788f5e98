// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds several sources of one program and runs them in turns: the same
// output is wanted of all, and the times of each are gathered. It must not know
// what the sources differ in.
#ifndef KPIPE_TOOL_TUNE_BENCHMARK_H
#define KPIPE_TOOL_TUNE_BENCHMARK_H

#include "TimedOutput.h"
#include "support/Command.h"
#include "support/Progress.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace kpipe {

/// One source and what came of it.
struct Contender {
  std::string Name;      ///< for people
  std::string Stem = ""; ///< of its files in the work folder
  std::string Text = ""; ///< of the source
  /// It computes what the original does, so the same output is wanted.
  bool SameOutput = true;
  /// Why it is out, one clause; empty as long as it is not.
  std::string Failure = "";
  /// One for each round.
  std::vector<double> Times = {};
};

struct ContestRules {
  CommandTemplate Build, Run;
  OutputReader Reader;
  /// Where sources, programs and logs go, absolute.
  std::string WorkFolder = "";
  /// Folder of the original, for `{dir}`.
  std::string SourceFolder = "";
  /// The sources' suffix, ".cu".
  std::string Suffix = "";
  unsigned Rounds = 1;
  /// Builds at once. Programs run one at a time.
  unsigned BuildJobs = 1;
  /// Limits of one build and one run.
  double BuildSeconds = 600, RunSeconds = 60;
};

class Contest {
public:
  explicit Contest(ContestRules Rules) : Rules(std::move(Rules)) {}

  /// How many steps of progress a contest takes.
  size_t steps(size_t Contenders) const {
    return Contenders * (Rules.Rounds + 2) + 1;
  }

  /// Builds and runs all; the first is the original. A program that was built
  /// before is not built again. Stops early when interrupted.
  /// \returns an error of one line when the original cannot be measured:
  /// nothing can be said of the others then.
  llvm::Error run(llvm::MutableArrayRef<Contender> All, Progress &Shown);

private:
  ContestRules Rules;
  /// Program of each text that was built; empty if that failed.
  llvm::StringMap<std::string> Programs;

  std::string path(const Contender &C, llvm::StringRef Suffix) const;
  llvm::Error build(llvm::MutableArrayRef<Contender> All, Progress &Shown);
  /// One run, with its output; one that finds the GPU taken is tried again a
  /// little later.
  Ending runOnce(Contender &C, TimedOutput &Out);
  /// Runs it and compares; takes the time if Counts.
  void takeTurn(Contender &C, llvm::StringRef Wanted, bool Counts);
};

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_BENCHMARK_H
