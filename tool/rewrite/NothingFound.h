// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a file in which nothing was found to do, and whether that is
// known of it. It must not print.
#ifndef KPIPE_TOOL_REWRITE_NOTHINGFOUND_H
#define KPIPE_TOOL_REWRITE_NOTHINGFOUND_H

#include "Session.h"

namespace kpipe {

/// Why a file has no loop that was looked at: all are in headers, or no kernel is
/// the one that was asked for. Empty where it has some, or none at all.
Message whyNoLoop(const FileRequest &Request, const UnitOutcome &Outcome);

/// The same as a remark on the file; nothing where there is nothing to say.
std::optional<Diagnostic> remarkOnNoLoop(const FileRequest &Request,
                                         const UnitOutcome &Outcome);

/// What is said of a file of which nothing was pipelined.
Diagnostic remarkOnNothing(const FileRequest &Request,
                           const UnitOutcome &Outcome);

/// Is it not known whether all tile loops of a file are pipelined? So where a
/// function may have lost its loops to errors; and where no loop was found and the
/// file was not understood, its loops are in headers, or none of its kernels was
/// asked for.
bool isBlindTo(const UnitResult &Unit);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_NOTHINGFOUND_H
