// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the author's copies for all threads of a block, and the thread that has
// the copy engine bring the same rows, in a few tiles of a few problems: from
// where each byte comes. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_BULKRUN_H
#define KPIPE_LIB_VALIDATION_BULKRUN_H

#include "BulkCode.h"
#include "clang/AST/ASTContext.h"
#include <array>

namespace kpipe {

/// Are the same bytes brought by one thread, all that it expects, and are rows
/// aligned wherever nothing else copies them?
bool bringsSameRows(const clang::ASTContext &Author,
                    const clang::FunctionDecl *F,
                    const clang::ASTContext &Engine,
                    const clang::FunctionDecl *G, const BulkCode &Code,
                    std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_BULKRUN_H
