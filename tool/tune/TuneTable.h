// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `kpipe tune` tells of one loop, for a terminal. It must not know how the
// numbers were measured.
#ifndef KPIPE_TOOL_TUNE_TUNETABLE_H
#define KPIPE_TOOL_TUNE_TUNETABLE_H

#include "options/Profile.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

/// "original", "cp.async, 2 stages", "registers, single buffer".
std::string nameOf(const FormResult &Form);

/// Prints the forms with median and quartiles, what was discarded and why, and
/// a warning when the times say little. The first form is the original.
/// \param Unit of the times, e.g. "ms"; empty if it is not known.
void printTuned(llvm::raw_ostream &OS, const TunedLoop &Loop,
                llvm::StringRef Path, llvm::StringRef Unit);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_TUNETABLE_H
