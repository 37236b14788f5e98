// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a loop in the branch of a condition that is a constant: `if
// constexpr (Stages == 1) { … __syncthreads(); }`. Which branch runs is known,
// so its statements are read as the body's own.
#ifndef KPIPE_LOWERING_CONSTANTBRANCHES_H
#define KPIPE_LOWERING_CONSTANTBRANCHES_H

#include "Emission/SourceText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <vector>

namespace kpipe {

/// A loop whose body loses conditions, and keeps their branches.
struct OpenedLoop {
  const clang::Stmt *Loop = nullptr;
  /// Where a condition went a static assertion stands: an instance that nobody
  /// saw, and that takes the other branch, does not compile.
  std::set<Edit> Edits;
};

/// May a body have such loops? Asks for no text.
bool mayOpenBranches(const clang::FunctionDecl *Body);

/// \param MayTouch whether the text of a loop may change.
std::vector<OpenedLoop>
openedLoops(const clang::FunctionDecl *Body, const SourceText &Source,
            llvm::function_ref<bool(const clang::Stmt *)> MayTouch);

} // namespace kpipe

#endif // KPIPE_LOWERING_CONSTANTBRANCHES_H
