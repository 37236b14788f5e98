// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manual page and the shells' completions, made from the same declarations
// of options as --help. It must not know what an option does.
#ifndef KPIPE_TOOL_OPTIONS_MANUAL_H
#define KPIPE_TOOL_OPTIONS_MANUAL_H

#include "llvm/Support/raw_ostream.h"

namespace kpipe {

/// The page kpipe(1) in the language of man(7).
void printManual(llvm::raw_ostream &OS);

/// What bash and zsh load to complete commands, options and their words.
void printBashCompletion(llvm::raw_ostream &OS);
void printZshCompletion(llvm::raw_ostream &OS);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_MANUAL_H
