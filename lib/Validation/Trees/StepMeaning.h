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

/// `T i = a; while (c) { B; s; }` or `T i = a; for (; c; s) B`, and
/// `for (T i = a; c; s) B`: both B.
/// \param Function all that may name the counter.
std::optional<ListPair> counterInHeader(const Tree &Made, const Tree &Loop,
                                        const Tree &Lowered,
                                        const Tree &Function, SameTrees Same);

/// `for (T i = a; c; s, t) B` and `for (T i = a; c; s) { B; t; }`: both bodies
/// without t, in the author's text as well as in the other one.
std::optional<ListPair> stepInBody(const Tree &Loop, const Tree &Lowered,
                                   const Tree &Function, SameTrees Same);

/// `*p++ = *q++;` and `*p = *q; ++p; ++q;`.
/// \returns how many statements of the other text that is, 0 for anything else.
size_t stepsBehind(const Tree &Store, llvm::ArrayRef<const Tree *> Lowered,
                   const Tree &Function, SameTrees Same);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_STEPMEANING_H
