// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy tells by its exit status what became of it. Where libFuzzer's
// counters are linked in, the copy's are carried back.
#include "Isolation.h"
#include "support/CrashGuard.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Present when a part is compiled with -fsanitize=fuzzer-no-link.
extern "C" {
__attribute__((weak)) extern uint8_t __start___sancov_cntrs[];
__attribute__((weak)) extern uint8_t __stop___sancov_cntrs[];
}

namespace kpipe::fuzz {
namespace {

enum Status {
  Fine = 100, // + Outcome
  ClangCrashed = 110,
  ClangHung = 111,
  KpipeCrashed = 112,
  KpipeHung = 113,
};

uint8_t *SharedCounters = nullptr;

size_t counterBytes() {
  return __start___sancov_cntrs
             ? __stop___sancov_cntrs - __start___sancov_cntrs
             : 0;
}

void shareCounters() {
  if (SharedCounters || !counterBytes())
    return;
  void *Memory = ::mmap(nullptr, counterBytes(), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Memory != MAP_FAILED)
    SharedCounters = static_cast<uint8_t *>(Memory);
}

[[noreturn]] void endCopy(int Code) {
  if (SharedCounters)
    std::memcpy(SharedCounters, __start___sancov_cntrs, counterBytes());
  ::_exit(Code);
}

enum class Owner { Runtime, Clang, Kpipe };

Owner ownerOf(void *Address, const Dl_info &Info) {
  llvm::StringRef Module =
      llvm::sys::path::filename(Info.dli_fname ? Info.dli_fname : "");
  if (Module.starts_with("libclang-cpp") || Module.starts_with("libLLVM"))
    return Owner::Clang;
  if (Module.starts_with("lib") || Module.starts_with("ld-") ||
      Module.starts_with("linux-vdso") || Module.empty())
    return Owner::Runtime;
  llvm::StringRef Name = Info.dli_sname ? Info.dli_sname : "";
  for (llvm::StringRef Runtime :
       {"__asan", "__ubsan", "__sanitizer", "__interceptor", "___interceptor",
        "_ZN6__asan", "_ZN7__ubsan", "_ZN11__sanitizer", "_Zn", "_Zd"})
    if (Name.starts_with(Runtime))
      return Owner::Runtime;
  for (llvm::StringRef Runtime : {"malloc", "calloc", "realloc", "free",
                                  "memcpy", "memmove", "memset", "memcmp",
                                  "strlen", "abort", "raise"})
    if (Name == Runtime)
      return Owner::Runtime;
  return Owner::Kpipe;
}

/// Clang's own fault: Clang was reading the user's text for the parser, and
/// all frames from the innermost that is no run-time library's to the call
/// from kpipe's front end are Clang's or LLVM's.
bool isClangsOwn(llvm::ArrayRef<void *> Frames) {
  if (Activity::current() != Activity::Parsing)
    return false;
  bool InClang = false;
  for (void *Frame : Frames) {
    Dl_info Info;
    if (!::dladdr(Frame, &Info))
      Info = {};
    Owner O = ownerOf(Frame, Info);
    llvm::StringRef Name = Info.dli_sname ? Info.dli_sname : "";
    if (O == Owner::Kpipe)
      return InClang && Name.contains("ParseAction");
    if (O == Owner::Clang && !InClang) {
      InClang = true;
      llvm::errs() << "== Clang's own failure in " << Name << "\n";
    }
  }
  // Deeper than the frames that were asked for.
  return InClang;
}

void onSignal(int Signal, siginfo_t *, void *) {
  // Once: what follows may fail too.
  std::signal(Signal, SIG_DFL);
  restoreOutput();
  void *Frames[200];
  int Count = ::backtrace(Frames, 200);
  // This function and the frame that the system put below it come first.
  llvm::ArrayRef<void *> Below(Frames, Count);
  Below = Below.drop_front(std::min(Count, 2));
  bool Hung = Signal == SIGPROF;
  if (isClangsOwn(Below))
    endCopy(Hung ? ClangHung : ClangCrashed);
  llvm::errs() << "== kpipe "
               << (Hung ? "takes too long" : strsignal(Signal)) << "\n";
  llvm::sys::PrintStackTrace(llvm::errs(), 40);
  endCopy(Hung ? KpipeHung : KpipeCrashed);
}

void watch() {
  static char HandlerStack[1 << 20];
  stack_t Alternate = {};
  Alternate.ss_sp = HandlerStack;
  Alternate.ss_size = sizeof(HandlerStack);
  ::sigaltstack(&Alternate, nullptr);
  struct sigaction Action = {};
  Action.sa_sigaction = onSignal;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Action.sa_mask);
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
                     SIGPROF})
    ::sigaction(Signal, &Action, nullptr);
  itimerval Limit = {{0, 0}, {SecondsAllowed, 0}};
  ::setitimer(ITIMER_PROF, &Limit, nullptr);
  // One that waits for ever takes no processor time; its default is the end.
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(30 * SecondsAllowed);
  // Children write no cores, and no files but in passing.
  rlimit None = {0, 0};
  ::setrlimit(RLIMIT_CORE, &None);
}

std::string Scratch;

} // namespace

void enterScratchFolder() {
  llvm::SmallString<128> Path;
  if (llvm::sys::fs::createUniqueDirectory("kpipe-fuzz", Path) ||
      llvm::sys::fs::set_current_path(Path)) {
    llvm::errs() << "no scratch folder\n";
    std::exit(1);
  }
  Scratch = Path.str().str();
  static pid_t Owner;
  Owner = ::getpid();
  std::atexit([] {
    if (::getpid() == Owner)
      llvm::sys::fs::remove_directories(Scratch);
  });
  // The unwinder loads itself on first use.
  void *Frames[1];
  ::backtrace(Frames, 1);
}

bool runIsolated(llvm::function_ref<Outcome()> Check, Counts &Counted) {
  shareCounters();
  pid_t Copy = ::fork();
  if (Copy < 0) {
    llvm::errs() << "== no copy: " << std::strerror(errno) << "\n";
    return false;
  }
  if (Copy == 0) {
    // Deep nesting is kpipe's to bear, as in the program.
    onDeepStack([&] {
      watch();
      endCopy(Fine + int(Check()));
      return 0;
    });
  }
  int How = 0;
  while (::waitpid(Copy, &How, 0) < 0 && errno == EINTR)
    ;
  if (SharedCounters)
    std::memcpy(__start___sancov_cntrs, SharedCounters, counterBytes());
  switch (WIFEXITED(How) ? WEXITSTATUS(How) : -1) {
  case Fine + int(Outcome::Error):
    ++Counted.Errors;
    return true;
  case Fine + int(Outcome::Unchanged):
    ++Counted.Unchanged;
    return true;
  case Fine + int(Outcome::Pipelined):
    ++Counted.Pipelined;
    return true;
  case ClangCrashed:
    ++Counted.ClangCrashes;
    return true;
  case ClangHung:
    ++Counted.ClangHangs;
    return true;
  default:
    if (WIFSIGNALED(How))
      llvm::errs() << "== kpipe " << strsignal(WTERMSIG(How)) << "\n";
    return false;
  }
}

void printCounts(const Counts &C) {
  llvm::errs() << C.total() << " inputs: " << C.Errors << " errors, "
               << C.Unchanged << " unchanged, " << C.Pipelined
               << " pipelined; on " << C.ClangCrashes
               << " Clang itself crashes, on " << C.ClangHangs
               << " it takes too long\n";
}

} // namespace kpipe::fuzz
