// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlaceOf.h.
#include "PlaceOf.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

Place placeOf(SourceLocation Loc, const SourceManager &SM) {
  PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(Loc), false);
  if (P.isInvalid())
    return {};
  return {P.getFilename(), P.getLine(), P.getColumn()};
}

} // namespace kpipe
