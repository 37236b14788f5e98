// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libFuzzer calls. Built by the preset fuzz-front only.
#include "Isolation.h"
#include "Mutator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace kpipe::fuzz;

static Mode Kind = Mode::Source;
static Counts Counted;
static Mutator *Changes;
static int StartFolder = -1, Scratch = -1;

// An AST is never freed (Clang's -disable-free), so leaks say nothing. LLVM is
// not instrumented: containers that both sides fill cannot be watched.
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_container_overflow=0:abort_on_error=1:"
         "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:"
         "handle_sigfpe=0:quarantine_size_mb=16";
}
extern "C" const char *__ubsan_default_options() {
  return "print_stacktrace=1:abort_on_error=1";
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

extern "C" int LLVMFuzzerInitialize(int *ArgCount, char ***Args) {
  bool Named = false;
  int Kept = 1;
  for (int I = 1; I < *ArgCount; ++I) {
    llvm::StringRef Arg = (*Args)[I];
    if (!Arg.consume_front("--mode=")) {
      (*Args)[Kept++] = (*Args)[I];
      continue;
    }
    std::optional<Mode> M = modeNamed(Arg);
    Named = M.has_value();
    Kind = M.value_or(Kind);
  }
  *ArgCount = Kept;
  if (!Named) {
    llvm::errs() << "want --mode=source, directives or database\n";
    std::exit(1);
  }
  auto Words = llvm::MemoryBuffer::getFile(KPIPE_FUZZ_DICTIONARY);
  Changes = new Mutator(Words ? (*Words)->getBuffer() : "");
  // libFuzzer's own paths are relative to where it was started.
  StartFolder = ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  enterScratchFolder();
  prepareFolder();
  Scratch = ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (::fchdir(StartFolder) != 0)
    std::exit(1);
  std::atexit([] { printCounts(Counted); });
  return 0;
}

/// Clang's own failures are kept for a report to its authors.
static void keep(const uint8_t *Data, size_t Size, llvm::StringRef What,
                 unsigned Number) {
  std::error_code Failed;
  llvm::raw_fd_ostream OS(
      ("clang-" + What + "-" + llvm::Twine(Number)).str(), Failed);
  if (!Failed)
    OS << llvm::StringRef(reinterpret_cast<const char *>(Data), Size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Input(reinterpret_cast<const char *>(Data), Size);
  unsigned Crashes = Counted.ClangCrashes, Hangs = Counted.ClangHangs;
  bool Kept = runIsolated(
      [&] {
        if (::fchdir(Scratch) != 0)
          std::abort();
        return checkContract(Kind, Input);
      },
      Counted);
  if (!Kept)
    std::abort();
  if (Counted.ClangCrashes != Crashes)
    keep(Data, Size, "crash", Counted.ClangCrashes);
  if (Counted.ClangHangs != Hangs)
    keep(Data, Size, "hang", Counted.ClangHangs);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  std::minstd_rand Random(Seed);
  if (Random() % 8 == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  std::string Text = Changes->mutate(
      {reinterpret_cast<const char *>(Data), Size}, Random);
  size_t NewSize = std::min(Text.size(), MaxSize);
  std::memcpy(Data, Text.data(), NewSize);
  return NewSize;
}
