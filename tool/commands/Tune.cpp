// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kpipe tune`: its options, and all that can be wrong with them before
// anything is built. It must not know how forms are measured.
#include "rewrite/Outputs.h"
#include "support/Failure.h"
#include "support/FileWriter.h"
#include "support/TemporaryFolder.h"
#include "tune/Tuner.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <csignal>

namespace kpipe {

namespace cl = llvm::cl;
#define KPIPE_TUNE cl::sub(TuneCommand), cl::cat(KpipeCategory)

static cl::opt<std::string>
    Build("build", cl::value_desc("command"),
          cl::desc("builds the program {exe} from the source {src}; {dir} is "
                   "the folder of FILE"),
          KPIPE_TUNE);
static cl::opt<std::string> Run("run", cl::value_desc("command"),
                                cl::desc("runs the program {exe}"), KPIPE_TUNE);
static cl::opt<std::string>
    TimeRegex("time-regex", cl::value_desc("regex"),
              cl::desc("the time in a line of the output, as its first group "
                       "(default: what <kpipe/timing.h> prints)"),
              KPIPE_TUNE);
static cl::opt<std::string>
    IgnoreRegex("ignore-regex", cl::value_desc("regex"),
                cl::desc("lines of the output that may differ"), KPIPE_TUNE);
static cl::opt<std::string>
    Rounds("rounds", cl::init("7"), cl::value_desc("n"),
           cl::desc("measured runs of each form, in turns (default: 7)"),
           KPIPE_TUNE);
static cl::opt<std::string>
    Timeout("timeout", cl::init("60"), cl::value_desc("seconds"),
            cl::desc("limit of one run (default: 60)"), KPIPE_TUNE);
static cl::opt<std::string>
    BuildTimeout("build-timeout", cl::init("600"), cl::value_desc("seconds"),
                 cl::desc("limit of one build (default: 600)"), KPIPE_TUNE);
static cl::opt<std::string>
    BuildJobs("j", cl::init("1"), cl::value_desc("n"), cl::Prefix,
              cl::desc("builds at once (default: 1)"), KPIPE_TUNE);
static cl::opt<std::string>
    MaxStages("max-stages", cl::init("4"), cl::value_desc("1..8"),
              cl::desc("most buffers that are tried (default: 4)"), KPIPE_TUNE);
static cl::opt<bool>
    Limits("limits",
           cl::desc("measure the loads and the compute of the chosen form "
                    "alone, too: how much can still be hidden"),
           KPIPE_TUNE);
static cl::opt<std::string>
    WorkDir("work-dir", cl::value_desc("dir"),
            cl::desc("keep sources, programs and logs there"), KPIPE_TUNE);
static cl::opt<std::string>
    BestFile("o", cl::value_desc("file"),
             cl::desc("write the source with the fastest forms"), KPIPE_TUNE);
static cl::opt<std::string>
    ProfileFile("profile", cl::init("kpipe-tune.json"), cl::value_desc("file"),
                cl::desc("keep the choices there, for rewrite --profile "
                         "(default: kpipe-tune.json)"),
                KPIPE_TUNE);

namespace {

/// The options that are numbers.
struct Numbers {
  unsigned Rounds = 0, BuildJobs = 0, MaxStages = 0;
  double Timeout = 0, BuildTimeout = 0;
};

} // namespace

/// Options of LLVM's that are numbers print errors of their own, over several
/// lines; these are texts.
static llvm::Expected<Numbers> readNumbers() {
  Numbers N;
  struct Count {
    const char *Option;
    const cl::opt<std::string> &Text;
    unsigned &Value, Most;
    const char *Want;
  };
  for (const Count &C :
       {Count{"--rounds", Rounds, N.Rounds, 100000, "1 to 100000"},
        Count{"-j", BuildJobs, N.BuildJobs, 1024, "1 to 1024 builds at once"},
        Count{"--max-stages", MaxStages, N.MaxStages, 8, "1 to 8"}})
    if (llvm::StringRef(C.Text).getAsInteger(10, C.Value) || C.Value < 1 ||
        C.Value > C.Most)
      return optionError(llvm::Twine(C.Option) + "=" + C.Text + ": want " +
                         C.Want);
  constexpr double Week = 7 * 24 * 3600;
  struct Limit {
    const char *Option;
    const cl::opt<std::string> &Text;
    double &Value;
  };
  for (const Limit &L :
       {Limit{"--timeout", Timeout, N.Timeout},
        Limit{"--build-timeout", BuildTimeout, N.BuildTimeout}})
    if (llvm::StringRef(L.Text).getAsDouble(L.Value) ||
        !(L.Value > 0 && L.Value <= Week)) // also what is no number
      return optionError(llvm::Twine(L.Option) + "=" + L.Text +
                         ": want seconds, above 0 and a week at most");
  return N;
}

static llvm::Error checkRequest(const CommonRequest &Request) {
  if (Request.Files.size() != 1)
    return optionError("tune takes one file, not " +
                       llvm::Twine(Request.Files.size()));
  const FileRequest &File = Request.Files.front();
  if (File.Transform.Archs.size() != 1)
    return optionError("tune takes one --arch, that of the GPU that it runs "
                       "on");
  for (auto [Option, Text] : {std::pair("time-regex", &TimeRegex),
                              std::pair("ignore-regex", &IgnoreRegex)})
    if (std::string Why;
        !Text->empty() && !llvm::Regex(*Text).isValid(Why))
      return optionError("--" + llvm::Twine(Option) + "='" + *Text +
                         "': no valid regular expression: " + Why);
  if (llvm::Error Bad = refuseInputs(File.File, BestFile, "-o"))
    return Bad;
  if (llvm::Error Bad = refuseInputs(File.File, ProfileFile, "--profile"))
    return Bad;
  return refuseClashes({{ProfileFile, "--profile"}, {BestFile, "-o"}});
}

static llvm::Expected<CommandTemplate>
readTemplate(const char *Option, llvm::StringRef Text,
             llvm::ArrayRef<llvm::StringRef> Needed, const char *Example) {
  if (Text.empty())
    return optionError("no --" + llvm::Twine(Option) + "; say for example " +
                       Example);
  return CommandTemplate::parse("--" + std::string(Option), Text, Needed);
}

/// A folder for sources and programs: the one asked for, or one that goes away.
static llvm::Expected<std::string>
makeWorkFolder(std::optional<TemporaryFolder> &Temporary) {
  if (WorkDir.empty()) {
    llvm::Expected<TemporaryFolder> Made = TemporaryFolder::make("kpipe-tune");
    if (!Made)
      return Made.takeError();
    Temporary.emplace(std::move(*Made));
    return Temporary->path();
  }
  llvm::SmallString<256> Folder(WorkDir.getValue());
  if (std::error_code Failed = llvm::sys::fs::create_directories(Folder))
    return writeError(Folder, Failed);
  llvm::sys::fs::make_absolute(Folder);
  return Folder.str().str();
}

/// What earlier runs wrote, for other loops and architectures.
static llvm::Expected<Profile> readKept() {
  if (!llvm::sys::fs::exists(ProfileFile))
    return Profile();
  return Profile::read(ProfileFile);
}

/// An output that cannot be written is known before hours of measuring. What is
/// staged and not committed leaves no trace.
static llvm::Error checkWritable() {
  FileWriter Trial;
  if (llvm::Error Bad = Trial.stage(ProfileFile, ""))
    return Bad;
  return BestFile.empty() ? llvm::Error::success() : Trial.stage(BestFile, "");
}

int runTune(CommonRequest Request) {
  if (llvm::Error Bad = checkRequest(Request))
    return fail(std::move(Bad));
  llvm::Expected<Numbers> Asked = readNumbers();
  if (!Asked)
    return fail(Asked.takeError());
  llvm::Expected<CommandTemplate> BuildWith =
      readTemplate("build", Build, {"src", "exe"},
                   "--build='nvcc -O3 -arch=sm_90 {src} -o {exe}'");
  if (!BuildWith)
    return fail(BuildWith.takeError());
  llvm::Expected<CommandTemplate> RunWith =
      readTemplate("run", Run, {"exe"}, "--run='{exe}'");
  if (!RunWith)
    return fail(RunWith.takeError());
  llvm::Expected<Profile> Kept = readKept();
  if (!Kept)
    return fail(Kept.takeError());
  if (llvm::Error Bad = checkWritable())
    return fail(std::move(Bad));
  std::optional<TemporaryFolder> Temporary;
  llvm::Expected<std::string> Folder = makeWorkFolder(Temporary);
  if (!Folder)
    return fail(Folder.takeError());

  TuneRequest Tune{std::move(Request.Files.front()),
                   ContestRules{std::move(*BuildWith), std::move(*RunWith),
                                OutputReader(TimeRegex, IgnoreRegex)},
                   std::move(*Kept)};
  Tune.File.Transform.HeaderFilter.clear(); // a contender is one file
  llvm::SmallString<256> SourceFolder(Tune.File.File);
  llvm::sys::fs::make_absolute(SourceFolder);
  llvm::sys::path::remove_filename(SourceFolder);
  ContestRules &Rules = Tune.Rules;
  Rules.WorkFolder = *Folder;
  Rules.SourceFolder = SourceFolder.str().str();
  Rules.Suffix = llvm::sys::path::extension(Tune.File.File).str();
  Rules.Rounds = Asked->Rounds;
  Rules.BuildJobs = Asked->BuildJobs;
  Rules.BuildSeconds = Asked->BuildTimeout;
  Rules.RunSeconds = Asked->Timeout;
  Tune.ProfileFile = ProfileFile;
  Tune.BestFile = BestFile;
  Tune.MostStages = Asked->MaxStages;
  Tune.Limits = Limits;
  Tune.Unit = TimeRegex.empty() ? "ms" : "";

  InterruptScope Interrupts;
  if (llvm::Error Bad = tuneFile(std::move(Tune)))
    return fail(std::move(Bad));
  return InterruptScope::interrupted() ? 128 + SIGINT : 0;
}

} // namespace kpipe
