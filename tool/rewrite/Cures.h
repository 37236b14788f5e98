// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixes of diagnostics as edits of texts, and as a file for
// clang-apply-replacements. It must not know what a fix is for.
#ifndef KPIPE_TOOL_REWRITE_CURES_H
#define KPIPE_TOOL_REWRITE_CURES_H

#include "kpipe/Diagnostic.h"
#include "kpipe/TextEdit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// Where a place is in its file's text, in bytes; none if it is not there.
std::optional<unsigned> offsetOf(llvm::StringRef Text, const Place &At);

/// What a fix does to one file's text, in the order of the text.
std::vector<TextEdit> editsIn(llvm::StringRef File, llvm::StringRef Text,
                              const Fix &F);

/// A text with edits made that are in its order and do not overlap.
std::string withEdits(llvm::StringRef Text, llvm::ArrayRef<TextEdit> Edits);

/// The diagnostics that have fixes, as Clang's tools serialise theirs. A fix
/// that an earlier diagnostic has as well is not made a second time.
/// \param TextOf a file's text; a fix of a file without one is left out.
std::string
curesAsYaml(llvm::ArrayRef<Diagnostic> Diagnostics,
            llvm::function_ref<std::optional<std::string>(llvm::StringRef)>
                TextOf);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_CURES_H
