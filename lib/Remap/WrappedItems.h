// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces around statements of a loop's body. Lines stay where they are.
#ifndef KPIPE_REMAP_WRAPPEDITEMS_H
#define KPIPE_REMAP_WRAPPEDITEMS_H

#include "Emission/SourceText.h"

namespace kpipe {

/// From to To, as a block behind Head, whose lines end with marks and which
/// ends with the block's brace. Nothing where a macro or a directive is in the
/// way.
std::optional<std::vector<TextEdit>> wrapped(const SourceText &Source,
                                             const clang::Stmt *From,
                                             const clang::Stmt *To,
                                             std::string Head);

} // namespace kpipe

#endif // KPIPE_REMAP_WRAPPEDITEMS_H
