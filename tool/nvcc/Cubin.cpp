// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of nvcc, see Cubin.h.
#include "Cubin.h"
#include "kpipe/RuntimeText.h"
#include "support/Command.h"
#include "support/FileWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kpipe {

/// Options of nvcc that say for what or to where it compiles, and whether a
/// value follows as a word of its own.
static bool saysForWhat(llvm::StringRef Flag, bool &TakesNext) {
  TakesNext = false;
  for (llvm::StringRef Alone :
       {"-c", "--compile", "-dc", "--device-c", "-dw", "-ptx", "--ptx",
        "-cubin", "--cubin", "-fatbin", "--fatbin", "-M", "-MD", "-MMD", "-MP"})
    if (Flag == Alone)
      return true;
  for (llvm::StringRef Valued :
       {"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code",
        "--gpu-code", "-o", "--output-file", "-MF", "-MT"}) {
    if (Flag == Valued)
      return TakesNext = true;
    if (Flag.starts_with((Valued + "=").str()))
      return true;
  }
  return Flag.starts_with("-arch=") || Flag == "nvcc" ||
         llvm::sys::path::filename(Flag) == "nvcc";
}

static std::vector<std::string> reading(llvm::ArrayRef<std::string> Flags) {
  std::vector<std::string> Kept;
  for (size_t I = 0; I < Flags.size(); ++I) {
    bool TakesNext;
    // What is linked later may be called already.
    if (llvm::is_contained({"-dc", "--device-c", "-dw"}, Flags[I]))
      Kept.push_back("-rdc=true");
    if (!saysForWhat(Flags[I], TakesNext))
      Kept.push_back(Flags[I]);
    I += TakesNext;
  }
  return Kept;
}

std::vector<std::string> listingCommand(const Toolchain &Tools,
                                        const std::string &Cubin) {
  if (Tools.IsCuobjdump)
    return {Tools.Disassembler, "-sass", Cubin};
  // Without the analysis of branch stacks, which these GPUs do not have.
  return {Tools.Disassembler, "-ndf", "-c", Cubin};
}

std::string complaint(llvm::StringRef Output) {
  std::string Line = tellingLine(Output);
  return Line.empty() ? "it ended without a word" : Line;
}

std::string versionOf(llvm::StringRef Nvcc, llvm::StringRef Scratch) {
  llvm::Expected<ToolResult> Said = runTool({Nvcc.str(), "--version"}, Scratch);
  if (!Said) {
    llvm::consumeError(Said.takeError());
    return "of unknown version";
  }
  llvm::StringRef Text = Said->Output;
  Text = Text.drop_front(std::min(Text.size(), Text.find(", V") + 2));
  Text = Text.take_until(llvm::isSpace);
  return Text.empty() ? "of unknown version" : Text.str();
}

llvm::Error writeRuntime(llvm::StringRef Folder) {
  llvm::Error Failed = llvm::Error::success();
  forEachRuntimeHeader([&](llvm::StringRef Name, llvm::StringRef Text) {
    if (Failed)
      return;
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Name);
    std::error_code Why =
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    Failed = Why ? writeError(Path, Why) : writeFile(Path, Text);
  });
  return Failed;
}

std::vector<std::string> cubinCommand(const Toolchain &Tools,
                                      const CubinRequest &Request) {
  std::vector<std::string> Words{
      Tools.Nvcc,   "-cubin",     "-arch=" + Request.Arch,
      "-Xptxas=-v", "-x",         "cu",
      "-o",         Request.Cubin};
  llvm::append_range(Words, reading(Request.Flags));
  // Before all others, for quoted names alone. nvcc would take such a folder's
  // name apart at a comma or a blank.
  if (llvm::all_of(Request.IncludeFolder, [](char C) {
        return llvm::isAlnum(C) || llvm::StringRef("/._-+~").contains(C);
      })) {
    if (!Request.IncludeFolder.empty())
      llvm::append_range(
          Words, std::vector<std::string>{"-Xcompiler",
                                          "-iquote," + Request.IncludeFolder});
  } else {
    Words.push_back("-I" + Request.IncludeFolder);
  }
  // Behind all others: a runtime header that the user has of his own wins.
  Words.push_back("-I" + Request.RuntimeFolder);
  // A name that begins with '-' would be read as an option.
  Words.push_back(Request.Source[0] == '-' ? "./" + Request.Source
                                           : Request.Source);
  return Words;
}

/// A folder of Directory's.
static std::string inDirectory(llvm::StringRef Folder,
                               llvm::StringRef Directory) {
  llvm::SmallString<256> Path(Folder);
  if (!Directory.empty())
    llvm::sys::path::make_absolute(Directory, Path);
  return Path.str().str();
}

std::vector<std::string> forNvcc(llvm::ArrayRef<std::string> ClangArguments,
                                 llvm::StringRef Directory) {
  std::vector<std::string> Flags;
  for (size_t I = 1; I < ClangArguments.size(); ++I) {
    llvm::StringRef Flag = ClangArguments[I];
    bool Pair =
        llvm::is_contained({"-I", "-D", "-U", "-isystem", "-include"}, Flag);
    bool Kept = Pair || Flag.starts_with("-I") || Flag.starts_with("-D") ||
                Flag.starts_with("-U") || Flag.starts_with("-std=");
    if (!Kept)
      continue;
    if (Pair && (I + 1 == ClangArguments.size() ||
                 llvm::StringRef(ClangArguments[I + 1]).contains("__kpipe"))) {
      ++I; // kpipe's own
      continue;
    }
    const bool IsFolder = Flag == "-I" || Flag == "-isystem";
    if (!Pair && Flag.consume_front("-I")) {
      Flags.push_back("-I" + inDirectory(Flag, Directory));
      continue;
    }
    Flags.push_back(Flag.str());
    if (Pair)
      Flags.push_back(IsFolder ? inDirectory(ClangArguments[++I], Directory)
                               : ClangArguments[++I]);
  }
  return Flags;
}

} // namespace kpipe
