// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variable that says which phase of a barrier is waited for, and its steps.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_PHASECOUNTER_H
#define KPIPE_LIB_VALIDATION_PHASECOUNTER_H

#include "Validation/Trees/Addresses.h"

namespace kpipe {

struct PhaseCounter {
  unsigned Local = 0;
  bool Flips = false; ///< else it counts, and its lowest bit is asked for
  bool InHeader = false;
};

/// Without what converts it.
const Tree &plain(const Tree &T);

/// The variable that a name is, or 0.
unsigned localIn(const Tree &T);

/// How often a variable is named otherwise than to read it, but in what is
/// asked at barriers, which changes nothing.
unsigned changes(const Tree &T, unsigned Local);

/// How many steps of By a header does; 2 for anything else.
unsigned goesOn(const Tree &T, unsigned Local, int64_t By, const Frame &F);

/// `p ^= 1`, `p = !p`, `p = 1 - p`, `p = p ^ 1`; of a counter `++p`, `p += 1`.
bool isPhaseStep(const Tree &S, const PhaseCounter &C, const Frame &F);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_PHASECOUNTER_H
