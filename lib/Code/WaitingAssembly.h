// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that asks for a phase of an mbarrier until it is there.
#ifndef KPIPE_CODE_WAITINGASSEMBLY_H
#define KPIPE_CODE_WAITINGASSEMBLY_H

#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Is Text `again: try_wait p, …; @p bra out; bra again; out:` or its kin, and
/// nothing else?
bool asksUntilItIs(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_CODE_WAITINGASSEMBLY_H
