// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds, not blocks: each round runs every program once, so that a machine
// that grows warm or busy does so for all of them.
#include "Benchmark.h"
#include "support/FileWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace kpipe {

static llvm::Error contestError(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

static std::string textOf(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// "the run failed with exit code 1: error: no device".
static std::string failure(llvm::StringRef What, const Ending &End,
                           llvm::StringRef Printed) {
  std::string Said = tellingLine(Printed);
  return ("the " + What + " " + End.describe() + (Said.empty() ? "" : ": ") +
          Said)
      .str();
}

std::string Benchmark::path(const Contender &C, llvm::StringRef Suffix) const {
  llvm::SmallString<256> Path(Rules.WorkFolder);
  llvm::sys::path::append(Path, C.Stem + Suffix);
  return Path.str().str();
}

void Benchmark::begin(Contender &First, llvm::StringRef Output) {
  Original = &First;
  EarlierOutput = Output.str();
  Wanted.reset();
}

std::string Benchmark::output() const {
  return Wanted ? llvm::utohexstr(llvm::xxh3_64bits(*Wanted),
                                  /*LowerCase=*/true, /*Width=*/16)
                : EarlierOutput;
}

llvm::Error Benchmark::build(Contenders Some, Progress &Shown) {
  std::vector<Contender *> Building;
  std::vector<Command> Commands;
  for (Contender *C : Some) {
    if (!C->Failure.empty() || Programs.count(C->Text)) {
      if (C != Original) // which runOriginal() builds
        Shown.skip(1);
      continue;
    }
    std::string Source = path(*C, Rules.Suffix), Program = path(*C, ".exe");
    if (llvm::Error Bad = writeFile(Source, C->Text))
      return Bad;
    llvm::sys::fs::remove(Program); // of an earlier contest
    Commands.push_back(
        buildCommand(Rules.Launch, Source, Program, path(*C, "")));
    Building.push_back(C);
  }
  if (!Building.empty())
    Shown.begin("building " + Building.front()->Name);
  std::vector<Ending> Ends =
      runCommands(Commands, Rules.BuildJobs, Rules.BuildSeconds, [&](size_t I) {
        Shown.finished("built " + Building[I]->Name);
      });
  for (auto [C, End, Command] : llvm::zip(Building, Ends, Commands)) {
    std::string Program = path(*C, ".exe");
    if (End.How == Ending::Interrupted)
      continue;
    if (End.How != Ending::Success) {
      C->Failure =
          failure("build", End, textOf(Command.Log) + textOf(Command.Output));
    } else if (!llvm::sys::fs::exists(Program)) {
      C->Failure = "the build made no program {exe}";
    } else {
      Programs[C->Text] = Program;
      BuildLogs[C->Text] = textOf(Command.Log) + textOf(Command.Output);
    }
  }
  return llvm::Error::success();
}

/// Does what a run printed say that others hold the GPU, or its memory? They
/// may do so for a moment.
static bool isTaken(llvm::StringRef Printed) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"busy", "unavailable", "out of memory"},
      [&](llvm::StringRef Word) { return Printed.contains_insensitive(Word); });
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// What one GPU has to run, one after the other.
class Benchmark::GpuQueue {
public:
  GpuQueue(const Benchmark &Of, size_t Gpu, std::vector<Turn> Turns)
      : Of(Of), Gpu(Gpu), Turns(std::move(Turns)) {}

  /// Starts what comes next, if nothing runs.
  void start(RunningCommands &Commands, Progress &Shown) {
    while (!IsBusy && Next != Turns.size() &&
           (!Turns[Next].Who->Failure.empty() ||
            !Turns[Next].Who->NotRun.empty() || !isBuilt(*Turns[Next].Who))) {
      Shown.skip(1);
      ++Next;
    }
    if (IsBusy || Next == Turns.size() ||
        std::chrono::steady_clock::now() < NotBefore)
      return;
    const Contender &C = *Turns[Next].Who;
    Run = runCommand(Of.Rules.Launch, Of.Programs.lookup(C.Text),
                     Of.path(C, ""), Gpu);
    Commands.start(Run, Gpu, Of.Rules.RunSeconds);
    IsBusy = true;
  }

  /// \returns what to take from the run that ended; null if it is to be run
  /// again a little later.
  const Turn *ended(const Ending &End) {
    constexpr double Waits[] = {0.5, 2.0};
    IsBusy = false;
    if (End.How == Ending::Failure && Tries < std::size(Waits) &&
        isTaken(textOf(Run.Log) + textOf(Run.Output))) {
      NotBefore = std::chrono::steady_clock::now() +
                  std::chrono::milliseconds(int(1000 * Waits[Tries++]));
      return nullptr;
    }
    Tries = 0;
    return &Turns[Next++];
  }

  bool isDone() const { return !IsBusy && Next == Turns.size(); }
  const Command &command() const { return Run; }

private:
  const Benchmark &Of;
  const size_t Gpu;
  std::vector<Turn> Turns;
  size_t Next = 0, Tries = 0;
  bool IsBusy = false;
  Command Run;
  std::chrono::steady_clock::time_point NotBefore;

  bool isBuilt(const Contender &C) const { return Of.Programs.count(C.Text); }
};

