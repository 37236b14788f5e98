// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop of two stages beside the same of one. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_RESTAGED_STAGEDTURNS_H
#define KPIPE_LIB_VALIDATION_RESTAGED_STAGEDTURNS_H

#include "RestagedCode.h"

namespace kpipe {

/// Where a loop stands: the author's statements around it, its place among
/// them, and the places of those in front that the other text has not.
struct StagedPlace {
  const TreeList &Around;
  size_t Loop;
  llvm::ArrayRef<size_t> Gone;
};

/// \returns what is not proved: else each turn of both reads the tile that is
/// its own, which is the same.
std::optional<RestagedFault>
compareTurns(RestagedPair &Both, const StagedPlace &Place, const Tree &Other);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_RESTAGED_STAGEDTURNS_H
