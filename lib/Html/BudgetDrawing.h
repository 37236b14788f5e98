// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The budget of one loop on one architecture as a drawing. Private to Html.
#ifndef KPIPE_LIB_HTML_BUDGETDRAWING_H
#define KPIPE_LIB_HTML_BUDGETDRAWING_H

#include "kpipe/Reporting.h"

namespace kpipe::html {

/// Writes a figure: blocks per SM against shared bytes per block, the cliffs,
/// where the kernel was and where it is, and the same numbers as a table.
/// \param Id begins every id in it.
void writeBudget(llvm::raw_ostream &OS, llvm::StringRef Id,
                 const ArchLimits &Arch, const BudgetReport &Budget);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_BUDGETDRAWING_H
