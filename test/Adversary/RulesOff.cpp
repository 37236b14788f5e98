// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KPIPE_RULES_OFF=may-alias,async-order (or `all`) switches rules off, in the
// program kpipe-unruled alone, which is kpipe but for this function.
#include "Support/RuleSwitch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdlib>

namespace kpipe {

bool ruleIsSwitchedOff(llvm::StringRef Id) {
  const char *Off = std::getenv("KPIPE_RULES_OFF");
  if (!Off)
    return false;
  // The check is to be seen where it refuses a plan; no other one is tried.
  if (Id == "next-plans")
    return *Off;
  llvm::SmallVector<llvm::StringRef, 8> Ids;
  llvm::StringRef(Off).split(Ids, ',');
  return llvm::is_contained(Ids, Id) || llvm::is_contained(Ids, "all");
}

} // namespace kpipe
