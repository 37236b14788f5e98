// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the user's that templates of a library call: `sort(first, last,
// less)`. The index of calls leaves libraries out.
#ifndef KPIPE_CODE_LIBRARYCALLS_H
#define KPIPE_CODE_LIBRARYCALLS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// Walks the instantiations of a library's templates from those on that the
/// user's code names. What nobody names, a precompiled header need not load.
class LibraryCalls {
public:
  /// \param Named gets the user's functions that they name.
  explicit LibraryCalls(
      llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &Named)
      : Named(Named) {}

  /// The user's code names F, which may be anybody's.
  void enter(const clang::FunctionDecl *F);
  /// The user's code makes an object of the type, which ends some day.
  void enterEndOf(clang::QualType T);

private:
  llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &Named;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 16> Seen;
};

} // namespace kpipe

#endif // KPIPE_CODE_LIBRARYCALLS_H
