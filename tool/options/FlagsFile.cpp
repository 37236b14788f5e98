// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FlagsFile.h.
#include "FlagsFile.h"
#include "support/Failure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

namespace kpipe {

llvm::Expected<std::vector<std::string>> readFlagsFile(llvm::StringRef Path) {
  std::vector<std::string> Flags;
  if (Path.empty())
    return Flags;
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return optionError("--flags-file=" + Path + ": " +
                       Buffer.getError().message());
  for (llvm::StringRef Line : llvm::split((*Buffer)->getBuffer(), '\n')) {
    Line = Line.rtrim("\r");
    if (!Line.consume_front("SHELL:")) {
      if (!Line.empty())
        Flags.push_back(Line.str());
      continue;
    }
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    llvm::SmallVector<const char *, 8> Words;
    llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
    Flags.insert(Flags.end(), Words.begin(), Words.end());
  }
  return Flags;
}

} // namespace kpipe
