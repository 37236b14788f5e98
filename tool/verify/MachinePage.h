// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What verification found, in the form that the page of `--html` shows. It must
// not know how either of them works.
#ifndef KPIPE_TOOL_VERIFY_MACHINEPAGE_H
#define KPIPE_TOOL_VERIFY_MACHINEPAGE_H

#include "kpipe/Html.h"
#include "kpipe/Verify.h"

namespace kpipe {

/// One entry for each kernel and architecture, in the report's order.
std::vector<MachineCode> machineCode(const VerifyReport &Report);

} // namespace kpipe

#endif // KPIPE_TOOL_VERIFY_MACHINEPAGE_H
