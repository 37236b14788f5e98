// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the steps of a pipeline to bars on a time axis. Private to Html; knows
// no SVG.
#ifndef KPIPE_LIB_HTML_TIMELINELAYOUT_H
#define KPIPE_LIB_HTML_TIMELINELAYOUT_H

#include "kpipe/Timeline.h"
#include <array>
#include <string>
#include <vector>

namespace kpipe::html {

struct TimelineBar {
  enum class What {
    InFlight,    ///< asynchronous copies on their way to a buffer
    ToRegisters, ///< loads on their way to registers, or kept there
    Stored,      ///< registers to a buffer
    Ready,       ///< a buffer holds a tile that nobody reads yet
    Read,        ///< a buffer is read
    Compute
  } Is;
  unsigned Row = 0;
  unsigned Tile = 0;
  double Begin = 0, End = 0;
};

/// Times have no unit: each kind of step is given a width, as how long it takes
/// is not known. Copies that no compute hides are given more.
struct TimelineLayout {
  /// Names, from the top: registers if any are used, each buffer, the compute.
  std::vector<std::string> Rows;
  std::vector<TimelineBar> Bars;
  std::vector<double> Barriers;
  struct Span {
    double Begin = 0, End = 0;
  };
  /// Prologue, steady state, epilogue.
  std::array<Span, 3> Phases;
  double Length = 0;
};

TimelineLayout layOut(const Timeline &Run);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_TIMELINELAYOUT_H
