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
  ContestRules Rules;
  /// What earlier runs chose, for other loops and architectures.
  Profile Kept;
  /// Where the choices go, and the source with them; the latter may be empty.
  std::string ProfileFile = "", BestFile = "";
  /// Most stages that are tried.
  unsigned MostStages = 4;
  /// Measure parts of the chosen form as well.
  bool Limits = false;
  /// Of the times; empty if it is not known.
  std::string Unit = "";
};

/// Prints a table for each loop on standard error and writes the files. Stops
/// early, with what there is, when interrupted.
/// \returns an error of one line when nothing more can be measured.
llvm::Error tuneFile(TuneRequest Request);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_TUNER_H
