// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A seam for tests: may what one rule says be passed over, so that the
// validators have to find the loop wrong by themselves? In kpipe: never. A
// program of the tests links a definition of its own (test/Adversary/RulesOff.cpp).
#ifndef KPIPE_SUPPORT_RULESWITCH_H
#define KPIPE_SUPPORT_RULESWITCH_H

#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// \param Id a rule of docs/legality.md without `kpipe-`, `preprocessor` or
/// `unseen-instances`, or, for what only changes how a tile is copied:
/// `async-source`, `async-effects`, `async-order`, `split-effects`, `ring-use`,
/// `helper-loops`, `number-views`, `temporaries`, `private-arrays`,
/// `stored-elements`, `partial-tiles`, `parts-apart`, `async-alignment`,
/// `copy-spans`;
/// `launches`: that a kernel is named where no launch is changed;
/// `matrix-sums`: that nothing but wgmma touches sums which stay in flight;
/// `producer-front` and `producer-issue`: what a producer's threads run, and
/// whether it is for any thread; and of copies that are read as plain ones
/// `async-unseen`, `async-meetings`, `async-arrivals` and `async-parity`.
bool ruleIsSwitchedOff(llvm::StringRef Id);

} // namespace kpipe

#endif // KPIPE_SUPPORT_RULESWITCH_H
