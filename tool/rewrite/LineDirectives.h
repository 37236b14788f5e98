// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#line` directives, so that a compiler's errors and a debugger's lines name
// the file that a person edits. It must not know what was rewritten.
#ifndef KPIPE_TOOL_REWRITE_LINEDIRECTIVES_H
#define KPIPE_TOOL_REWRITE_LINEDIRECTIVES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kpipe {

/// Puts a `#line` above each line of New that does not follow, in Old, the line
/// before it. A line that was changed counts as the line of Old that it
/// resembles most among those that were replaced there; what was added counts
/// as any of them.
/// \param Path the name that compilers are to say.
std::string withLineDirectives(llvm::StringRef Path, llvm::StringRef Old,
                               llvm::StringRef New);

/// For each line of a text, whether a directive may stand above it: not in a
/// comment or a string, behind a backslash, or between parentheses.
std::vector<bool> directivePlaces(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_LINEDIRECTIVES_H