void Benchmark::take(const Turn &T, const Command &Run, const Ending &End,
                     Progress &Shown) {
  if (End.How == Ending::Interrupted)
    return;
  Contender &C = *T.Who;
  TimedOutput Out = Rules.Reader.read(textOf(Run.Output));
  if (!C.Failure.empty()) // on another GPU, meanwhile
    ;
  else if (End.How != Ending::Success)
    C.Failure = failure("run", End, textOf(Run.Log));
  else if (Wanted && C.SameOutput && Out.Rest != *Wanted)
    C.Failure = "its output differs: " + firstDifference(*Wanted, Out.Rest);
  else if (!Out.Time)
    C.Failure = "it printed no time";
  else if (!T.IsTrial)
    C.Runs.Rounds[T.Number] = *Out.Time;
  else if (Wanted)
    C.Runs.Trials.push_back(*Out.Time);
  else
    Wanted = Out.Rest; // the original's first
  Shown.finished((!T.IsTrial ? "round " + std::to_string(T.Number + 1) +
                                   " of " + std::to_string(Rules.Rounds) + ": "
                             : "tried ") +
                 C.Name);
}

llvm::Error Benchmark::runTurns(std::vector<std::vector<Turn>> ByGpu,
                                Progress &Shown) {
  std::vector<GpuQueue> Queues;
  for (auto [Gpu, Turns] : llvm::enumerate(ByGpu))
    Queues.emplace_back(*this, Gpu, std::move(Turns));
  RunningCommands Commands;
  while (!InterruptScope::interrupted() &&
         llvm::any_of(Queues, [](const GpuQueue &Q) { return !Q.isDone(); })) {
    for (GpuQueue &Q : Queues)
      Q.start(Commands, Shown);
    if (!Commands.size())
      pause(0.01);
    for (const RunningCommands::Ended &E : Commands.wait()) {
      if (const Turn *T = Queues[E.Tag].ended(E.How))
        take(*T, Queues[E.Tag].command(), E.How, Shown);
      AfterRun();
    }
    if (!Original->Failure.empty() && Wanted)
      return contestError(
          "the original cannot be measured: in another run of it " +
          Original->Failure + "; name lines that change with --ignore-regex");
  }
  return llvm::Error::success();
}

llvm::Error Benchmark::runOriginal(Progress &Shown) {
  if (Wanted)
    return llvm::Error::success();
  if (Programs.count(Original->Text))
    Shown.skip(1);
  if (llvm::Error Bad = build({Original}, Shown))
    return Bad;
  std::vector<std::vector<Turn>> One(1);
  One[0].push_back({Original, 0, /*IsTrial=*/true});
  if (Original->Failure.empty())
    if (llvm::Error Bad = runTurns(std::move(One), Shown))
      return Bad;
  if (llvm::StringRef(Original->Failure) == "it printed no time")
    return contestError(
        "the program printed no time; time its kernel with <kpipe/timing.h>, "
        "or say with --time-regex which number of its output is one");
  if (!Original->Failure.empty())
    return contestError("the original cannot be measured: " +
                        Original->Failure);
  if (Wanted && !EarlierOutput.empty() && EarlierOutput != output())
    return contestError("the original prints other results than when it was "
                        "measured before: measure without --resume");
  return llvm::Error::success();
}

llvm::Error Benchmark::tryOut(Contenders Some, Progress &Shown) {
  std::vector<Contender *> Lacking;
  for (Contender *C : Some) {
    C->Runs.Rounds.resize(Rules.Rounds);
    size_t Known = std::min<size_t>(C->Runs.Trials.size(), Rules.Trials);
    if (C->Failure.empty() && Known < Rules.Trials) {
      Lacking.push_back(C);
      C->Runs.Trials.clear();
    } else {
      Shown.skip(1 + Rules.Trials);
    }
  }
  if (Lacking.empty())
    return llvm::Error::success();
  if (llvm::Error Bad = runOriginal(Shown))
    return Bad;
  if (InterruptScope::interrupted())
    return llvm::Error::success();
  if (llvm::Error Bad = build(Lacking, Shown))
    return Bad;
  for (Contender *C : Lacking)
    if (WhyNotRun && C != Original && Programs.count(C->Text))
      C->NotRun = WhyNotRun(*C, BuildLogs.lookup(C->Text),
                            BuildLogs.lookup(Original->Text));
  std::vector<std::vector<Turn>> ByGpu(Rules.Launch.gpus());
  for (unsigned Trial = 0; Trial != Rules.Trials; ++Trial)
    for (auto [I, C] : llvm::enumerate(Lacking))
      ByGpu[(I + Trial) % ByGpu.size()].push_back({C, Trial, true});
  return runTurns(std::move(ByGpu), Shown);
}

llvm::Error Benchmark::measure(Contenders Some, Progress &Shown) {
  std::vector<std::vector<Turn>> ByGpu(Rules.Launch.gpus());
  std::vector<Contender *> Lacking;
  for (unsigned Round = 0; Round != Rules.Rounds; ++Round)
    for (size_t I = 0; I != Some.size(); ++I) {
      // Another one first in each round: nobody always follows the same.
      Contender *C = Some[(I + Round) % Some.size()];
      if (!C->Failure.empty() || C->Runs.Rounds[Round]) {
        Shown.skip(1);
        continue;
      }
      ByGpu[Round % ByGpu.size()].push_back({C, Round, false});
      if (!llvm::is_contained(Lacking, C) && !Programs.count(C->Text))
        Lacking.push_back(C);
    }
  bool IsNothingLeft =
      llvm::all_of(ByGpu, [](auto &Turns) { return Turns.empty(); });
  if (IsNothingLeft || InterruptScope::interrupted())
    return llvm::Error::success();
  if (llvm::Error Bad = runOriginal(Shown))
    return Bad;
  // What was tried in an earlier session.
  Shown.add(Lacking.size());
  if (llvm::Error Bad = build(Lacking, Shown))
    return Bad;
  return runTurns(std::move(ByGpu), Shown);
}

} // namespace kpipe
