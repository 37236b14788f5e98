// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose copies are not in their text: in a macro, in a closure, in a
// member function of the tile. They are read with the text in the place of the
// call, and `a = b = 0` as two statements.
#ifndef KPIPE_LOWERING_WRITTENOUT_H
#define KPIPE_LOWERING_WRITTENOUT_H

#include "ConstantBranches.h"

namespace kpipe {

/// May a body have such loops? Asks for no text.
bool mayBeWrittenOut(const clang::FunctionDecl *Body);

/// \param MayTouch whether the text of a loop may change.
std::vector<OpenedLoop>
loopsWrittenOut(const clang::FunctionDecl *Body, const SourceText &Source,
                llvm::function_ref<bool(const clang::Stmt *)> MayTouch);

} // namespace kpipe

#endif // KPIPE_LOWERING_WRITTENOUT_H
