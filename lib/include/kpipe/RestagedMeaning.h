// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a loop with one stage read the tiles that its author's loop reads, which
// copied each one turn ahead to the other of two buffers? Nothing that was
// found out to write the text is believed: both functions are taken as trees.
#ifndef KPIPE_RESTAGEDMEANING_H
#define KPIPE_RESTAGEDMEANING_H

#include "kpipe/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// What is not proved of a loop, and where its author's text says it.
struct NotRestaged {
  Place Loop, Where;
  Message Why;
};

/// \param Loops where those begin that have one stage; lines are the same in
/// both texts of the main file, no other file differs.
/// \returns the loops of which it is not proved; none: all is the same.
std::vector<NotRestaged> findChangedByRestaging(clang::ASTContext &Author,
                                                clang::ASTContext &OneStage,
                                                llvm::ArrayRef<Place> Loops);

} // namespace kpipe

#endif // KPIPE_RESTAGEDMEANING_H
