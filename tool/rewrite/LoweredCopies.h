// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units whose asynchronous loops are read with plain copies: which form of the
// unit is worked on, and that the author's text stays where nothing came of it.
#ifndef KPIPE_TOOL_REWRITE_LOWEREDCOPIES_H
#define KPIPE_TOOL_REWRITE_LOWEREDCOPIES_H

#include "Session.h"

namespace kpipe {

/// Makes Unit.Unit the one with plain copies in all loops but those; the
/// author's own where there is no such loop.
llvm::Error lowerUnit(UnitResult &Unit, const TransformOptions &Options,
                      llvm::ArrayRef<Place> LeaveAlone);

/// Loops with plain copies that were not pipelined, as Unit.Outcome says.
std::vector<Place> loweredInVain(const UnitResult &Unit);

/// The text that the author gave to a file of the unit.
/// \returns an error, one line, when a header cannot be read any more.
llvm::Expected<std::string> authorsText(const UnitResult &Unit,
                                        llvm::StringRef File);
/// The same as it was transformed.
llvm::Expected<std::string> loweredText(const UnitResult &Unit,
                                        llvm::StringRef File);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_LOWEREDCOPIES_H
