// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy loop whose values wait in registers, in numbers that are constants:
// how many parts it has, and which one a turn of it is.
#ifndef KPIPE_EMISSION_PARTCOUNTS_H
#define KPIPE_EMISSION_PARTCOUNTS_H

#include "RuntimeCalls.h"
#include "SourceText.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// A constant expression: the most parts that a thread copies.
struct PartCount {
  std::string Text;
  /// It is a quotient, rounded up.
  bool RoundedUp = false;
};

/// \param Helper that the copies are in, or null.
/// Fails if the bounds cannot be spelled outside the loop or the helper.
llvm::Expected<PartCount>
partCount(const CopyLoop &L, const clang::FunctionDecl *Helper,
          const TileLoop &Loop, const SourceText &Source, RuntimeCalls &Calls);

/// How many parts the bound has no say in: the quotient that Count rounds up.
std::string wholeParts(const PartCount &Count, const CopyLoop &L,
                       const SourceText &Source);

/// A condition that holds in blocks of another size than registers are counted
/// for: they hold no tile of such a block, and a launch of it fails instead of
/// computing something else. Empty if they are counted for any size.
std::string otherBlock(const TileLoop &Loop, const PipelinePlan &Plan);

/// `i / stride`: the part that a turn of a loop with a constant start copies.
std::string partIndex(const CopyLoop &L, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_PARTCOUNTS_H
