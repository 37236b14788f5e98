// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that stand elsewhere in another text: a counter that came into a loop's
// header, one beside it that left it, and what a copy stepped as it went. What of
// the two texts has to be equal then. The validators' own reading of both.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_STEPMEANING_H
#define KPIPE_LIB_VALIDATION_STEPMEANING_H

#include "JumpMeaning.h"

namespace kpipe {

/// What of two lists of statements is the same loop, and its bodies.
struct MovedCounter {
  ListPair Bodies;
  size_t Authors = 0, Others = 0; ///< statements of the lists, from the first
};

/// `T i = a, j = b; while (c) { B; s; }` or `T i = a; for (; c; s) B`, and
/// `T j = b; for (T i = a; c; s) B`; also `for (T i = a, j = b; c; s, t) B` and
/// `T j = b; for (T i = a; c; s) { B; t; }`.
/// \param Function all that may name the counter.
std::optional<MovedCounter> movedCounter(llvm::ArrayRef<const Tree *> Author,
                                         llvm::ArrayRef<const Tree *> Lowered,
                                         const Tree &Function, SameTrees Same);

/// `for (T i = a; c; s, t) B` and `for (T i = a; c; s) { B; t; }`, or
/// `for (T i = a; c;) { B; s; }` and `for (T i = a; c; s) B`: both bodies without
/// what moved.
std::optional<ListPair> stepElsewhere(const Tree &Loop, const Tree &Lowered,
                                      const Tree &Function, SameTrees Same);

/// `*p++ = *q++;` and `*p = *q; ++p; ++q;`.
/// \returns how many statements of the other text that is, 0 for anything else.
size_t stepsBehind(const Tree &Store, llvm::ArrayRef<const Tree *> Lowered,
                   const Tree &Function, SameTrees Same);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_STEPMEANING_H
