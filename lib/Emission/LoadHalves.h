// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two halves of a load region, and how calls of helpers become calls of the
// clone for one.
#ifndef KPIPE_EMISSION_LOADHALVES_H
#define KPIPE_EMISSION_LOADHALVES_H

#include "clang/AST/Expr.h"
#include <string>
#include <vector>

namespace kpipe {

/// Which half of a load region: what runs ahead of the compute (asynchronous
/// copies and loads to registers), or the stores from registers after it.
enum class Half { Ahead, Store };

/// How one call of a helper that fills shared memory is redirected.
struct HelperUse {
  const clang::CallExpr *Call = nullptr;
  std::string AheadName, StoreName; ///< clones; StoreName may be empty
  std::string TileType, TileVar;    ///< of the last argument, or empty
  std::string Qualifier; ///< in front of a clone's name where the call has none
  /// Numbers of the parameters that each half's clone does without.
  std::vector<unsigned> Unused[2];

  const std::string &name(Half Which) const {
    return Which == Half::Ahead ? AheadName : StoreName;
  }
  const std::vector<unsigned> &unused(Half Which) const {
    return Unused[Which == Half::Store];
  }
};

} // namespace kpipe

#endif // KPIPE_EMISSION_LOADHALVES_H
