// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What measured times say: their middle, their spread, and which form to take.
// It must not know where times come from.
#ifndef KPIPE_TOOL_TUNE_TIMES_H
#define KPIPE_TOOL_TUNE_TIMES_H

#include "options/Profile.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace kpipe {

/// Median and quartiles by linear interpolation between ranks.
TimeSummary summarize(llvm::ArrayRef<double> Times);

/// The form to take. A form whose median lies within the upper quartile of the
/// fastest is as fast, as far as the measurement can tell; of several the
/// original is taken, else the one that kpipe plans, else the first.
/// \returns its index; nothing if none was measured without a failure.
std::optional<size_t> choose(llvm::ArrayRef<FormResult> Forms);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_TIMES_H
