// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units in which the copies of some loops are remapped: their text is made,
// parsed, checked and transformed in the author's place.
#ifndef KPIPE_TOOL_REWRITE_REMAPPEDCOPIES_H
#define KPIPE_TOOL_REWRITE_REMAPPEDCOPIES_H

#include "Session.h"

namespace kpipe {

/// Transforms Unit.Base; where loops are to be remapped, the unit with those
/// loops, which is Unit.Unit then. A loop of which nothing comes that way keeps
/// the author's copies.
UnitOutcome transformedRemapped(UnitResult &Unit, TransformOptions Options,
                                unsigned ArchIndex);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_REMAPPEDCOPIES_H
