// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's text with one tile at a time that the copy engine brings (TMA,
// sm_90), in place of the copies of the block's threads: the kernel is given a
// tensor map for each array, arrays are swizzled, and launches encode the maps.
// What follows works on this text as on a one-stage TMA loop of the author's.
// Lines stay where they are.
#ifndef KPIPE_TMACOPIES_H
#define KPIPE_TMACOPIES_H

#include "kpipe/Message.h"
#include "kpipe/TextEdit.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceLocation.h"
#include <array>
#include <string>
#include <vector>

namespace kpipe {

struct LoopFacts;

struct TmaCopies {
  clang::FileID File;
  /// None where the loop keeps its copies.
  std::vector<TextEdit> Edits;
  std::vector<std::string> Arrays;
  /// Why it keeps them, as a clause.
  Message Not;
};

/// \param Block of all launches.
/// \param Launches all of them, each as written once.
TmaCopies copyByTma(const LoopFacts &Facts, std::array<unsigned, 3> Block,
                    llvm::ArrayRef<const clang::CUDAKernelCallExpr *> Launches);

/// The same by copies of rows, which need no map: the arrays stay as they are,
/// and threads copy as before where rows turn out to be unaligned.
TmaCopies copyInBulk(const LoopFacts &Facts, std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_TMACOPIES_H
