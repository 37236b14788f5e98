// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that became conditions: where a text without them does the same, what
// of the one has to be equal to what of the other. The validators' own reading
// of both. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_JUMPMEANING_H
#define KPIPE_LIB_VALIDATION_JUMPMEANING_H

#include "Tree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace kpipe {

using SameTrees = llvm::function_ref<bool(const Tree &, const Tree &)>;

/// The statements of a block, or the one that S is.
TreeList statementsIn(const Tree &S);

/// Two lists that have to mean the same.
struct ListPair {
  TreeList Author, Lowered;
};

/// `if (c) { A continue; } B`, all that is left of a loop's body, and
/// `if (c) { A } else { B }` or `if (!c) { B } else { A }`: the A of both, and
/// the B of both.
std::optional<std::pair<ListPair, ListPair>>
restAsBranch(llvm::ArrayRef<const Tree *> Author, const Tree &Lowered,
             SameTrees Same);

/// A loop that a break ends, and one with its condition: their bodies without
/// it. \param Meet does a statement behind the break do nothing where it runs
/// once more, given the break's condition?
std::optional<ListPair> breakAsCondition(const Tree &Author,
                                         const Tree &Lowered, SameTrees Same,
                                         SameTrees Meet);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_JUMPMEANING_H
