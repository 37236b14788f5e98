// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one input in a forked copy of this process, so that a crash, a hang or
// what Clang leaks ends there, and tells Clang's own failures from kpipe's. It
// must not know what is checked.
#ifndef KPIPE_TEST_FRONTFUZZ_ISOLATION_H
#define KPIPE_TEST_FRONTFUZZ_ISOLATION_H

#include "Contract.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe::fuzz {

/// What became of all inputs so far.
struct Counts {
  unsigned Errors = 0, Unchanged = 0, Pipelined = 0;
  /// Inputs on which Clang itself crashes or takes too long; kpipe's program
  /// answers the first kind with one line, see tool/support/CrashGuard.h.
  unsigned ClangCrashes = 0, ClangHangs = 0;
  unsigned total() const {
    return Errors + Unchanged + Pipelined + ClangCrashes + ClangHangs;
  }
};

/// An empty folder for the copies to work in, made the current one; it goes
/// when the process ends.
void enterScratchFolder();

/// Runs Check in a copy.
/// \returns false if kpipe broke a promise, crashed, or took more than
/// SecondsAllowed of processor time; the reason is on standard error then.
bool runIsolated(llvm::function_ref<Outcome()> Check, Counts &Counted);

inline constexpr unsigned SecondsAllowed = 20;

/// "812 inputs: 400 errors, …".
void printCounts(const Counts &Counted);

} // namespace kpipe::fuzz

#endif // KPIPE_TEST_FRONTFUZZ_ISOLATION_H
