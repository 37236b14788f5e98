// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `kpipe verify` and `kpipe rewrite --verify` share: the options that say
// how, and printing. It must not know how checks are made.
#ifndef KPIPE_TOOL_COMMANDS_VERIFY_H
#define KPIPE_TOOL_COMMANDS_VERIFY_H

#include "kpipe/Html.h"
#include "verify/Fixes.h"

namespace kpipe {

/// Verifies what is about to be written, and with --fix puts what passes in its
/// place. Prints what was found, and adds it to Page.
/// \returns an error of one line when something does not pass, after which
/// nothing may be written.
llvm::Error verifyBeforeWriting(const FileRequest &Request, FileResult &Result,
                                unsigned Jobs, std::vector<KernelVerification> &Page);

/// An error if options that only --verify reads were given without it.
llvm::Error checkVerifyOptions(const CommonRequest &Request, bool Verify);

} // namespace kpipe

#endif // KPIPE_TOOL_COMMANDS_VERIFY_H
