// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that look like directives and steer nothing, so that none is passed
// over in silence, whether or not there is something to pipeline.
#ifndef KPIPE_LEGALITY_STRAYDIRECTIVES_H
#define KPIPE_LEGALITY_STRAYDIRECTIVES_H

#include "kpipe/Message.h"
#include "clang/AST/ASTContext.h"
#include <vector>

namespace kpipe {

struct StrayDirective {
  clang::SourceLocation Where;
  Message Why; ///< with the cure
};

/// \param Skipped what the preprocessor left out: nothing is said of it.
std::vector<StrayDirective>
strayDirectives(clang::FileID File, const clang::ASTContext &Context,
                llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace kpipe

#endif // KPIPE_LEGALITY_STRAYDIRECTIVES_H
