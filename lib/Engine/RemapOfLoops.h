// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose copies are to be remapped: the first time their new text is made,
// the second time that is what the loop is.
#ifndef KPIPE_ENGINE_REMAPOFLOOPS_H
#define KPIPE_ENGINE_REMAPOFLOOPS_H

#include "KernelsOfLoops.h"

namespace kpipe {

/// The loop's text with remapped copies; nothing where it is that text already,
/// or nothing can be remapped. What is to be said goes into O.
std::optional<RemapOfLoop> remapOf(WrittenLoop &L, LoopOutcome &O,
                                   const KernelsOfLoops &Kernels,
                                   const TransformOptions &Options);

/// Does the loop bring all of its tiles in elements of 4 or 8 bytes, as far as
/// its text shows?
bool copiesElements(const WrittenLoop &L);

/// Is the loop in its new text already, or to keep the author's?
bool isDecided(const Place &Loop, const TransformOptions &Options);

/// Edits of a file as the change that a loop asks for; nothing where two of
/// them meet.
std::optional<RemapOfLoop> asRemap(const clang::SourceManager &SM,
                                   clang::FileID File,
                                   llvm::ArrayRef<TextEdit> Edits,
                                   RemappedLoop Loop,
                                   std::array<unsigned, 3> Block);

/// Where the author's loop begins: more may stand in front of it on its line.
Place placeOfAuthors(Place Own, const TransformOptions &Options);

/// The key of the author's loop, which profiles know.
LoopKey keyOfAuthors(const WrittenLoop &L, LoopKey Own,
                     const TransformOptions &Options);

/// Adds to what is said of a pipelined loop what became of its copies.
void sayRemapped(LoopOutcome &O, const TransformOptions &Options);

std::string dumpBoxes(const WrittenLoop &L, const KernelsOfLoops &Kernels);

} // namespace kpipe

#endif // KPIPE_ENGINE_REMAPOFLOOPS_H
