// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the author's copies for all threads of a block, and the thread that has
// the copy engine bring the same tile, in a few tiles of a few problems: which
// bytes each element is. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TMARUN_H
#define KPIPE_LIB_VALIDATION_TMARUN_H

#include "TmaCode.h"
#include "clang/AST/ASTContext.h"
#include <array>
#include <optional>

namespace kpipe {

/// A matrix as launches tell of it, in the new text: boxes of Rows by Columns
/// elements. Parameters by their numbers; several, where launches give the same
/// for them.
struct TmaMatrix {
  using Parameters = std::vector<unsigned>;
  const clang::ParmVarDecl *Map =
      nullptr;      ///< the parameter that brings the map
  Parameters Bases; ///< that it may begin at
  unsigned Rows = 0, Columns = 0;
  /// Elements from row to row: a sum of products.
  std::vector<std::pair<int64_t, std::vector<Parameters>>> Pitch;
};

/// Is every element that is used the author's, whatever the copy engine's
/// pattern makes of it, and nothing asked for that it would not bring?
bool bringsTheSame(const clang::ASTContext &Author,
                   const clang::FunctionDecl *F,
                   const clang::ASTContext &Engine,
                   const clang::FunctionDecl *G, const TmaCode &Code,
                   llvm::ArrayRef<TmaMatrix> Matrices,
                   std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TMARUN_H
