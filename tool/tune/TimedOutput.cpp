// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line by line; a line with a time in it says nothing about results.
#include "TimedOutput.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

/// What <kpipe/timing.h> prints: `kpipe-time: NAME MILLISECONDS`.
static constexpr const char *OwnTime = "^kpipe-time: .* ([0-9.eE+-]+)$";

OutputReader::OutputReader(llvm::StringRef TimeRegex,
                           llvm::StringRef IgnoreRegex)
    : Time(TimeRegex.empty() ? llvm::StringRef(OwnTime) : TimeRegex),
      Ignore(IgnoreRegex), Ignores(!IgnoreRegex.empty()) {}

TimedOutput OutputReader::read(llvm::StringRef Printed) const {
  TimedOutput Out;
  for (llvm::StringRef Line : llvm::split(Printed, '\n')) {
    Line = Line.rtrim('\r');
    llvm::SmallVector<llvm::StringRef, 4> Groups;
    double Value = 0;
    if (Time.match(Line, &Groups) &&
        !Groups[Groups.size() > 1].getAsDouble(Value)) {
      Out.Time = Out.Time.value_or(0) + Value;
    } else if (!Ignores || !Ignore.match(Line)) {
      Out.Rest += Line;
      Out.Rest += '\n';
    }
  }
  return Out;
}

std::string firstDifference(llvm::StringRef Original, llvm::StringRef Other) {
  auto Shown = [](llvm::StringRef Line) {
    constexpr size_t Most = 40;
    return "'" + (Line.size() > Most ? Line.take_front(Most).str() + "..."
                                     : Line.str()) + "'";
  };
  if (Original == Other)
    return "";
  while (!Original.empty() || !Other.empty()) {
    auto [Want, RestOfOriginal] = Original.split('\n');
    auto [Got, RestOfOther] = Other.split('\n');
    if (Want != Got)
      return Shown(Got) + " instead of " + Shown(Want);
    Original = RestOfOriginal;
    Other = RestOfOther;
  }
  return "another number of empty lines";
}

} // namespace kpipe
