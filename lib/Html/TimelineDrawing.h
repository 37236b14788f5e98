// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pipeline does over time as a drawing. Private to Html.
#ifndef KPIPE_LIB_HTML_TIMELINEDRAWING_H
#define KPIPE_LIB_HTML_TIMELINEDRAWING_H

#include "kpipe/Timeline.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace kpipe::html {

/// Writes a figure: a row for each buffer and one for the compute, time to the
/// right, the phases marked, and the same steps as a table.
/// \param Id begins every id in it.
void writeTimeline(llvm::raw_ostream &OS, llvm::StringRef Id,
                   const Timeline &Run);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_TIMELINEDRAWING_H
