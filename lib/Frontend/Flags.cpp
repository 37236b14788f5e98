// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts together the user's flags, a compile database's entry and what a device
// pass needs. Ours come last, so that they win. It must not parse C++.
#include "Flags.h"
#include "Database.h"
#include "Embedded.h"
#include "NvccFlags.h"
#include "ResourceDir.h"
#include "Toolkit.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kpipe {

/// True for what belongs to a compiler's own job (its outputs, phases and
/// architectures) or asks it about itself, and says nothing of how a file
/// reads.
static bool belongsToJob(llvm::StringRef Arg) {
  if (Arg.starts_with("--print-") || Arg.starts_with("-print-") ||
      Arg.starts_with("--autocomplete="))
    return true;
  if (llvm::is_contained({"-###", "-v", "--verbose", "--version", "-help",
                          "--help", "--help-hidden", "-dumpversion",
                          "-dumpmachine", "-H", "-ftime-report"},
                         Arg))
    return true;
  if (llvm::is_contained({"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MG",
                          "-MP", "-MV", "-fsyntax-only", "--cuda-host-only",
                          "--cuda-device-only", "--cuda-compile-host-device"},
                         Arg))
    return true;
  return Arg.starts_with("--cuda-gpu-arch=") ||
         Arg.starts_with("--offload-arch=") ||
         Arg.starts_with("--no-offload-arch=");
}

static bool takesOutputPath(llvm::StringRef Arg) {
  return llvm::is_contained({"-o", "-MF", "-MT", "-MQ", "-MJ"}, Arg);
}

/// The flags of Line that say how a file reads.
/// \param File the file's own name in Line, left out too; may be empty.
static std::vector<std::string> readingFlags(llvm::ArrayRef<std::string> Line,
                                             llvm::StringRef File = "") {
  std::vector<std::string> Flags;
  for (size_t N = 0; N < Line.size(); ++N) {
    llvm::StringRef Arg = Line[N];
    if (Arg == "--")
      break;
    if (takesOutputPath(Arg)) {
      ++N;
      continue;
    }
    if (Arg == "-Xclang" && N + 1 < Line.size()) {
      Flags.push_back(Line[N++]);
      Flags.push_back(Line[N]);
      continue;
    }
    if ((!File.empty() && Arg == File) || belongsToJob(Arg) ||
        (Arg.starts_with("-o") && !Arg.starts_with("-openmp")))
      continue;
    Flags.push_back(Arg.str());
  }
  return Flags;
}

/// Adds flags for Clang; what Clang does not know is kept apart.
/// \param File the file's own name among the flags, left out; may be empty.
static llvm::Error addKnown(CommandLine &Line,
                            llvm::ArrayRef<std::string> Written,
                            llvm::StringRef File = "") {
  std::vector<std::string> Flags = readingFlags(Written, File);
  std::vector<const char *> Argv;
  for (const std::string &F : Flags)
    Argv.push_back(F.c_str());
  unsigned MissingAt = 0, MissingCount = 0;
  llvm::opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Argv, MissingAt, MissingCount,
      llvm::opt::Visibility(clang::options::ClangOption));
  llvm::SmallVector<unsigned, 4> Unknown;
  for (const llvm::opt::Arg *A : Parsed)
    if (A->getOption().getKind() == llvm::opt::Option::UnknownClass)
      Unknown.push_back(A->getIndex());
  for (unsigned I = 0; I != Flags.size(); ++I)
    (llvm::is_contained(Unknown, I) ? Line.UnknownFlags : Line.Arguments)
        .push_back(Flags[I]);
  return llvm::Error::success();
}

/// Adds flags for nvcc, translated.
static llvm::Error addTranslated(CommandLine &Line,
                                 llvm::ArrayRef<std::string> Flags) {
  llvm::Expected<TranslatedFlags> Found =
      translateNvccFlags(Flags, Line.Directory);
  if (!Found)
    return Found.takeError();
  llvm::append_range(Line.Arguments, Found->Flags);
  llvm::append_range(Line.CodeFlags, Found->Code);
  llvm::append_range(Line.UnknownFlags, Found->Unknown);
  return llvm::Error::success();
}

/// An nvcc that is named with its folder belongs to a toolkit.
static void addToolkitOf(CommandLine &Line, llvm::StringRef Nvcc) {
  llvm::StringRef Root =
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(Nvcc));
  if (llvm::sys::path::is_absolute(Root) &&
      llvm::sys::fs::exists(Root + "/include/cuda_runtime.h"))
    Line.Arguments.push_back("--cuda-path=" + Root.str());
}

/// Flags of the command line are nvcc's if it is named or if one of them makes
/// sense to nvcc only.
static llvm::Error addUsersFlags(CommandLine &Line,
                                 llvm::ArrayRef<std::string> Flags) {
  if (!Flags.empty() && isNvcc(Flags.front()))
    return addTranslated(Line, Flags.drop_front());
  if (llvm::any_of(Flags, isNvccOnly))
    return addTranslated(Line, Flags);
  return addKnown(Line, Flags);
}

