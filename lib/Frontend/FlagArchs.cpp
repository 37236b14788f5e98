// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectures that flags for nvcc or Clang name. Parsing needs none of
// them, planning does.
#include "Database.h"
#include "kpipe/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

namespace kpipe {

/// The value of the option that stands at Flags[I], in that word or in the
/// next, which is then skipped.
static std::optional<llvm::StringRef>
valueOf(llvm::ArrayRef<std::string> Flags, size_t &I) {
  for (llvm::StringRef Name :
       {"--gpu-architecture", "--generate-code", "--gpu-code", "-gencode",
        "-arch", "-code", "--offload-arch", "--cuda-gpu-arch"}) {
    llvm::StringRef Word = Flags[I];
    if (!Word.consume_front(Name))
      continue;
    if (Word.consume_front("="))
      return Word;
    if (Word.empty() && I + 1 < Flags.size())
      return llvm::StringRef(Flags[++I]);
  }
  return std::nullopt;
}

std::vector<std::string> archsInFlags(llvm::ArrayRef<std::string> Flags) {
  std::vector<std::string> Found;
  auto add = [&](llvm::StringRef Name) {
    if (!Name.empty() && !llvm::is_contained(Found, Name))
      Found.push_back(Name.str());
  };
  for (size_t I = 0; I < Flags.size(); ++I) {
    std::optional<llvm::StringRef> Value = valueOf(Flags, I);
    // "arch=compute_80,code=[sm_80,sm_86]"
    while (Value && !Value->empty()) {
      size_t End = std::min(Value->find_first_of("=,[]'\" "), Value->size());
      llvm::StringRef Name = Value->take_front(End);
      if (Name.consume_front("compute_"))
        add(("sm_" + Name).str());
      else if (Name != "arch" && Name != "code" && !Name.starts_with("lto_"))
        add(Name);
      Value = Value->drop_front(End).ltrim("=,[]'\" ");
    }
  }
  return Found;
}

llvm::Expected<std::vector<std::string>>
archsOf(llvm::StringRef File, const FrontendOptions &Options) {
  if (!Options.Flags.empty() || Options.BuildDir.empty())
    return archsInFlags(Options.Flags);
  llvm::SmallString<256> Absolute(File);
  llvm::sys::fs::make_absolute(Absolute);
  auto Entry = entryFor(Absolute, Options.BuildDir, File);
  if (!Entry)
    return Entry.takeError();
  return archsInFlags(Entry->CommandLine);
}

} // namespace kpipe
