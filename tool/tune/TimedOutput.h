// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program printed, taken apart into its time and the rest, which must not
// change. It must not know how the program was run.
#ifndef KPIPE_TOOL_TUNE_TIMEDOUTPUT_H
#define KPIPE_TOOL_TUNE_TIMEDOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"
#include <optional>
#include <string>

namespace kpipe {

struct TimedOutput {
  /// The sum of all times; empty if there are none.
  std::optional<double> Time;
  /// The lines that hold no time and are not to be ignored.
  std::string Rest;
};

class OutputReader {
public:
  /// \param TimeRegex its first group, or all of it, is a number, in a line
  /// that holds a time; empty for the lines of <kpipe/timing.h>.
  /// \param IgnoreRegex matches lines that may differ; empty: none.
  OutputReader(llvm::StringRef TimeRegex, llvm::StringRef IgnoreRegex);

  TimedOutput read(llvm::StringRef Printed) const;

private:
  llvm::Regex Time, Ignore;
  bool Ignores;
};

/// The first line in which two outputs differ, as one clause; empty if they are
/// equal.
std::string firstDifference(llvm::StringRef Original, llvm::StringRef Other);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_TIMEDOUTPUT_H
