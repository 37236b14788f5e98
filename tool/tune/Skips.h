// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which forms need not be measured, since others that were measured say that
// they cannot win, and in which order forms come so that these are known first.
// Rules on plain numbers; it must not know how forms are built or run.
#ifndef KPIPE_TOOL_TUNE_SKIPS_H
#define KPIPE_TOOL_TUNE_SKIPS_H

#include "options/Profile.h"
#include "llvm/ADT/ArrayRef.h"

namespace kpipe {

/// The forms' indices in groups that are tried one after the other: what a rule
/// compares a form with stands in a group before it. The original and what
/// kpipe plans are in the first.
std::vector<std::vector<size_t>> wavesOf(llvm::ArrayRef<FormResult> Forms);

/// Why a form that was not built yet need not be, by what was tried of others;
/// one clause. Empty: it is worth a try.
std::string whyNotBuilt(llvm::ArrayRef<FormResult> Forms, size_t Form);

/// Why a form that was tried need not be measured; one clause. Empty: it may
/// win. The original and what kpipe plans are always measured.
std::string whyNotMeasured(llvm::ArrayRef<FormResult> Forms, size_t Form);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_SKIPS_H
