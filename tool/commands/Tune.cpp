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
    Gpus("gpus", cl::value_desc("list"),
         cl::desc("GPUs to measure on, e.g. 0,1: one run at a time on each, "
                  "CUDA_VISIBLE_DEVICES and {gpu} in --run say which"),
         KPIPE_TUNE);
static cl::opt<std::string>
    Launcher("launcher", cl::value_desc("command"),
             cl::desc("runs builds and programs through a scheduler, e.g. "
                      "'srun -G 1'; {gpu} in it is one of --gpus"),
             KPIPE_TUNE);
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
    Everything("all", cl::desc("measure forms that cannot win, too"),
               KPIPE_TUNE);
static cl::opt<bool>
    Resume("resume", cl::desc("go on where the profile ends: what it has was "
                              "measured and is not measured again"),
           KPIPE_TUNE);
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
    // A scheduler's nodes see this folder rather than $TMPDIR.
    llvm::SmallString<256> Prefix("kpipe-tune");
    if (!Launcher.empty())
      llvm::sys::fs::make_absolute(Prefix);
    llvm::Expected<TemporaryFolder> Made = TemporaryFolder::make(Prefix);
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

/// The names of --gpus.
static llvm::Expected<std::vector<std::string>> readGpus() {
  std::vector<std::string> Names;
  if (!Gpus.getNumOccurrences()) {
    for (auto [Option, Text] :
         {std::pair("run", &Run), std::pair("launcher", &Launcher)})
      if (llvm::StringRef(*Text).contains("{gpu}"))
        return optionError("--" + llvm::Twine(Option) + "='" + *Text +
                           "': {gpu} is one of --gpus, which is missing");
    return Names;
  }
  for (llvm::StringRef Name : llvm::split(Gpus, ',')) {
    if (Name.trim().empty() || llvm::is_contained(Names, Name.trim()))
      return optionError("--gpus=" + Gpus +
                         ": want GPUs, each once, e.g. --gpus=0,1");
    Names.push_back(Name.trim().str());
  }
  return Names;
}

/// What was measured with others does not compare.
static MeasuringSetup setup() {
  MeasuringSetup S;
  for (auto [Option, Text] :
       {std::pair("build", &Build), std::pair("ignore-regex", &IgnoreRegex),
        std::pair("launcher", &Launcher), std::pair("run", &Run),
        std::pair("time-regex", &TimeRegex)})
    if (!Text->empty())
      S.Commands.push_back({Option, *Text});
  return S;
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

/// How the commands are started.
static llvm::Expected<LaunchRules> readLaunch(llvm::StringRef File) {
  llvm::Expected<CommandTemplate> BuildWith =
      readTemplate("build", Build, {"src", "exe"},
                   "--build='nvcc -O3 -arch=sm_90 {src} -o {exe}'");
  if (!BuildWith)
    return BuildWith.takeError();
  llvm::Expected<CommandTemplate> RunWith =
      readTemplate("run", Run, {"exe"}, "--run='{exe}'");
  if (!RunWith)
    return RunWith.takeError();
  llvm::Expected<std::vector<std::string>> Names = readGpus();
  if (!Names)
    return Names.takeError();
  LaunchRules Rules{std::move(*BuildWith), std::move(*RunWith)};
  Rules.Gpus = std::move(*Names);
  if (!Launcher.empty()) {
    llvm::Expected<CommandTemplate> With =
        CommandTemplate::parse("--launcher", Launcher, {});
    if (!With)
      return With.takeError();
    Rules.Launcher = std::move(*With);
  }
  llvm::SmallString<256> Folder(File);
  llvm::sys::fs::make_absolute(Folder);
  llvm::sys::path::remove_filename(Folder);
  Rules.SourceFolder = Folder.str().str();
  return Rules;
}

int runTune(CommonRequest Request) {
  if (llvm::Error Bad = checkRequest(Request))
    return fail(std::move(Bad));
  llvm::Expected<Numbers> Asked = readNumbers();
  if (!Asked)
    return fail(Asked.takeError());
  llvm::Expected<LaunchRules> Launch =
      readLaunch(Request.Files.front().File);
  if (!Launch)
    return fail(Launch.takeError());
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
                   BenchmarkRules{std::move(*Launch),
                                  OutputReader(TimeRegex, IgnoreRegex)},
                   std::move(*Kept)};
  Tune.File.Transform.HeaderFilter.clear(); // a contender is one file
  BenchmarkRules &Rules = Tune.Rules;
  Rules.WorkFolder = *Folder;
  Rules.Suffix = llvm::sys::path::extension(Tune.File.File).str();
  Rules.Rounds = Asked->Rounds;
  // A second trial is worth its time where it may save many rounds.
  constexpr unsigned ManyRounds = 4;
  Rules.Trials = Everything || Asked->Rounds < ManyRounds ? 1 : 2;
  Rules.BuildJobs = Asked->BuildJobs;
  Rules.BuildSeconds = Asked->BuildTimeout;
  Rules.RunSeconds = Asked->Timeout;
  Tune.ProfileFile = ProfileFile;
  Tune.BestFile = BestFile;
  Tune.MostStages = Asked->MaxStages;
  Tune.Limits = Limits;
  Tune.Everything = Everything;
  Tune.Resume = Resume;
  Tune.Setup = setup();
  Tune.Unit = TimeRegex.empty() ? "ms" : "";

  llvm::Expected<bool> Interrupted = tuneFile(std::move(Tune));
  if (!Interrupted)
    return fail(Interrupted.takeError());
  return *Interrupted ? 128 + SIGINT : 0;
}

} // namespace kpipe
