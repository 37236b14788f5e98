// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many elements a row of a staged array is best made longer, by trying.
// Knows banks and alignments, and neither budgets nor what was asked for.
#ifndef KPIPE_PLANNING_PADDING_H
#define KPIPE_PLANNING_PADDING_H

#include "kpipe/Plan.h"

namespace kpipe {

/// The bank conflicts of the loop's staged arrays, the worst of each, with the
/// least padding that leaves the least of them; nothing is padded yet.
std::vector<BankConflict> findConflicts(const TileLoop &Loop,
                                        const KernelShape &Kernel);

} // namespace kpipe

#endif // KPIPE_PLANNING_PADDING_H
