// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line differences between two texts. Pure text work; it must not know files
// or C++.
#ifndef KPIPE_LINEDIFF_H
#define KPIPE_LINEDIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace kpipe {

/// Lines [OldBegin, OldEnd) of the old text became [NewBegin, NewEnd) of the
/// new one; lines count from 0.
struct LineChange {
  unsigned OldBegin, OldEnd;
  unsigned NewBegin, NewEnd;
};

/// A text cut into lines, each with its newline.
std::vector<llvm::StringRef> splitLines(llvm::StringRef Text);

/// What changed, in order, with unchanged lines between any two changes.
std::vector<LineChange> diffLines(llvm::ArrayRef<llvm::StringRef> Old,
                                  llvm::ArrayRef<llvm::StringRef> New);

} // namespace kpipe

#endif // KPIPE_LINEDIFF_H
