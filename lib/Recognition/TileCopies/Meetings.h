// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two stores of one thread can write one byte within one tile.
#ifndef KPIPE_RECOGNITION_MEETINGS_H
#define KPIPE_RECOGNITION_MEETINGS_H

#include "Places.h"

namespace kpipe {

/// Two executions of stores, or of one in different iterations of the loops
/// around it, never write one byte twice for one thread within a tile.
/// \param Atoms of both places.
bool neverMeet(const PlacedStore &A, const PlacedStore &B,
               const AtomTable &Atoms);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_MEETINGS_H
