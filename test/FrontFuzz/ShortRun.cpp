// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same without libFuzzer, for every test run: the seeds, then a number of
// changed ones, the same each time.
#include "Isolation.h"
#include "Mutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

using namespace kpipe::fuzz;
namespace cl = llvm::cl;

static cl::list<std::string> Inputs(cl::Positional, cl::OneOrMore,
                                    cl::desc("files, or folders of files"));
static cl::opt<std::string> ModeName("mode", cl::Required,
                                     cl::desc("source|directives|database"));
static cl::opt<unsigned> Runs("runs", cl::desc("changed inputs after these"));
static cl::opt<unsigned> Seed("seed", cl::init(1),
                              cl::desc("of the changes"));

static std::string read(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// The inputs' texts, in the order of their names.
static std::vector<std::string> readSeeds() {
  std::vector<std::string> Files;
  for (const std::string &Input : Inputs) {
    if (!llvm::sys::fs::is_directory(Input)) {
      Files.push_back(Input);
      continue;
    }
    std::error_code Failed;
    for (llvm::sys::fs::directory_iterator At(Input, Failed), End;
         At != End && !Failed; At.increment(Failed))
      Files.push_back(At->path());
  }
  llvm::sort(Files);
  std::vector<std::string> Texts;
  for (const std::string &File : Files)
    Texts.push_back(read(File));
  return Texts;
}

int main(int ArgCount, char **Args) {
  cl::ParseCommandLineOptions(ArgCount, Args);
  std::optional<Mode> Kind = modeNamed(ModeName);
  std::vector<std::string> Seeds = readSeeds();
  if (!Kind || Seeds.empty()) {
    llvm::errs() << "no such mode, or no seeds\n";
    return 1;
  }
  llvm::SmallString<128> Start;
  llvm::sys::fs::current_path(Start);
  enterScratchFolder();
  prepareFolder();

  Mutator Changes(read(KPIPE_FUZZ_DICTIONARY));
  for (const std::string &Text : Seeds)
    Changes.addSeed(Text);
  std::minstd_rand Random(Seed);
  Counts Counted;
  for (size_t N = 0; N < Seeds.size() + Runs; ++N) {
    std::string Text = N < Seeds.size()
                           ? Seeds[N]
                           : Changes.mutate(Seeds[Random() % Seeds.size()],
                                            Random);
    if (runIsolated([&] { return checkContract(*Kind, Text); }, Counted))
      continue;
    llvm::sys::path::append(Start, "broken-" + ModeName);
    std::error_code Failed;
    llvm::raw_fd_ostream(Start, Failed) << Text;
    llvm::errs() << "input " << N << " is in " << Start << "\n";
    return 1;
  }
  printCounts(Counted);
  return 0;
}
