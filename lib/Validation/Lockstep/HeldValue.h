// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a variable that a copy reads was given, and whether the copy may as well
// ask for that itself: decided on the author's tree, apart from the analysis.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_HELDVALUE_H
#define KPIPE_LIB_VALIDATION_HELDVALUE_H

#include "Validation/Trees/Tree.h"
#include "kpipe/TileLoop.h"
#include <optional>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

struct HeldValue {
  const Tree *Value = nullptr;
  /// Numbers of the counters of loops around the value, each with that of the
  /// loop around the copy that runs the same turns.
  std::vector<std::pair<unsigned, unsigned>> Counters;
};

/// \param Use the right side of the copy \p Store, in \p Function.
/// \returns nothing unless the variable is set once, in front of the copy, and
/// read by it alone, for each turn of the same loops, and nothing in between
/// does more than copy or changes what the value is computed from.
std::optional<HeldValue> heldBy(const Tree &Use, const Tree &Store,
                                const Tree &Function, const TileLoop &Loop,
                                const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_HELDVALUE_H
