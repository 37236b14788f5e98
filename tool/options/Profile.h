// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe-tune.json`: the forms that `kpipe tune` measured and chose, in a file
// that later runs read where there is no GPU. docs/tune.schema.json is its
// schema. It must not know how forms are measured.
#ifndef KPIPE_TOOL_OPTIONS_PROFILE_H
#define KPIPE_TOOL_OPTIONS_PROFILE_H

#include "kpipe/Engine.h"
#include "kpipe/LoopChoice.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kpipe {

/// Middle and spread of the times of one form, in the program's own unit.
struct TimeSummary {
  unsigned Rounds = 0;
  double Median = 0, LowerQuartile = 0, UpperQuartile = 0, Fastest = 0,
         Slowest = 0;
};

/// One form of a loop, with what came of what was asked.
struct MadeForm {
  ChosenForm Asked;
  /// As it was made: "registers", "cp.async", "mixed" or "original".
  std::string Variant;
  /// What the loop got; Pad says whether any row is longer. Empty for the
  /// original.
  LoopForm Made;
  /// kpipe makes this one when nothing is asked.
  bool Planned = false;
  /// That run the loop.
  std::vector<LoopKernel> Kernels = {};
};

/// The times of a form's runs, so that another session can go on with them.
struct MeasuredRuns {
  /// Hash of the program's source; empty: there is none.
  std::string Source;
  /// Before the rounds: they show whether it runs, and whether it can win.
  std::vector<double> Trials;
  /// One for each round; empty where it was not run.
  std::vector<std::optional<double>> Rounds;
};

/// How forms were measured. What was measured otherwise does not compare.
struct MeasuringSetup {
  /// As options name them: "build", "run", …
  std::vector<std::pair<std::string, std::string>> Commands;
  /// Hash of what the program printed beside times; empty: it was not run.
  std::string Output;
};

/// What was measured of one form of a loop.
struct FormResult : MadeForm {
  /// Nothing in it was measured if Rounds is 0.
  TimeSummary Times;
  /// Why it cannot be chosen, one clause; empty if it can.
  std::string Failure;
  /// Why it was not measured to the end, one clause; empty if it was to be.
  std::string Skipped = "";
  /// It was not even built.
  bool IsUnbuilt = false;
  MeasuredRuns Runs = {};
};

/// An earlier session's measurements of a loop.
struct EarlierRuns {
  MeasuringSetup Setup;
  /// Those of all forms, with a failure each may have come to.
  std::vector<std::pair<MeasuredRuns, std::string>> Forms;
};

/// The chosen form and its parts, measured in turns: how much of the time could
/// still be hidden.
struct LimitTimes {
  /// Medians of the form, of its loads only and of its compute only.
  double Achieved = 0, Loads = 0, Compute = 0;

  /// max(Loads, Compute) / Achieved: 1 if all that can overlap does.
  double efficiency() const;
};

/// A loop with what was measured and what was chosen.
struct TunedLoop {
  LoopChoice Choice;
  std::string File; ///< name without folder, for people
  unsigned Line = 0;
  /// All rounds of all forms were run.
  bool Complete = true;
  std::vector<FormResult> Forms;
  std::optional<LimitTimes> Limits;
  MeasuringSetup Setup = {};
};

class Profile {
public:
  /// Reads a file.
  /// \returns an error of one line when it cannot be read or is no profile of
  /// this version.
  static llvm::Expected<Profile> read(llvm::StringRef Path);

  std::vector<LoopChoice> choices() const { return Choices; }

  /// What is known of the runs of a loop's forms: of the entry for the same
  /// function, loop, text and architecture. Empty: nothing.
  EarlierRuns earlierRuns(const LoopKey &Loop, llvm::StringRef Arch) const;

  /// Takes a loop's entry in, in the place of one for the same function, loop
  /// and architecture.
  void put(const TunedLoop &Loop);

  /// The file's text.
  std::string json() const;

private:
  /// As they stand in the file, so that what a reader does not need is kept;
  /// parallel to Choices.
  std::vector<llvm::json::Value> Entries;
  std::vector<LoopChoice> Choices;
};

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_PROFILE_H
