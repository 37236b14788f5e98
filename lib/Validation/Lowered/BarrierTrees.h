// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and tokens as trees: which one it is, and loops that do nothing but
// ask. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_BARRIERTREES_H
#define KPIPE_LIB_VALIDATION_BARRIERTREES_H

#include "AsyncMeaning.h"

namespace kpipe {

/// `__syncthreads()` and its kin.
bool isBlockBarrier(const Tree &T);

/// Is the barrier of E the statement J of New, where one right behind another
/// does for both? \param After the author's statement behind E. \param J is the
/// next statement then.
bool barrierStands(const AsyncEvent &E, const Tree *After, const TreeList &New,
                   size_t &J, const Frame &F);

/// `while (!…) ;`, `do ; while (!…);`: what is asked, or null.
const Tree *askedByLoop(const Tree &T);

/// Is that whether an arrival's phase has ended?
bool asksBarrier(const Tree &T);

/// A barrier by its address or by its name. \returns false where it is one of
/// an array and it is not known which.
bool barrierIn(const Tree &Place, const Frame &F, std::string &Key);

/// What counts copies, a pipeline or a barrier; only what each thread has for
/// itself has no name.
bool counterOf(const Tree &Object, const Frame &F, std::string &Key);

/// `std::move(token)`, `cuda::std::move(token)`, `bar.arrive()`, or null.
const Tree *tokenOf(const Tree &Argument);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_BARRIERTREES_H
