// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No input may end the program without a word: what would be a crash becomes
// one line on standard error and exit code 1, before anything was written. It
// must not know what the work is.
#ifndef KPIPE_TOOL_SUPPORT_CRASHGUARD_H
#define KPIPE_TOOL_SUPPORT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Says, while it lives, what a crash in this thread is to be blamed on. One at
/// a time in each thread.
class Activity {
public:
  enum Kind {
    None,
    /// Clang reads File, the user's text or the rewritten one.
    Parsing,
    /// kpipe analyses File's AST or makes edits.
    Transforming,
  };
  Activity(Kind K, llvm::StringRef File);
  ~Activity();
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

  static Kind current();
};

/// Does Work on a stack that is as deep as nested code needs, and returns its
/// exit code.
int onDeepStack(llvm::function_ref<int()> Work);

/// The same, and a crash in it, a stack that is used up all the same, an error
/// that LLVM takes for fatal and the want of memory end the program with one
/// line and exit code 1.
int runGuarded(llvm::function_ref<int()> Work);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_CRASHGUARD_H
