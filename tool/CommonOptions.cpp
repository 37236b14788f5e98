// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the shared options and checks each of them before any file is
// read.
#include "CommonOptions.h"
#include "kpipe/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace cl = llvm::cl;

#define KPIPE_BOTH                                                             \
  cl::sub(RewriteCommand), cl::sub(AnalyzeCommand), cl::cat(KpipeCategory)

static cl::list<std::string> Files(cl::Positional, cl::desc("FILE..."),
                                   KPIPE_BOTH);
static cl::list<std::string>
    Arch("arch", cl::CommaSeparated, cl::value_desc("sm_86"),
         cl::desc("target architecture; analyze takes several"), KPIPE_BOTH);
static cl::opt<std::string>
    VariantOption("variant", cl::init("auto"),
                  cl::value_desc("auto|ldg|cp-async"),
                  cl::desc("the way of a tile to shared memory"), KPIPE_BOTH);
static cl::opt<std::string>
    StagesOption("stages", cl::init("auto"), cl::value_desc("auto|1..8"),
                 cl::desc("buffers per staged array"), KPIPE_BOTH);
static cl::opt<std::string>
    ScheduleOption("schedule", cl::init("auto"), cl::value_desc("auto|peeled"),
                   cl::desc("the form of the pipelined loop"), KPIPE_BOTH);
static cl::opt<std::string>
    HeaderFilter("header-filter", cl::value_desc("regex"),
                 cl::desc("headers that may be edited, by path"), KPIPE_BOTH);
static cl::opt<std::string>
    Kernel("kernel", cl::value_desc("regex"),
           cl::desc("only kernels whose qualified name matches"), KPIPE_BOTH);
static cl::list<std::string>
    Instantiate("instantiate", cl::value_desc("k<128,8>"),
                cl::desc("a template kernel to analyse with these arguments"),
                KPIPE_BOTH);
static cl::opt<std::string>
    Block("block", cl::value_desc("X[,Y[,Z]]"),
          cl::desc("threads of a block where the file does not tell"),
          KPIPE_BOTH);
static cl::opt<bool>
    AllowOccupancyDrop("allow-occupancy-drop",
                       cl::desc("pipeline although fewer blocks fit an SM"),
                       KPIPE_BOTH);
static cl::opt<bool>
    Strict("strict", cl::desc("errors anywhere in a file are fatal"),
           KPIPE_BOTH);
static cl::opt<std::string>
    Report("report", cl::value_desc("file.json"),
           cl::desc("write what became of each loop as JSON"), KPIPE_BOTH);
static cl::opt<std::string>
    BuildDir("p", cl::value_desc("build-dir"),
             cl::desc("folder with compile_commands.json"), KPIPE_BOTH);
static cl::opt<std::string> CudaPath("cuda-path", cl::value_desc("dir"),
                                     cl::desc("root of a CUDA toolkit"),
                                     KPIPE_BOTH);
static cl::list<std::string>
    ExtraArg("extra-arg", cl::value_desc("arg"),
             cl::desc("one more flag for Clang, after all others"),
             KPIPE_BOTH);
static cl::opt<bool>
    InlineRuntime("inline-runtime",
                  cl::desc("paste the primitives used instead of including "
                           "<kpipe/pipeline.h>"),
                  KPIPE_BOTH);

llvm::Error optionError(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

int fail(llvm::Error Why) {
  llvm::handleAllErrors(std::move(Why), [](const llvm::ErrorInfoBase &E) {
    llvm::errs() << "kpipe: error: " << E.message() << "\n";
  });
  return 1;
}

static llvm::Error checkRegex(llvm::StringRef Option, llvm::StringRef Text) {
  std::string Why;
  if (Text.empty() || llvm::Regex(Text).isValid(Why))
    return llvm::Error::success();
  return optionError("--" + Option + "='" + Text +
                     "': no valid regular expression: " + Why);
}

static llvm::Expected<std::array<unsigned, 3>> parseBlock(llvm::StringRef Text) {
  // The limits of every architecture that kpipe knows.
  constexpr unsigned MostPerAxis[] = {1024, 1024, 64};
  std::array<unsigned, 3> Shape{1, 1, 1};
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, ',');
  bool Good = Parts.size() <= 3;
  for (size_t I = 0; Good && I < Parts.size(); ++I)
    Good = !Parts[I].getAsInteger(10, Shape[I]) && Shape[I] >= 1 &&
           Shape[I] <= MostPerAxis[I];
  if (!Good || Shape[0] * Shape[1] * Shape[2] > ArchLimits::ThreadsPerBlock)
    return optionError("--block=" + Text +
                       ": want X[,Y[,Z]] with 1 to 1024 threads in all");
  return Shape;
}

