// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper whose clones are all that is called any more goes, and its clones
// stand in its place.
#ifndef KPIPE_UNCALLEDHELPERS_H
#define KPIPE_UNCALLEDHELPERS_H

#include "kpipe/Emission.h"
#include "kpipe/TextEdit.h"
#include <set>

namespace kpipe {

/// \param Clones of all loops, which stand behind their helpers among the
/// edits. A helper stays unless nobody else can know it: it is a function of
/// the main file, which is no header, of no class and declared once; it has
/// internal linkage, or it is a device function of a program that is compiled
/// whole, a template or inline; and no word of the new text, or of another file
/// of the user's, is its name. \param Edits of the main file.
void removeUncalled(llvm::ArrayRef<EmittedClone> Clones,
                    std::set<TextEdit> &Edits);

} // namespace kpipe

#endif // KPIPE_UNCALLEDHELPERS_H
