// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that step as they go: `while (i < N) { …; i += 128; }` behind
// `int i = threadIdx.x;`, `++j, q >>= 4` in a header, `*to++ = *from++`. They are
// read as loops that count in their headers and do one thing in a statement, so
// that nothing else has to know other ones.
#ifndef KPIPE_LOWERING_COUNTEDLOOPS_H
#define KPIPE_LOWERING_COUNTEDLOOPS_H

#include "ConstantBranches.h"

namespace kpipe {

/// May a body have such copies? Asks for no text.
bool mayBeCounted(const clang::FunctionDecl *Body);

/// Loops that pass barriers of the block, with their copies so.
/// \param MayTouch whether the text of a loop may change.
std::vector<OpenedLoop>
loopsCounted(const clang::FunctionDecl *Body, const SourceText &Source,
             llvm::function_ref<bool(const clang::Stmt *)> MayTouch);

} // namespace kpipe

#endif // KPIPE_LOWERING_COUNTEDLOOPS_H
