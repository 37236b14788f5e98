// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement that is written out would be in its place: the body of a
// closure or of a member function, the assignments of `a = b = 0`. Made from
// the author's trees alone. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_WRITTENOUTTREES_H
#define KPIPE_LIB_VALIDATION_WRITTENOUTTREES_H

#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/JumpMeaning.h"

namespace kpipe {

/// The assignments, in the order in which they happen; empty for anything but a
/// chain whose value is a constant, and whose places have no effects.
std::vector<std::unique_ptr<Tree>> assignmentsOf(const Tree &Chain);

/// A block with the parameters as variables and the body of what is called.
/// \param Function the author's, in which the call stands.
/// \param Block what stands in its place: names the parameters.
/// \param Next a number for variables that the function does not have.
/// \returns null where the call is not understood.
std::unique_ptr<Tree> bodyInPlace(const Tree &Call, const Tree &Function,
                                  const Frame &F, const Tree &Block,
                                  unsigned &Next);

/// The block of `do { … } while (0)`, if nothing in it leaves or continues it.
const Tree *blockOfOnce(const Tree &Loop);

/// The branch of an `if constexpr` that runs, and the same of the `if` that
/// stands in its place; none for anything else.
std::optional<ListPair> branchAsIf(const Tree &Author, const Tree &Lowered,
                                   const Frame &F, SameTrees Same);

/// Does a variable hold a closure whose making does nothing?
bool isQuietClosure(const Tree &Var);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_WRITTENOUTTREES_H
