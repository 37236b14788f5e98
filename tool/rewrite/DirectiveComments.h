// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments above a directive: clang-format indents them with the directive in
// blocks of lambdas, where they are said of the code below.
#ifndef KPIPE_TOOL_REWRITE_DIRECTIVECOMMENTS_H
#define KPIPE_TOOL_REWRITE_DIRECTIVECOMMENTS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// The formatted text, in which such comments are indented as the code below
/// the directive is, where they were so in the text before.
std::string withDirectiveComments(llvm::StringRef Before,
                                  llvm::StringRef Formatted);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_DIRECTIVECOMMENTS_H
