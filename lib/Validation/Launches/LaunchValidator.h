// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rewrite that has a kernel ask for more dynamic shared memory must change
// all its launches. This check takes nothing from the search for launches: it
// reads the tokens of the unit's files, those too that conditions leave out, and
// looks at the edits themselves.
#ifndef KPIPE_VALIDATION_LAUNCHVALIDATOR_H
#define KPIPE_VALIDATION_LAUNCHVALIDATOR_H

#include "kpipe/Plan.h"
#include "kpipe/TextEdit.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>

namespace kpipe {

/// Where the unit's text names the kernel of \p Loop and may launch it as it was;
/// empty if nothing does, or if the kernel asks for no more than before.
/// \param Edits what the rewrite of the loop changes in \p File.
/// \param Skipped what preprocessor conditions left out of the parse.
/// \param Elsewhere the user's promise to change launches that are not seen.
std::optional<clang::SourceLocation>
findUnchangedLaunch(const TileLoop &Loop, const PipelinePlan &Plan,
                    clang::FileID File, llvm::ArrayRef<TextEdit> Edits,
                    clang::ASTContext &Context,
                    llvm::ArrayRef<clang::SourceRange> Skipped, bool Elsewhere);

} // namespace kpipe

#endif // KPIPE_VALIDATION_LAUNCHVALIDATOR_H
