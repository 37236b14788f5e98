// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules and other subjects of diagnostics as values, and their stable ids.
#ifndef KPIPE_RULE_H
#define KPIPE_RULE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// What a diagnostic is about, see Rules.def.
enum class RuleId {
#define KPIPE_RULE(Name, Id) Name,
#define KPIPE_NOTICE(Name, Id) Name,
#include "kpipe/Rules.def"
};

/// The id that people see, without "kpipe-": `may-alias`.
llvm::StringRef idOf(RuleId Rule);

/// The same as tools print it: `kpipe-may-alias`.
std::string printedId(RuleId Rule);

} // namespace kpipe

#endif // KPIPE_RULE_H
