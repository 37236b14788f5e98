// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options for the form of a loop, one for each field of LoopForm.def.
#ifndef KPIPE_TOOL_OPTIONS_FORMOPTIONS_H
#define KPIPE_TOOL_OPTIONS_FORMOPTIONS_H

#include "kpipe/LoopForm.h"
#include <string>

namespace kpipe {

/// What the command line asks for.
LoopForm formOfCommandLine();

/// The options that ask for a form: "--variant=ldg --stages=1".
std::string asOptions(const LoopForm &Form);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_FORMOPTIONS_H