bool isCompilerFlag(llvm::StringRef Word) {
  if (!Word.starts_with("-"))
    return false;
  if (isNvccOnly(Word))
    return true;
  std::string Text = Word.str();
  unsigned MissingAt = 0, MissingCount = 0;
  llvm::opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      {Text.c_str()}, MissingAt, MissingCount,
      llvm::opt::Visibility(clang::options::ClangOption));
  return MissingCount != 0 ||
         llvm::all_of(Parsed, [](const llvm::opt::Arg *A) {
           return A->getOption().getKind() != llvm::opt::Option::UnknownClass;
         });
}

static llvm::Error readDatabase(CommandLine &Line, llvm::StringRef BuildDir) {
  llvm::SmallString<256> Absolute(Line.File);
  llvm::sys::fs::make_absolute(Absolute);
  auto Found = entryFor(Absolute, BuildDir, Line.File);
  if (!Found)
    return Found.takeError();
  const clang::tooling::CompileCommand &Entry = *Found;
  Line.Directory = Entry.Directory;
  Line.File = Absolute.str().str();
  if (Entry.CommandLine.empty() || !isNvcc(Entry.CommandLine.front()))
    return addKnown(Line,
                    llvm::ArrayRef(Entry.CommandLine)
                        .drop_front(Entry.CommandLine.empty() ? 0 : 1),
                    Entry.Filename);
  addToolkitOf(Line, Entry.CommandLine.front());
  return addTranslated(Line, llvm::ArrayRef(Entry.CommandLine).drop_front());
}

/// The folder that the user's flags name with --cuda-path=; empty without one.
static llvm::StringRef cudaPathIn(llvm::ArrayRef<std::string> Flags) {
  for (llvm::StringRef Flag : llvm::reverse(Flags))
    if (Flag.consume_front("--cuda-path="))
      return Flag;
  return "";
}

llvm::Expected<CommandLine> makeCommandLine(llvm::StringRef File,
                                            llvm::StringRef Arch,
                                            const FrontendOptions &Options) {
  CommandLine Line;
  Line.File = File.str();
  // A name that begins with '-' would be read as an option.
  if (File.starts_with("-"))
    Line.File = "./" + Line.File;
  std::vector<std::string> &Args = Line.Arguments;
  Args.push_back("clang++");
  if (llvm::Error Failed = Options.Flags.empty() && !Options.BuildDir.empty()
                               ? readDatabase(Line, Options.BuildDir)
                               : addUsersFlags(Line, Options.Flags))
    return std::move(Failed);
  llvm::append_range(Args, readingFlags(Options.ExtraArgs));

  Line.ResourceDir = findResourceDir(Options.Program);
  if (Line.ResourceDir.empty())
    return llvm::createStringError(
        llvm::errc::no_such_file_or_directory,
        "Clang's resource headers (stddef.h and others) are neither beside "
        "kpipe nor in %s; install clang-22 or use the portable build",
        KPIPE_RESOURCE_DIR);

  std::string Toolkit;
  if (!llvm::is_contained(Args, "-nocudainc")) {
    llvm::StringRef Requested = Options.CudaPath;
    llvm::Expected<std::string> Found =
        findToolkit(Requested.empty() ? cudaPathIn(Args) : Requested);
    if (!Found)
      return Found.takeError();
    Toolkit = *Found;
  }
  Line.OwnDeclarations = Toolkit.empty();

  Args.insert(Args.end(),
              {"-resource-dir", Line.ResourceDir, "-fsyntax-only",
               "--cuda-device-only", "--no-offload-arch=all",
               "--offload-arch=" + Arch.str(), "-w", "-ferror-limit=0",
               "-fno-color-diagnostics",
               // What nvcc lets pass, too.
               "-Wno-register", "-Wno-c++11-narrowing",
               "-Wno-reserved-user-defined-literal",
               // A guessed name would make an error look like sound code.
               "-fno-spell-checking"});
  // libdevice is not needed for an AST, and a toolkit of headers alone has
  // none; but without it Clang no longer says which version it found, and then
  // takes <<<…>>> for that of CUDA 9.
  Args.insert(Args.end(),
              {"-nocudalib", "-Xclang", "-target-sdk-version=12.9"});
  if (Line.OwnDeclarations) {
    std::string Folder = EmbeddedDeclarations.str();
    Args.insert(Args.end(), {"-nocudainc", "-isystem", Folder, "-include",
                             Folder + "/__kpipe_cuda_runtime.h"});
  } else {
    Args.insert(Args.end(), {"-iquote", EmbeddedAsNvcc.str(),
                             "-D__KPIPE_CUDA_VERSION=" +
                                 std::to_string(versionOf(Toolkit))});
    Args.push_back("--cuda-path=" + Toolkit);
    // CUDA 13 moved CCCL here; nvcc looks into it, Clang does not.
    std::string Cccl = Toolkit + "/include/cccl";
    if (llvm::sys::fs::is_directory(Cccl))
      Args.insert(Args.end(), {"-isystem", Cccl});
  }
  Args.insert(Args.end(),
              {"-include", EmbeddedAsNvcc.str() + "/__kpipe_as_nvcc.h"});
  // Behind all others: a runtime header that the user has of his own wins.
  Args.insert(Args.end(), {"-idirafter", EmbeddedRuntime.str(), "-x", "cuda",
                           Line.File});
  return Line;
}

} // namespace kpipe
