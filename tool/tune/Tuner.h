// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the forms of all loops of a file, keeps and tells what came of it.
// It must not know how options are spelled.
#ifndef KPIPE_TOOL_TUNE_TUNER_H
#define KPIPE_TOOL_TUNE_TUNER_H

#include "Benchmark.h"
#include "options/CommonOptions.h"
#include "options/Profile.h"

namespace kpipe {

struct TuneRequest {
  FileRequest File;
  BenchmarkRules Rules;
  /// What earlier runs chose, for other loops and architectures.
  Profile Kept;
  /// Where the choices go, and the source with them; the latter may be empty.
  std::string ProfileFile = "", BestFile = "";
  /// Most stages that are tried.
  unsigned MostStages = 4;
  /// Measure parts of the chosen form as well.
  bool Limits = false;
  /// Skip no form that cannot win.
  bool Everything = false;
  /// What the profile says was measured is not measured again.
  bool Resume = false;
  /// The commands by which forms are measured, with their options' names.
  MeasuringSetup Setup = {};
  /// Of the times; empty if it is not known.
  std::string Unit = "";
};

/// Prints a table for each loop on standard error and writes the files. Stops
/// early, with what there is, when interrupted; a source in which nothing is
/// faster than the original is not written then.
/// \returns whether it was interrupted; an error of one line when nothing more
/// can be measured.
llvm::Expected<bool> tuneFile(TuneRequest Request);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_TUNER_H
