// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that tables and JSON share, and text set within a width. Private to
// Reporting.
#ifndef KPIPE_LIB_REPORTING_WORDS_H
#define KPIPE_LIB_REPORTING_WORDS_H

#include "kpipe/Reporting.h"

namespace kpipe {

/// "pipelined", "refused", "already pipelined" or "off".
llvm::StringRef describe(LoopVerdict Verdict);

/// The same of a loop, or "no tile loop".
llvm::StringRef describe(const LoopReport &Loop, LoopVerdict Verdict);

/// "8-way bank conflict of the reads in line 49 (…)", and what padding does or
/// would do about it.
std::string describe(const ConflictReport &Conflict);

/// For JSON: paths, names and messages quote the user's file, which may hold any
/// bytes.
std::string utf8(llvm::StringRef Bytes);

/// Prints \p Text broken at spaces so that lines end before \p Width columns
/// where words allow it. \p Column is where the first line starts; the others
/// start at \p Indent. Ends the last line.
void printWrapped(llvm::raw_ostream &OS, llvm::StringRef Text, unsigned Column,
                  unsigned Indent, unsigned Width = 100);

} // namespace kpipe

#endif // KPIPE_LIB_REPORTING_WORDS_H
