// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds several sources of one program and runs them in turns: the same
// output is wanted of all, and the times of each are gathered. It must not know
// what the sources differ in.
#ifndef KPIPE_TOOL_TUNE_BENCHMARK_H
#define KPIPE_TOOL_TUNE_BENCHMARK_H

#include "Launch.h"
#include "TimedOutput.h"
#include "options/Profile.h"
#include "support/Progress.h"
#include "llvm/ADT/STLFunctionalExtras.h"
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
  /// Why it is not run although it was built, one clause; empty if it is.
  std::string NotRun = "";
  /// What is there need not be run.
  MeasuredRuns Runs = {};
};

struct BenchmarkRules {
  LaunchRules Launch;
  OutputReader Reader;
  /// Where sources, programs and logs go, absolute.
  std::string WorkFolder = "";
  /// The sources' suffix, ".cu".
  std::string Suffix = "";
  /// Runs that show whether a program works and about how fast it is.
  unsigned Trials = 1;
  unsigned Rounds = 1;
  /// Builds at once.
  unsigned BuildJobs = 1;
  /// Limits of one build and one run.
  double BuildSeconds = 600, RunSeconds = 60;
};

class Benchmark {
public:
  using Contenders = llvm::ArrayRef<Contender *>;

  explicit Benchmark(BenchmarkRules Rules) : Rules(std::move(Rules)) {}

  /// How many steps of progress a number of contenders takes.
  size_t steps(size_t Number) const {
    return Number * (1 + Rules.Trials + Rules.Rounds) + 1;
  }

  unsigned rounds() const { return Rules.Rounds; }

  /// What all are compared with from now on. It is built and run when the first
  /// of the others is to be.
  /// \param Output hash of what it printed in an earlier session; empty: there
  /// was none.
  void begin(Contender &First, llvm::StringRef Output = "");

  /// Builds those that lack trials, and runs these.
  /// \returns an error of one line when the original cannot be measured:
  /// nothing can be said of the others then.
  llvm::Error tryOut(Contenders Some, Progress &Shown);

  /// Runs the rounds that they lack. Each round is one GPU's, on which every
  /// contender runs once: no form is only measured on a better one, and what is
  /// measured does not depend on which GPU is done first.
  llvm::Error measure(Contenders Some, Progress &Shown);

  /// Hash of what the original printed beside times.
  std::string output() const;

  /// Asked of each that was built, before it runs.
  /// \param Log what its build printed.
  /// \param First the same of the original's.
  /// \returns why it is not to be run; empty: it is.
  std::function<std::string(const Contender &, llvm::StringRef Log,
                            llvm::StringRef First)>
      WhyNotRun;

  /// Called now and then while runs end, with what is known by then in the
  /// contenders.
  std::function<void()> AfterRun = [] {};

private:
  struct Turn {
    Contender *Who;
    /// Of the round; of the trial where IsTrial.
    unsigned Number;
    bool IsTrial;
  };
  class GpuQueue;

  BenchmarkRules Rules;
  /// Program of each text that was built.
  llvm::StringMap<std::string> Programs;
  /// What its build printed.
  llvm::StringMap<std::string> BuildLogs;
  Contender *Original = nullptr;
  std::string EarlierOutput;
  /// What every program is to print; empty: not known yet.
  std::optional<std::string> Wanted;

  std::string path(const Contender &C, llvm::StringRef Suffix) const;
  llvm::Error build(Contenders Some, Progress &Shown);
  /// Builds and runs the original, once.
  llvm::Error runOriginal(Progress &Shown);
  llvm::Error runTurns(std::vector<std::vector<Turn>> ByGpu, Progress &Shown);
  void take(const Turn &T, const Command &Run, const Ending &End,
            Progress &Shown);
};

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_BENCHMARK_H
