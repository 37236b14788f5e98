// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text out of several: what differs between the texts that a file gets for
// architectures stands between conditions on `__CUDA_ARCH__`, the author's own
// lines among them. Works on lines and tokens; it must not know what a loop is.
#ifndef KPIPE_TOOL_REWRITE_ARCHGUARDS_H
#define KPIPE_TOOL_REWRITE_ARCHGUARDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// What a file becomes for an architecture.
struct ArchText {
  unsigned Number; ///< 860 of sm_86, as `__CUDA_ARCH__` has it
  std::string Text;
};

/// Lines of a text, counted from 0, without the last one.
struct LineRange {
  unsigned Begin, End;
};

struct FunctionLines {
  LineRange Lines;
  std::string Name;
};

/// What is known of the author's text.
struct GuardedLines {
  /// These stay together: loops.
  std::vector<LineRange> Whole;
  /// In these, and between functions where lines are only added, a compiler
  /// reads what `__CUDA_ARCH__` says.
  std::vector<FunctionLines> Device;
  /// In these it never does.
  std::vector<LineRange> Host;
};

struct GuardedText {
  std::string Text;
  /// What the host's compiler and architectures that were not named read.
  std::string Otherwise;
};

/// The author's lines come back whole where a condition fails: functions of
/// which any has one, or that mention one another, have one around each change.
/// \param Texts at least one, no architecture twice.
/// \returns the text without a condition where all are the same. An error, a
/// reason in words, where a condition has no place.
llvm::Expected<GuardedText> guardedText(llvm::StringRef Old,
                                        llvm::ArrayRef<ArchText> Texts,
                                        const GuardedLines &Known);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_ARCHGUARDS_H
