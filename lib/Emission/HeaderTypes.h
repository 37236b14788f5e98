// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of a loop variable as the parameter of a lambda spells it: in a
// template each instance has its own, so what was deduced there is no spelling.
#ifndef KPIPE_EMISSION_HEADERTYPES_H
#define KPIPE_EMISSION_HEADERTYPES_H

#include "SourceText.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// Where nothing that the author wrote spells it for all instances it is named
/// by the variable, or "auto" where the header declares that.
std::string headerType(const clang::VarDecl *V, const TileLoop &Loop,
                       const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_HEADERTYPES_H
