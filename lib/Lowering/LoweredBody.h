// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One body of one function with plain copies in its loops, as edits.
#ifndef KPIPE_LOWERING_LOWEREDBODY_H
#define KPIPE_LOWERING_LOWEREDBODY_H

#include "Code/AsyncOps.h"
#include "ConstantBranches.h"
#include "FileTexts.h"
#include "SingleStage.h"
#include "kpipe/TextMarks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

namespace kpipe {

struct LoweredBody {
  std::set<Edit> Edits;
  llvm::SmallVector<const clang::Stmt *, 2> Loops;
  /// Those of them without asynchronous operations.
  llvm::SmallVector<const clang::Stmt *, 2> Opened;
  /// Those that stay as they are, and the operation that is to blame.
  struct Other {
    AsyncTileLoop Why;
    const AsyncOp *At = nullptr;
  };
  llvm::SmallVector<Other, 2> Others;
  /// Functions that the loops load with, which have to become plain, too.
  llvm::SmallSetVector<const clang::FunctionDecl *, 2> Helpers;
};

/// \param Opened loops that lose constant conditions besides.
/// \param MayTouch whether a loop may be lowered.
/// \param MayCall whether a helper may become plain.
LoweredBody
lowerBody(const clang::FunctionDecl *Body, AsyncCode &Code, UnitCalls &Calls,
          const FileText &File, llvm::ArrayRef<OpenedLoop> Opened,
          llvm::function_ref<bool(const clang::Stmt *)> MayTouch,
          llvm::function_ref<bool(const clang::FunctionDecl *)> MayCall);

/// Does an edit of one change what one of the other does?
bool overlap(const std::set<Edit> &A, const std::set<Edit> &B);

/// All of a function that copies for its callers.
/// \returns its edits and helpers; none where an operation has no plain text.
std::optional<LoweredBody> lowerHelper(const clang::FunctionDecl *Body,
                                       AsyncCode &Code, const FileText &File);

} // namespace kpipe

#endif // KPIPE_LOWERING_LOWEREDBODY_H