static llvm::Error readTransform(TransformOptions &Options) {
  if (Arch.empty())
    return optionError("no architecture; say which with --arch=sm_86");
  llvm::StringSet<> Seen;
  for (const std::string &Name : Arch) {
    llvm::Expected<const ArchLimits &> Known = findArch(Name);
    if (!Known)
      return Known.takeError();
    if (!Seen.insert(Name).second)
      return optionError("--arch names " + llvm::Twine(Name) +
                         " twice; name it once");
    Options.Archs.push_back(Name);
    if (VariantOption == "cp-async" && !Known->hasAsyncCopy())
      return optionError("--variant=cp-async needs sm_80 or newer, not " +
                         llvm::Twine(Name) +
                         "; use --variant=ldg or --variant=auto");
  }
  if (VariantOption == "ldg")
    Options.Copy = Variant::Ldg;
  else if (VariantOption == "cp-async")
    Options.Copy = Variant::CpAsync;
  else if (VariantOption != "auto")
    return optionError("--variant=" + VariantOption +
                       ": want auto, ldg or cp-async");
  if (StagesOption != "auto") {
    unsigned Stages = 0;
    if (llvm::StringRef(StagesOption).getAsInteger(10, Stages) || Stages < 1 ||
        Stages > 8)
      return optionError("--stages=" + StagesOption +
                         ": want auto or a number from 1 to 8");
    if (Stages == 1 && Options.Copy == Variant::CpAsync)
      return optionError("--stages=1 keeps one buffer, which cp.async cannot "
                         "fill while it is read; use --variant=ldg or two "
                         "stages");
    Options.Stages = Stages;
  }
  if (ScheduleOption != "auto" && ScheduleOption != "peeled")
    return optionError("--schedule=" + ScheduleOption +
                       ": want auto or peeled");
  if (!Block.empty()) {
    llvm::Expected<std::array<unsigned, 3>> Shape = parseBlock(Block);
    if (!Shape)
      return Shape.takeError();
    Options.Block = *Shape;
  }
  if (llvm::Error Bad = checkRegex("kernel", Kernel))
    return Bad;
  if (llvm::Error Bad = checkRegex("header-filter", HeaderFilter))
    return Bad;
  Options.KernelRegex = Kernel;
  Options.HeaderFilter = HeaderFilter;
  Options.Instantiate.assign(Instantiate.begin(), Instantiate.end());
  Options.AllowOccupancyDrop = AllowOccupancyDrop;
  Options.InlineRuntime = InlineRuntime;
  return llvm::Error::success();
}

llvm::Expected<CommonRequest>
readCommonOptions(llvm::StringRef Program, llvm::ArrayRef<std::string> Flags) {
  CommonRequest Request;
  if (Files.empty())
    return optionError("no input; name one or more CUDA files");
  llvm::StringSet<> Seen;
  for (const std::string &File : Files) {
    if (!Seen.insert(File).second)
      return optionError("'" + llvm::Twine(File) +
                         "' is named twice; name it once");
    Request.Files.push_back(File);
  }
  if (llvm::Error Bad = readTransform(Request.Transform))
    return std::move(Bad);
  if (!BuildDir.empty() && !Flags.empty())
    return optionError("-p and flags after '--' contradict each other; use "
                       "one, or --extra-arg with -p");
  Request.Frontend.Program = Program.str();
  Request.Frontend.CudaPath = CudaPath;
  Request.Frontend.BuildDir = BuildDir;
  Request.Frontend.ExtraArgs.assign(ExtraArg.begin(), ExtraArg.end());
  Request.Frontend.Flags = Flags.vec();
  Request.Frontend.Instantiate = Request.Transform.Instantiate;
  Request.Strict = Strict;
  Request.ReportFile = Report;
  return Request;
}

} // namespace kpipe
