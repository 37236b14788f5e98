// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs are asked for by nvidia-smi, which comes with their driver: kpipe needs
// neither to be built or run.
#include "Architectures.h"
#include "kpipe/Target.h"
#include "support/Failure.h"
#include "support/TemporaryFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace kpipe {

/// "8.6" for each GPU of this machine, a line each; empty where there is none
/// or no driver.
static std::string computeCapabilities() {
  constexpr unsigned Seconds = 20;
  auto Program = llvm::sys::findProgramByName("nvidia-smi");
  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make("kpipe-gpus");
  if (!Program || !Folder) {
    llvm::consumeError(Folder.takeError());
    return "";
  }
  std::string Printed = Folder->file("printed");
  std::optional<llvm::StringRef> Streams[] = {"", Printed, ""};
  if (llvm::sys::ExecuteAndWait(*Program,
                                {*Program, "--query-gpu=compute_cap",
                                 "--format=csv,noheader"},
                                std::nullopt, Streams, Seconds) != 0)
    return "";
  auto Buffer = llvm::MemoryBuffer::getFile(Printed);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// The GPUs of this machine, asked once.
static const std::vector<std::string> &nativeArchs() {
  static const std::vector<std::string> Found = [] {
    std::vector<std::string> Archs;
    std::string Printed = computeCapabilities();
    for (llvm::StringRef Line : llvm::split(Printed, '\n')) {
      auto [Major, Minor] = Line.trim().split('.');
      std::string Name = ("sm_" + Major + Minor).str();
      // What kpipe does not know it cannot plan for.
      llvm::Expected<const ArchLimits &> Known = findArch(Name);
      if (!Known)
        llvm::consumeError(Known.takeError());
      else if (!llvm::is_contained(Archs, Name))
        Archs.push_back(std::move(Name));
    }
    return Archs;
  }();
  return Found;
}

static bool isWordOfCMakes(llvm::StringRef Name) {
  return Name == "all" || Name == "all-major";
}

/// "sm_86" for "SM_86", "sm86" and "8.6"; else empty.
static std::string archMeantBy(llvm::StringRef Word) {
  std::string Digits;
  for (char C : Word.lower())
    if (C != '.' && C != '_' && C != '-' && C != ' ')
      Digits += C;
  llvm::StringRef Number = Digits;
  if (!Number.consume_front("sm"))
    Number.consume_front("compute");
  std::string Name = ("sm_" + Number).str();
  llvm::Expected<const ArchLimits &> Known = findArch(Name);
  if (Known)
    return Name;
  llvm::consumeError(Known.takeError());
  return "";
}

llvm::Expected<std::vector<std::string>>
readArchs(llvm::ArrayRef<std::string> Written) {
  std::vector<std::string> Names;
  auto add = [&](const std::string &Name) {
    if (!llvm::is_contained(Names, Name))
      Names.push_back(Name);
  };
  for (llvm::StringRef List : Written) {
    llvm::SmallVector<llvm::StringRef> Words;
    llvm::SplitString(List, Words, ";, ");
    for (llvm::StringRef Word : Words) {
      if (Word == "native") {
        if (nativeArchs().empty())
          return optionError("--arch=native: no GPU that kpipe knows is found "
                             "here; name one, as in --arch=sm_86");
        llvm::for_each(nativeArchs(), add);
        continue;
      }
      if (isWordOfCMakes(Word))
        return optionError("--arch=" + Word +
                           ": what that is depends on the toolkit; name the "
                           "architectures, as in --arch=sm_80,sm_90");
      llvm::StringRef Name = Word;
      if (!Name.consume_back("-real"))
        Name.consume_back("-virtual");
      Name.consume_front("compute_");
      std::string Full =
          (Name.starts_with("sm_") ? Name : "sm_" + Name).str();
      llvm::Expected<const ArchLimits &> Known = findArch(Full);
      if (!Known) {
        llvm::consumeError(Known.takeError());
        if (std::string Meant = archMeantBy(Word); !Meant.empty())
          return optionError("unknown architecture '" + Word +
                             "'; did you mean '" + Meant + "'?");
        return findArch(Word).takeError(); // as it was written
      }
      add(Full);
    }
  }
  return std::move(Names);
}

llvm::Expected<std::vector<std::string>>
defaultArchs(llvm::StringRef File, const FrontendOptions &Options) {
  llvm::Expected<std::vector<std::string>> InFlags = archsOf(File, Options);
  if (!InFlags)
    return InFlags.takeError();
  if (!InFlags->empty()) {
    llvm::Expected<std::vector<std::string>> Read = readArchs(*InFlags);
    if (!Read)
      return optionError("'" + File + "': its flags compile for what kpipe "
                         "cannot plan for: " +
                         llvm::toString(Read.takeError()));
    return Read;
  }
  if (!nativeArchs().empty())
    return nativeArchs();
  return optionError("no architecture; say which with --arch=sm_86");
}

} // namespace kpipe
