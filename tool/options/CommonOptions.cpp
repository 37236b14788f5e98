// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the shared options, adds what the files' folders say, and checks all
// of it before any source is read.
#include "CommonOptions.h"
#include "Architectures.h"
#include "FlagsFile.h"
#include "FormOptions.h"
#include "Profile.h"
#include "Settings.h"
#include "StreamOptions.h"
#include "Values.h"
#include "kpipe/Suggestions.h"
#include "kpipe/Target.h"
#include "support/Failure.h"
#include "support/Parallel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace cl = llvm::cl;

static cl::list<std::string> Files(cl::Positional, cl::desc("FILE..."),
                                   KPIPE_ALL);
static cl::list<std::string>
    Arch("arch", cl::CommaSeparated, cl::value_desc("sm_86"),
         cl::desc("target architectures, also as CMake spells them; what is "
                  "made fits all of them (default: those of the compile "
                  "database or of the flags, else of this machine's GPU)"),
         KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<std::string>
    DynamicSharedOption("dynamic-shared", cl::init("auto"),
                        cl::value_desc("auto|never"),
                        cl::desc("arrays that outgrow static shared memory "
                                 "become dynamic, launches included"),
                        KPIPE_NOT_TUNE, KPIPE_AND_LSP);
static cl::opt<std::string>
    LaunchesOption("launches", cl::init("here"),
                   cl::value_desc("here|elsewhere"),
                   cl::desc("whether other files launch kernels whose dynamic "
                            "shared memory is to grow; you change them"),
                   KPIPE_NOT_TUNE, KPIPE_AND_LSP);
static cl::opt<std::string>
    HeaderFilter("header-filter", cl::value_desc("regex"),
                 cl::desc("headers that may be edited, by path"), KPIPE_BOTH);
static cl::opt<std::string>
    Kernel("kernel", cl::value_desc("regex"),
           cl::desc("only kernels whose qualified name matches"), KPIPE_ALL, KPIPE_AND_LSP);
static cl::list<std::string>
    Instantiate("instantiate", cl::value_desc("k<128,8>"),
                cl::desc("a template kernel to analyse with these arguments"),
                KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<std::string>
    Block("block", cl::value_desc("X[,Y[,Z]]"),
          cl::desc("threads of a block where the file does not tell"),
          KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<bool>
    Strict("strict", cl::desc("errors anywhere in a file are fatal"),
           KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<bool>
    Verbose("verbose",
            cl::desc("errors that concern host code alone are said, too"),
            KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<std::string>
    Report("report", cl::value_desc("file.json"),
           cl::desc("write what became of each loop, or of each check, as JSON"), KPIPE_NOT_TUNE);
static cl::opt<std::string>
    Html("html", cl::value_desc("file.html"),
         cl::desc("write a page for people: sources side by side, budgets and "
                  "timelines as drawings"),
         KPIPE_NOT_TUNE);
static cl::opt<std::string>
    BuildDir("p", cl::value_desc("build-dir"),
             cl::desc("folder with compile_commands.json"), KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<std::string> CudaPath("cuda-path", cl::value_desc("dir"),
                                     cl::desc("root of a CUDA toolkit"),
                                     KPIPE_ALL, KPIPE_AND_LSP);
static cl::list<std::string>
    ExtraArg("extra-arg", cl::value_desc("arg"),
             cl::desc("one more flag for Clang, after all others"),
             KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<bool>
    InlineRuntime("inline-runtime",
                  cl::desc("paste the primitives used instead of including "
                           "<kpipe/pipeline.h>"),
                  KPIPE_ALL, KPIPE_AND_LSP);

static cl::opt<std::string>
    FlagsFile("flags-file", cl::value_desc("file"),
              cl::desc("flags for nvcc or Clang, one a line, as after '--'"),
              KPIPE_ALL, KPIPE_AND_LSP);
static cl::opt<bool>
    LineDirectives("line-directives",
                   cl::desc("lines of the output name those of the input, for "
                            "compilers and debuggers"),
                   KPIPE_NOT_VERIFY);
static cl::opt<std::string>
    Sarif("sarif", cl::value_desc("file.sarif"),
          cl::desc("write all diagnostics as SARIF 2.1.0"), KPIPE_BOTH);
static cl::opt<std::string>
    ExportFixes("export-fixes", cl::value_desc("file.yaml"),
                cl::desc("write edits for clang-apply-replacements: the result "
                         "of rewrite, or the cures that analyze proposes"),
                KPIPE_BOTH);
static cl::opt<std::string>
    ProfileOption("profile", cl::value_desc("kpipe-tune.json"),
                  cl::desc("give loops the forms that 'kpipe tune' chose"),
                  KPIPE_BOTH, KPIPE_AND_LSP);
static cl::opt<std::string> RegistersOption(
    "registers", cl::value_desc("auto|nvcc|estimate"),
    cl::desc("whether nvcc is asked for the registers of what is made "
             "(default: where there is one)"),
    KPIPE_NOT_TUNE);
static cl::opt<std::string>
    Jobs("j", cl::value_desc("n"), cl::Prefix,
         cl::desc("files worked on at once (default: one a core)"),
         KPIPE_NOT_TUNE);
static cl::opt<bool>
    DumpConfig("dump-config",
               cl::desc("print the settings that hold for each file, from "
                        "options and .kpipe files, and stop"),
               KPIPE_BOTH);

template <class T>
static std::optional<T> given(const cl::opt<T> &Option) {
  if (Option.getNumOccurrences())
    return Option.getValue();
  return std::nullopt;
}

static std::optional<std::vector<std::string>>
given(const cl::list<std::string> &Option) {
  if (Option.getNumOccurrences())
    return std::vector<std::string>(Option.begin(), Option.end());
  return std::nullopt;
}

static Settings commandLineSettings() {
  Settings S;
  S.Form = formOfCommandLine();
  S.Arch = given(Arch);
  S.Instantiate = given(Instantiate);
  S.ExtraArgs = given(ExtraArg);
  S.DynamicShared = given(DynamicSharedOption);
  S.Launches = given(LaunchesOption);
  S.HeaderFilter = given(HeaderFilter);
  S.Kernel = given(Kernel);
  S.Block = given(Block);
  S.CudaPath = given(CudaPath);
  S.Profile = given(ProfileOption);
  S.Registers = given(RegistersOption);
  S.InlineRuntime = given(InlineRuntime);
  S.LineDirectives = given(LineDirectives);
  S.Strict = given(Strict);
  S.Verbose = given(Verbose);
  return S;
}

/// What suits no architecture of those that were named or found.
static llvm::Error checkArchs(const Settings &S,
                              llvm::ArrayRef<std::string> Archs) {
  for (const std::string &Name : Archs)
    if (S.Form.Variant == Variant::CpAsync &&
        !llvm::cantFail(findArch(Name)).hasAsyncCopy())
      return optionError("--variant=cp-async needs sm_80 or newer, not " +
                         llvm::Twine(Name) +
                         "; use --variant=ldg or --variant=auto");
  return llvm::Error::success();
}

static llvm::Error readTransform(const Settings &S, TransformOptions &Options) {
  llvm::Expected<std::vector<std::string>> Archs =
      readArchs(S.Arch.value_or(std::vector<std::string>()));
  if (!Archs)
    return Archs.takeError();
  Options.Archs = std::move(*Archs);
  if (llvm::Error Bad = checkArchs(S, Options.Archs))
    return Bad;
  if (S.Form.Variant == Variant::CpAsync && S.Form.Stages == 1u)
    return optionError("--stages=1 keeps one buffer, which cp.async cannot "
                       "fill while it is read; use --variant=ldg or two "
                       "stages");
  Options.Form = S.Form;
  std::string Dynamic = S.DynamicShared.value_or("auto");
  if (Dynamic != "auto" && Dynamic != "never")
    return optionError("--dynamic-shared=" + Dynamic +
                       ": want auto or never" +
                       didYouMean(Dynamic, {"auto", "never"}));
  Options.DynamicShared = Dynamic == "auto";
  std::string Launches = S.Launches.value_or("here");
  if (Launches != "here" && Launches != "elsewhere")
    return optionError("--launches=" + Launches + ": want here or elsewhere" +
                       didYouMean(Launches, {"here", "elsewhere"}));
  Options.LaunchedElsewhere = Launches == "elsewhere";
  if (S.Block && !S.Block->empty()) {
    llvm::Expected<std::array<unsigned, 3>> Shape = parseBlock(*S.Block);
    if (!Shape)
      return Shape.takeError();
    Options.Block = *Shape;
  }
  Options.KernelRegex = S.Kernel.value_or("");
  Options.HeaderFilter = S.HeaderFilter.value_or("");
  if (llvm::Error Bad = checkRegex("kernel", Options.KernelRegex))
    return Bad;
  if (llvm::Error Bad = checkRegex("header-filter", Options.HeaderFilter))
    return Bad;
  Options.Instantiate = S.Instantiate.value_or(std::vector<std::string>());
  Options.InlineRuntime = S.InlineRuntime.value_or(false);
  return llvm::Error::success();
}

/// What --registers says, else a `.kpipe` file, else the environment.
static llvm::Expected<RegisterSource> readRegisters(const Settings &S) {
  std::string Name = "--registers=";
  std::string Word = S.Registers.value_or("");
  if (!S.Registers) {
    Name = "KPIPE_REGISTERS=";
    Word = llvm::sys::Process::GetEnv("KPIPE_REGISTERS").value_or("");
    if (Word.empty())
      Word = "auto";
  }
  if (Word == "auto")
    return RegisterSource::Auto;
  if (Word == "nvcc")
    return RegisterSource::Nvcc;
  if (Word == "estimate")
    return RegisterSource::Estimate;
  return optionError(Name + Word + ": want auto, nvcc or estimate" +
                     didYouMean(Word, {"auto", "nvcc", "estimate"}));
}

/// The forms of the profile; tuning chooses anew.
static llvm::Error readProfile(const Settings &S, FileRequest &File) {
  if (S.Profile.value_or("").empty() || TuneCommand)
    return llvm::Error::success();
  llvm::Expected<Profile> Read = Profile::read(*S.Profile);
  if (!Read)
    return Read.takeError();
  File.Transform.Choices = Read->choices();
  File.SettingsFiles.push_back(*S.Profile);
  return llvm::Error::success();
}

/// What is wrong with the values of the settings read so far.
static llvm::Error checkValues(const Settings &S) {
  TransformOptions Ignored;
  if (auto Source = readRegisters(S); !Source)
    return Source.takeError();
  return readTransform(S, Ignored);
}

/// The settings that hold for a file: the command line's, then those of the
/// `.kpipe` files, nearest first.
static llvm::Expected<Settings>
settingsFor(llvm::ArrayRef<std::string> SettingsFiles) {
  Settings S = commandLineSettings();
  if (llvm::Error Bad = checkValues(S))
    return std::move(Bad);
  for (const std::string &Path : SettingsFiles) {
    llvm::Expected<Settings> Folder = readSettingsFile(Path);
    if (!Folder)
      return Folder.takeError();
    S.addMissing(*Folder);
    if (llvm::Error Bad = checkValues(S))
      return optionError("'" + Path + "': " + llvm::toString(std::move(Bad)));
  }
  return S;
}

/// What is asked for: the files named, or else all that the database compiles.
static llvm::Expected<std::vector<std::string>> filesAsked() {
  llvm::StringSet<> Seen;
  for (const std::string &File : Files)
    if (!Seen.insert(File).second)
      return optionError("'" + llvm::Twine(File) +
                         "' is named twice; name it once");
  if (!Files.empty())
    return std::vector<std::string>(Files.begin(), Files.end());
  if (LspCommand) // the editor names them
    return std::vector<std::string>();
  if (BuildDir.empty())
    return optionError("no input; name one or more CUDA files, or with -p a "
                       "folder whose compile_commands.json has some");
  llvm::Expected<std::vector<std::string>> Known = cudaFilesOf(BuildDir);
  if (Known && Known->empty())
    return optionError("-p " + BuildDir +
                       ": its compile_commands.json compiles no CUDA file; "
                       "name the files");
  return Known;
}

std::vector<std::string> CommonRequest::names() const {
  std::vector<std::string> Names;
  for (const FileRequest &F : Files)
    Names.push_back(F.File);
  return Names;
}

llvm::Expected<FileRequest>
readFileRequest(const std::string &File, llvm::StringRef Program,
                llvm::ArrayRef<std::string> Flags) {
  FileRequest F;
  F.File = File == "-" ? StandardInput.str() : File;
  F.SettingsFiles = findSettingsFiles(File);
  llvm::Expected<Settings> S = settingsFor(F.SettingsFiles);
  if (!S)
    return S.takeError();
  if (DumpConfig) {
    llvm::outs() << "# " << File << "\n" << toYaml(*S);
    return std::move(F);
  }
  if (llvm::Error Bad = readTransform(*S, F.Transform))
    return std::move(Bad);
  if (llvm::Error Bad = readProfile(*S, F))
    return std::move(Bad);
  // An editor does not wait for nvcc.
  F.Registers = LspCommand ? RegisterSource::Estimate
                           : llvm::cantFail(readRegisters(*S));
  F.Frontend.Program = Program.str();
  F.Frontend.CudaPath = S->CudaPath.value_or("");
  F.Frontend.BuildDir = BuildDir;
  F.Frontend.ExtraArgs = S->ExtraArgs.value_or(std::vector<std::string>());
  F.Frontend.Flags = Flags;
  F.Frontend.Instantiate = F.Transform.Instantiate;
  if (F.Transform.Archs.empty()) {
    llvm::Expected<std::vector<std::string>> Archs =
        defaultArchs(F.File, F.Frontend);
    if (!Archs)
      return Archs.takeError();
    F.Transform.Archs = std::move(*Archs);
    if (llvm::Error Bad = checkArchs(*S, F.Transform.Archs))
      return std::move(Bad);
  }
  F.Strict = S->Strict.value_or(false);
  F.Verbose = S->Verbose.value_or(false);
  F.LineDirectives = S->LineDirectives.value_or(false);
  return std::move(F);
}

llvm::Expected<std::optional<CommonRequest>>
readCommonOptions(llvm::StringRef Program, llvm::ArrayRef<std::string> Flags) {
  CommonRequest Request;
  if (!BuildDir.empty() && (!Flags.empty() || !FlagsFile.empty()))
    return optionError("-p and flags after '--' contradict each other; use "
                       "one, or --extra-arg with -p");
  llvm::Expected<std::vector<std::string>> AllFlags = readFlagsFile(FlagsFile);
  if (!AllFlags)
    return AllFlags.takeError();
  llvm::append_range(*AllFlags, Flags);
  llvm::Expected<std::vector<std::string>> Asked = filesAsked();
  if (!Asked)
    return Asked.takeError();
  llvm::Expected<bool> Colored = readStreamOptions();
  if (!Colored)
    return Colored.takeError();
  Request.Colored = *Colored;
  llvm::Expected<std::optional<std::string>> Input = readStandardInput(*Asked);
  if (!Input)
    return Input.takeError();
  unsigned Threads = 0;
  if (!Jobs.empty() && llvm::StringRef(Jobs).getAsInteger(10, Threads))
    return optionError("-j" + Jobs + ": want a number of files");
  Request.Jobs = jobsFor(Threads, Asked->size());
  Request.Compilations = std::max(1u, jobsFor(Threads, SIZE_MAX) / Request.Jobs);
  for (const std::string &File : *Asked) {
    llvm::Expected<FileRequest> F = readFileRequest(File, Program, *AllFlags);
    if (!F)
      return F.takeError();
    F->Colored = *Colored;
    if (File == "-")
      F->Frontend.InputText = *Input;
    Request.Files.push_back(std::move(*F));
  }
  if (DumpConfig)
    return std::nullopt;
  Request.Program = Program.str();
  Request.Flags = std::move(*AllFlags);
  Request.ReportFile = Report;
  Request.SarifFile = Sarif;
  Request.FixesFile = ExportFixes;
  Request.HtmlFile = Html;
  return Request;
}

} // namespace kpipe
