// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a macro of the same file stands for, as text. Only its statements are
// written out: macros that are expressions stay, as its author wants them read.
#ifndef KPIPE_LOWERING_MACROTEXT_H
#define KPIPE_LOWERING_MACROTEXT_H

#include "FlatText.h"

namespace kpipe {

/// `do { … } while (0)` as the block in it.
TextTokens withoutOnce(TextTokens Text);

/// \param Call the name of a macro, with its arguments.
/// \returns none for one that is not defined above in the file, pastes tokens
/// or takes any number of arguments.
std::optional<TextTokens> macroText(Range Call, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_LOWERING_MACROTEXT_H
