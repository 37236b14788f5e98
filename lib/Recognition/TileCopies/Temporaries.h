// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and arrays of the author's that do nothing but hold a value between
// its load and its store: `float4 v = x[i]; xs[t] = v;`. What such a copy
// stores is what the variable was given, and the variable is not needed.
#ifndef KPIPE_RECOGNITION_TEMPORARIES_H
#define KPIPE_RECOGNITION_TEMPORARIES_H

#include "Code/Scope.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// A temporary, and the expression whose value it holds.
struct HeldValue {
  Temporary In;
  const clang::Expr *Value = nullptr;
};

/// The temporary that Written reads, if the value can as well be loaded where
/// Store stands: it is given one value, which is read once, by Store, and
/// nothing in between changes what that is computed from.
/// \param Root the body of the loop, or of the helper, that holds Store.
std::optional<HeldValue> valueBehind(const clang::Expr *Written,
                                     const clang::Expr *Store,
                                     const clang::Stmt *Root, const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_TEMPORARIES_H
