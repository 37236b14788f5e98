// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `kpipe tune` asks for, form by form, simple ones first.
#ifndef KPIPE_TOOL_TUNE_FORMSTOASK_H
#define KPIPE_TOOL_TUNE_FORMSTOASK_H

#include "kpipe/LoopForm.h"
#include <vector>

namespace kpipe {

/// \param HasAsyncCopy whether the architecture has cp.async.
/// \param MostStages that are asked for, from 1.
std::vector<LoopForm> formsToAsk(bool HasAsyncCopy, bool HasCopyEngine,
                                 unsigned MostStages);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_FORMSTOASK_H
