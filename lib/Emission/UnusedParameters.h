// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of a helper that a clone for one half of the load does without.
#ifndef KPIPE_EMISSION_UNUSEDPARAMETERS_H
#define KPIPE_EMISSION_UNUSEDPARAMETERS_H

#include "LoadHalves.h"
#include "SourceText.h"

namespace kpipe {

/// The numbers of those parameters that neither the clone's body nor its head
/// has a use for, where the call can do without the arguments: they have no
/// effect, and no argument of a template is deduced from them.
/// \param Body of the clone. \param Its the helper's file. \param Source the
/// call's.
std::vector<unsigned> unusedParameters(const clang::FunctionDecl *Helper,
                                       const clang::CallExpr *Call,
                                       llvm::StringRef Body,
                                       const SourceText &Its,
                                       const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_UNUSEDPARAMETERS_H
