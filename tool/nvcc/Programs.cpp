// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `nvcc --dryrun` prints variables, then commands, as a shell would read them
// behind "#$ ": where a wrapper's nvcc is and which PATH it gets is known to
// nobody else.
#include "Programs.h"
#include "Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <set>

namespace kpipe {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string identityOf(llvm::StringRef File) {
  llvm::SmallString<256> Real;
  fs::file_status Status;
  if (fs::real_path(File, Real) || fs::status(Real, Status))
    return (File + " -").str();
  auto Changed = Status.getLastModificationTime().time_since_epoch();
  return (Real + " " + llvm::Twine(Status.getSize()) + " " +
          llvm::Twine(Changed.count()))
      .str();
}

namespace {

class DryRun {
public:
  explicit DryRun(llvm::StringRef Printed) {
    for (llvm::StringRef Line : llvm::split(Printed, '\n'))
      if (Line.consume_front("#$ "))
        read(Line);
  }

  /// Files that take part.
  std::set<std::string> Files;

  std::string valueOf(llvm::StringRef Name) const {
    return Variables.lookup(Name);
  }

private:
  llvm::StringMap<std::string> Variables;

  void read(llvm::StringRef Line) {
    auto [Name, Value] = Line.split('=');
    if (Name.size() != Line.size() && llvm::all_of(Name, [](char C) {
          return llvm::isAlnum(C) || C == '_';
        })) {
      Variables[Name] = Value.str();
      return;
    }
    llvm::StringRef Word =
        Line.consume_front("\"")
            ? Line.take_until([](char C) { return C == '"'; })
            : Line.take_until(llvm::isSpace);
    if (Word.empty() || Word.starts_with("-"))
      return; // what nvcc does itself
    std::string Program = expanded(Word);
    if (Program.find('/') != std::string::npos) {
      Files.insert(Program);
      return;
    }
    llvm::SmallVector<llvm::StringRef, 16> Folders;
    const std::string Path = valueOf("PATH");
    llvm::StringRef(Path).split(Folders, ':', -1, /*KeepEmpty=*/false);
    auto Found = llvm::sys::findProgramByName(Program, Folders);
    Files.insert(Found ? *Found : Program);
  }

  /// `$CICC_PATH/cicc` with the variable's value.
  std::string expanded(llvm::StringRef Word) const {
    if (!Word.consume_front("$"))
      return Word.str();
    llvm::StringRef Name =
        Word.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    return valueOf(Name) + Word.drop_front(Name.size()).str();
  }
};

} // namespace

std::vector<std::string> programsBehind(llvm::ArrayRef<std::string> Compilation,
                                        llvm::StringRef Scratch,
                                        double Seconds) {
  std::vector<std::string> Words = Compilation.vec();
  Words.insert(Words.begin() + 1, "--dryrun");
  std::string Printed;
  llvm::Expected<ToolResult> Said = runTool(Words, Scratch, Seconds);
  if (Said)
    Printed = Said->Output;
  else
    llvm::consumeError(Said.takeError()); // the compilation will fail as well
  DryRun Run(Printed);
  std::set<std::string> &Files = Run.Files;
  llvm::SmallString<256> Real;
  if (fs::real_path(Compilation.front(), Real))
    Real = Compilation.front();
  Files.insert(Real.str().str());
  std::string Here = Run.valueOf("_HERE_");
  if (Here.empty())
    Here = path::parent_path(Real).str();
  for (const char *Name : {"/nvcc", "/nvcc.profile", "/ptxas"})
    Files.insert(Here + Name);
  if (std::string Folder = Run.valueOf("NVVMIR_LIBRARY_DIR"); !Folder.empty())
    Files.insert(Folder + "/libdevice.10.bc");
  std::vector<std::string> Identities;
  for (const std::string &File : Files)
    Identities.push_back(identityOf(File));
  return Identities;
}

} // namespace kpipe
