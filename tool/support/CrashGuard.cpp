// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal handler that ends the program. llvm::CrashRecoveryContext would go
// on after a crash, which a program that does one job need not, and cannot
// tell of a stack that is used up: its handler runs on that stack.
#include "CrashGuard.h"
#include "Interrupt.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

namespace kpipe {
namespace {

// A handler may touch nothing but memory that is there already.
thread_local Activity::Kind Doing = Activity::None;
thread_local char FileName[4096];
thread_local uintptr_t StackLow = 0;
pid_t Program = 0;

enum class End { Crash, StackOverflow, OutOfMemory };

const char *reason(End How) {
  if (How == End::StackOverflow)
    return "its code is nested too deeply, nothing was written; break its "
           "longest expressions and statements up";
  if (How == End::OutOfMemory)
    return "there is not enough memory for it, nothing was written; move its "
           "kernels to a file of their own";
  if (Doing == Activity::Parsing)
    return "Clang crashed while parsing it, nothing was written; see where "
           "with 'clang++ -fsyntax-only', or move its kernels to a file of "
           "their own";
  return "kpipe crashed, nothing was written; please report it with the file";
}

[[noreturn]] void end(End How) {
  // A snapshot's copy ends without a word: the program itself then parses
  // what the copy did not, and tells what comes of that.
  if (::getpid() != Program)
    ::_exit(1);
  removeLeftovers();
  const char *Parts[] = {"kpipe: error: ", "internal error: ", "'", FileName,
                         "': ", reason(How), "\n"};
  bool Internal = How == End::Crash && Doing != Activity::Parsing;
  iovec Line[7];
  int Count = 0;
  for (int I = 0; I < 7; ++I) {
    if (I == 1 && !Internal)
      continue;
    if (Doing == Activity::None && I >= 2 && I <= 4)
      continue;
    Line[Count].iov_base = const_cast<char *>(Parts[I]);
    Line[Count++].iov_len = std::strlen(Parts[I]);
  }
  if (::writev(STDERR_FILENO, Line, Count) < 0)
    ::_exit(1);
  ::_exit(1);
}

void onSignal(int Signal, siginfo_t *Info, void *) {
  // Frames may be larger than the guard page that they step over.
  constexpr uintptr_t Near = 1 << 20;
  auto At = reinterpret_cast<uintptr_t>(Info->si_addr);
  bool Overflow = (Signal == SIGSEGV || Signal == SIGBUS) && StackLow &&
                  At + Near > StackLow && At < StackLow + Near;
  end(Overflow ? End::StackOverflow : End::Crash);
}

void onFatalError(void *, const char *, bool) { end(End::Crash); }
void onBadAlloc(void *, const char *, bool) { end(End::OutOfMemory); }
void onNewFailed() { end(End::OutOfMemory); }

/// Handlers for the process.
void installHandlers() {
  struct sigaction Action = {};
  Action.sa_sigaction = onSignal;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&Action.sa_mask);
  for (int Signal :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
    ::sigaction(Signal, &Action, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onNewFailed);
  Program = ::getpid();
}

/// A stack of their own for them in the calling thread.
void prepareThread() {
  pthread_attr_t Attributes;
  if (::pthread_getattr_np(::pthread_self(), &Attributes) == 0) {
    void *Low = nullptr;
    size_t Size = 0;
    if (::pthread_attr_getstack(&Attributes, &Low, &Size) == 0)
      StackLow = reinterpret_cast<uintptr_t>(Low);
    ::pthread_attr_destroy(&Attributes);
  }
  alignas(16) static thread_local char HandlerStack[64 << 10];
  stack_t Alternate = {};
  Alternate.ss_sp = HandlerStack;
  Alternate.ss_size = sizeof(HandlerStack);
  ::sigaltstack(&Alternate, nullptr);
}

struct Job {
  llvm::function_ref<int()> Work;
  int Result;
};

void *doJob(void *Argument) {
  auto *J = static_cast<Job *>(Argument);
  J->Result = J->Work();
  return nullptr;
}

} // namespace

Activity::Activity(Kind K, llvm::StringRef File) {
  size_t Size = std::min(File.size(), sizeof(FileName) - 1);
  std::memcpy(FileName, File.data(), Size);
  FileName[Size] = '\0';
  Doing = K;
}

Activity::~Activity() { Doing = None; }

Activity::Kind Activity::current() { return Doing; }

int onDeepStack(llvm::function_ref<int()> Work) {
  Job J{Work, 1};
  // Clang and kpipe go down into expressions and statements by recursion,
  // with up to five kilobytes for a level; an operator in the input is a level.
  // Address space is all that a deep stack takes before it is used.
  for (size_t Bytes : {size_t(512) << 20, size_t(64) << 20}) {
    pthread_attr_t Attributes;
    pthread_t Thread;
    ::pthread_attr_init(&Attributes);
    bool Started =
        ::pthread_attr_setstacksize(&Attributes, Bytes) == 0 &&
        ::pthread_create(&Thread, &Attributes, doJob, &J) == 0;
    ::pthread_attr_destroy(&Attributes);
    if (Started) {
      ::pthread_join(Thread, nullptr);
      return J.Result;
    }
  }
  return Work();
}

int runGuarded(llvm::function_ref<int()> Work) {
  static std::once_flag Once;
  std::call_once(Once, installHandlers);
  return onDeepStack([&] {
    prepareThread();
    return Work();
  });
}

} // namespace kpipe
