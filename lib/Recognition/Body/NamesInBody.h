// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the statements of a loop's body name: text moves, and means the same
// only where its names do. Knows neither copies nor regions' contents.
#ifndef KPIPE_RECOGNITION_NAMESINBODY_H
#define KPIPE_RECOGNITION_NAMESINBODY_H

#include "LoopFacts.h"

namespace kpipe {

/// Fills Facts.Named; adds to the effects of each item that it reads the
/// references, closures and bindings of the body that it names; and lets what
/// the types of shared arrays are made of move out of the loop with them, or
/// says why it cannot (rule moved-text).
void findNamesInBody(LoopFacts &Facts);

/// moved-text: nothing in the regions means something else in a lambda. After
/// slicing.
void findMovedText(LoopFacts &Facts);

/// The same of the helpers that fill tiles, of which each half gets a copy.
/// After the copies are found.
void findMovedHelpers(LoopFacts &Facts);

/// Does S name V, evaluated or not?
bool mentions(const clang::Stmt *S, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_NAMESINBODY_H
