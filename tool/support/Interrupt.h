// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C, SIGTERM and SIGHUP, in one place: who wants to end in good order, and
// what goes away with a program that is ended. It must not know what for.
#ifndef KPIPE_TOOL_SUPPORT_INTERRUPT_H
#define KPIPE_TOOL_SUPPORT_INTERRUPT_H

#include "llvm/ADT/StringRef.h"
#include <sys/types.h>
#include <utility>

namespace kpipe {

/// While it lives, Ctrl-C, SIGTERM and SIGHUP end the running commands instead
/// of the program; a second Ctrl-C ends both. One at a time.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

  static bool interrupted();
};

/// A temporary file or folder. The owner removes it; where a signal ends the
/// program before, it goes away with all that is in it.
class Leftover {
public:
  Leftover() = default;
  explicit Leftover(llvm::StringRef Path);
  Leftover(Leftover &&Other) : Entry(std::exchange(Other.Entry, nullptr)) {}
  Leftover &operator=(Leftover &&Other) {
    std::swap(Entry, Other.Entry);
    return *this;
  }
  ~Leftover() { forget(); }

  /// The path stays, whatever comes.
  void forget();

private:
  void *Entry = nullptr;
};

/// Removes all that is left over and ends the groups of processes. Called from
/// signal handlers, it uses nothing but system calls.
void removeLeftovers();

/// A group of processes that is ended with the program, from begin to end.
void beginGroup(pid_t Leader);
void endedGroup(pid_t Leader);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_INTERRUPT_H
