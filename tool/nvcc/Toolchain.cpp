// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs are looked for by listing folders; no Python is asked where its
// packages are, as that would take longer than all the rest.
#include "Toolchain.h"
#include "options/CommonOptions.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace kpipe {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string joined(const llvm::Twine &A, const llvm::Twine &B,
                          const llvm::Twine &C = "", const llvm::Twine &D = "") {
  llvm::SmallString<256> Path;
  path::append(Path, A, B, C, D);
  return Path.str().str();
}

/// The folders in Folder whose names begin with Prefix, in order.
static std::vector<std::string> foldersIn(llvm::StringRef Folder,
                                          llvm::StringRef Prefix = "") {
  std::vector<std::string> Found;
  std::error_code Ignored;
  for (fs::directory_iterator At(Folder, Ignored), End; !Ignored && At != End;
       At.increment(Ignored))
    if (path::filename(At->path()).starts_with(Prefix) &&
        fs::is_directory(At->path()))
      Found.push_back(At->path());
  llvm::sort(Found);
  return Found;
}

/// Where pip puts packages below a prefix such as /usr/local.
static void addPackages(llvm::StringRef Prefix,
                        std::vector<std::string> &Packages) {
  for (const std::string &Python : foldersIn(joined(Prefix, "lib"), "python3"))
    for (const char *Name : {"site-packages", "dist-packages"})
      Packages.push_back(joined(Python, Name));
}

/// The prefix of a program: the folder above its bin, through links and not.
static void addPackagesOf(llvm::StringRef Program,
                          std::vector<std::string> &Packages) {
  addPackages(path::parent_path(path::parent_path(Program)), Packages);
  llvm::SmallString<256> Real;
  if (!fs::real_path(Program, Real) && Real != Program)
    addPackages(path::parent_path(path::parent_path(Real)), Packages);
}

static std::vector<std::string> packageFolders(llvm::StringRef Program) {
  std::vector<std::string> Packages;
  if (auto Environment = llvm::sys::Process::GetEnv("VIRTUAL_ENV"))
    addPackages(*Environment, Packages);
  std::string Self = fs::getMainExecutable(
      Program.str().c_str(), reinterpret_cast<void *>(&findToolchain));
  addPackagesOf(Self, Packages);
  // kpipe's own wheel has it in site-packages/kpipe/bin.
  Packages.push_back(
      path::parent_path(path::parent_path(path::parent_path(Self))).str());
  if (llvm::ErrorOr<std::string> Python =
          llvm::sys::findProgramByName("python3"))
    addPackagesOf(*Python, Packages);
  addPackages("/usr/local", Packages);
  // The password file is not asked: a static program must not.
  if (auto Home = llvm::sys::Process::GetEnv("HOME"))
    addPackages(joined(*Home, ".local"), Packages);
  return Packages;
}

/// The folders with programs, best first; an empty one stands for PATH.
static std::vector<std::string> programFolders(llvm::StringRef CudaPath,
                                               llvm::StringRef Program) {
  std::vector<std::string> Folders;
  if (!CudaPath.empty())
    Folders.push_back(joined(CudaPath, "bin"));
  Folders.push_back("");
  if (auto Root = llvm::sys::Process::GetEnv("CUDA_PATH"))
    Folders.push_back(joined(*Root, "bin"));
  Folders.push_back("/usr/local/cuda/bin");
  // Of a build: where bootstrap.sh puts one beside build/release.
  std::string Self = fs::getMainExecutable(
      Program.str().c_str(), reinterpret_cast<void *>(&findToolchain));
  std::string Build = path::parent_path(path::parent_path(
                                            path::parent_path(Self)))
                          .str();
  for (const std::string &Wheel : foldersIn(joined(Build, "disassembler/nvidia")))
    Folders.push_back(joined(Wheel, "bin"));
  for (const std::string &Packages : packageFolders(Program)) {
    for (const std::string &Wheel : foldersIn(joined(Packages, "nvidia")))
      Folders.push_back(joined(Wheel, "bin"));
    Folders.push_back(joined(Packages, "triton/backends/nvidia/bin"));
  }
  return Folders;
}

static std::string findIn(llvm::ArrayRef<std::string> Folders,
                          llvm::StringRef Name) {
  for (const std::string &Folder : Folders) {
    if (Folder.empty()) {
      if (auto Found = llvm::sys::findProgramByName(Name))
        return *Found;
    } else if (std::string File = joined(Folder, Name);
               fs::can_execute(File)) {
      return File;
    }
  }
  return "";
}

Toolchain findToolchain(llvm::StringRef CudaPath, llvm::StringRef Program) {
  std::vector<std::string> Folders = programFolders(CudaPath, Program);
  Toolchain Tools;
  // Who names a toolkit means its compiler and no other.
  Tools.Nvcc = findIn(CudaPath.empty() ? llvm::ArrayRef(Folders)
                                       : llvm::ArrayRef(Folders).take_front(),
                      "nvcc");
  Tools.Disassembler = findIn(Folders, "nvdisasm");
  if (Tools.Disassembler.empty()) {
    Tools.Disassembler = findIn(Folders, "cuobjdump");
    Tools.IsCuobjdump = !Tools.Disassembler.empty();
  }
  return Tools;
}

llvm::Expected<double> nvccLimit() {
  // The slowest file of many takes one or two minutes; who waits longer hardly
  // waits for an end.
  constexpr double Default = 600;
  std::string Word =
      llvm::sys::Process::GetEnv("KPIPE_NVCC_TIMEOUT").value_or("");
  if (Word.empty())
    return Default;
  double Seconds;
  if (llvm::StringRef(Word).getAsDouble(Seconds) || !(Seconds >= 0) ||
      Seconds > NoLimit)
    return optionError("KPIPE_NVCC_TIMEOUT=" + Word +
                       ": want seconds, or 0 for no limit");
  return Seconds > 0 ? Seconds : NoLimit;
}

llvm::Expected<ToolResult> runTool(std::vector<std::string> Words,
                                   llvm::StringRef Scratch, double Seconds) {
  std::string Program = Words.front();
  Command Run{std::move(Words), Scratch.str(), Scratch.str()};
  Ending End = runCommands(Run, 1, Seconds, [](size_t) {}).front();
  if (End.How == Ending::Interrupted)
    return optionError("interrupted; nothing was written");
  if (End.How == Ending::NotStarted || End.How == Ending::TimedOut)
    return optionError("'" + Program + "' " + End.describe());
  ToolResult Result;
  Result.Status = End.Status;
  if (auto Buffer = llvm::MemoryBuffer::getFile(Scratch))
    Result.Output = (*Buffer)->getBuffer().str();
  return Result;
}

} // namespace kpipe
