// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's reader, which looks for response files as well. It prints what it
// finds wrong with the text, so that is looked for first.
#include "Database.h"
#include "kpipe/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang::tooling;

namespace kpipe {

static llvm::Error checkJson(llvm::StringRef BuildDir) {
  llvm::SmallString<256> Path(BuildDir);
  llvm::sys::path::append(Path, "compile_commands.json");
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::Error::success();
  llvm::Expected<llvm::json::Value> Parsed =
      llvm::json::parse((*Buffer)->getBuffer());
  if (Parsed)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::errc::invalid_argument,
      "-p %s: its compile_commands.json is no JSON: %s; configure anew, or "
      "give the flags after '--'",
      BuildDir.str().c_str(), llvm::toString(Parsed.takeError()).c_str());
}

llvm::Expected<std::unique_ptr<CompilationDatabase>>
loadDatabase(llvm::StringRef BuildDir) {
  if (llvm::Error Bad = checkJson(BuildDir))
    return std::move(Bad);
  std::string Why;
  std::unique_ptr<CompilationDatabase> Database =
      CompilationDatabase::loadFromDirectory(BuildDir, Why);
  if (!Database)
    return llvm::createStringError(
        llvm::errc::no_such_file_or_directory,
        "-p %s: no usable compile_commands.json there; configure with "
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give the flags after '--'",
        BuildDir.str().c_str());
  return std::move(Database);
}

/// CUDA by its name, or because the command says so.
static bool isCuda(const CompileCommand &Entry) {
  if (llvm::is_contained({".cu", ".CU"},
                         llvm::sys::path::extension(Entry.Filename)))
    return true;
  for (size_t I = 0; I < Entry.CommandLine.size(); ++I) {
    llvm::StringRef Arg = Entry.CommandLine[I];
    if (Arg == "-xcuda" || Arg == "-xcu" || Arg == "--x=cu")
      return true;
    if ((Arg == "-x" || Arg == "--x") && I + 1 < Entry.CommandLine.size() &&
        llvm::is_contained({"cu", "cuda"},
                           llvm::StringRef(Entry.CommandLine[I + 1])))
      return true;
  }
  return false;
}

static std::string absoluteIn(llvm::StringRef Folder, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name);
  llvm::sys::path::make_absolute(Folder, Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// The name in `#line 1 "…"`, a text's first line; empty if it has none.
static std::string nameInFirstLine(llvm::StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return "";
  llvm::StringRef Line = (*Buffer)->getBuffer().split('\n').first.trim();
  if (!Line.consume_front("#line 1 \"") || !Line.consume_back("\""))
    return "";
  std::string Name;
  for (size_t I = 0; I != Line.size(); ++I) {
    if (Line[I] == '\\' && I + 1 != Line.size())
      ++I;
    Name += Line[I];
  }
  return Name;
}

/// A build with kpipe_rewrite compiles what was made of a source, which begins
/// with the source's name (`--line-directives`): that source. Empty for others.
static std::string originalOf(const CompileCommand &Entry,
                              llvm::StringRef BuildDir) {
  const std::string Own = absoluteIn(Entry.Directory, Entry.Filename);
  const std::string Name = nameInFirstLine(Own);
  if (Name.empty())
    return "";
  llvm::SmallString<256> Build(BuildDir);
  llvm::sys::fs::make_absolute(Build);
  for (llvm::StringRef Folder : {llvm::StringRef(Entry.Directory),
                                 llvm::StringRef(Build)}) {
    std::string Original = absoluteIn(Folder, Name);
    if (Original != Own && llvm::sys::fs::exists(Original))
      return Original;
  }
  return "";
}

llvm::Expected<CompileCommand> entryFor(llvm::StringRef Absolute,
                                        llvm::StringRef BuildDir,
                                        llvm::StringRef AsWritten) {
  auto Database = loadDatabase(BuildDir);
  if (!Database)
    return Database.takeError();
  std::vector<CompileCommand> Entries =
      (*Database)->getCompileCommands(Absolute);
  // What Clang infers from a file nearby is a guess.
  if (!Entries.empty() && Entries.front().Heuristic.empty())
    return Entries.front();
  for (const CompileCommand &Entry : (*Database)->getAllCompileCommands())
    if (isCuda(Entry) && originalOf(Entry, BuildDir) == Absolute)
      return Entry;
  const char *Cure =
      isHeaderName(AsWritten)
          ? "it is a header: name a file that includes it, and the header "
            "with --header-filter; or give its flags after '--'"
          : "give the flags after '--'";
  return llvm::createStringError(
      llvm::errc::no_such_file_or_directory,
      "%s: not in %s/compile_commands.json; %s", AsWritten.str().c_str(),
      BuildDir.str().c_str(), Cure);
}

bool isHeaderName(llvm::StringRef File) {
  return llvm::is_contained({".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl",
                             ".inc", ".h++"},
                            llvm::sys::path::extension(File));
}

llvm::Expected<std::vector<std::string>> cudaFilesOf(llvm::StringRef BuildDir) {
  auto Database = loadDatabase(BuildDir);
  if (!Database)
    return Database.takeError();
  std::vector<std::string> Files;
  llvm::StringSet<> Seen;
  for (const CompileCommand &Entry : (*Database)->getAllCompileCommands()) {
    if (!isCuda(Entry))
      continue;
    std::string Path = originalOf(Entry, BuildDir);
    if (Path.empty())
      Path = absoluteIn(Entry.Directory, Entry.Filename);
    if (Seen.insert(Path).second)
      Files.push_back(std::move(Path));
  }
  return Files;
}

} // namespace kpipe
