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

std::string Contest::path(const Contender &C, llvm::StringRef Suffix) const {
  llvm::SmallString<256> Path(Rules.WorkFolder);
  llvm::sys::path::append(Path, C.Stem + Suffix);
  return Path.str().str();
}

llvm::Error Contest::build(llvm::MutableArrayRef<Contender> All,
                           Progress &Shown) {
  std::vector<Contender *> Building;
  std::vector<Command> Commands;
  for (Contender &C : All) {
    if (!C.Failure.empty() || Programs.count(C.Text)) {
      Shown.skip(1);
      continue;
    }
    std::string Source = path(C, Rules.Suffix), Program = path(C, ".exe");
    if (llvm::Error Bad = writeFile(Source, C.Text))
      return Bad;
    llvm::sys::fs::remove(Program); // of an earlier contest
    Commands.push_back(Command::shell(
        Rules.Build.fill({{"src", Source},
                          {"exe", Program},
                          {"dir", Rules.SourceFolder}}),
        path(C, ".build-out"), path(C, ".build-log")));
    Building.push_back(&C);
  }
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
    }
  }
  return llvm::Error::success();
}

/// Does what a run printed say that others hold the GPU, or its memory? They may
/// do so for a moment.
static bool isTaken(llvm::StringRef Printed) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"busy", "unavailable",
                                                      "out of memory"},
                      [&](llvm::StringRef Word) {
                        return Printed.contains_insensitive(Word);
                      });
}

Ending Contest::runOnce(Contender &C, TimedOutput &Out) {
  Command Run = Command::shell(
      Rules.Run.fill(
          {{"exe", Programs[C.Text]}, {"dir", Rules.SourceFolder}}),
      path(C, ".out"), path(C, ".log"));
  Ending End;
  for (double Wait : {0.0, 0.5, 2.0}) {
    pause(Wait);
    End = runCommands(Run, 1, Rules.RunSeconds, [](size_t) {}).front();
    if (End.How != Ending::Failure ||
        !isTaken(textOf(Run.Log) + textOf(Run.Output)))
      break;
  }
  Out = Rules.Reader.read(textOf(Run.Output));
  return End;
}

void Contest::takeTurn(Contender &C, llvm::StringRef Wanted, bool Counts) {
  TimedOutput Out;
  Ending End = runOnce(C, Out);
  if (End.How == Ending::Interrupted)
    return;
  if (End.How != Ending::Success)
    C.Failure = failure("run", End, textOf(path(C, ".log")));
  else if (C.SameOutput && Out.Rest != Wanted)
    C.Failure = "its output differs: " + firstDifference(Wanted, Out.Rest);
  else if (!Out.Time)
    C.Failure = "it printed no time";
  else if (Counts)
    C.Times.push_back(*Out.Time);
}

llvm::Error Contest::run(llvm::MutableArrayRef<Contender> All,
                         Progress &Shown) {
  if (llvm::Error Bad = build(All, Shown))
    return Bad;
  if (InterruptScope::interrupted())
    return llvm::Error::success();
  Contender &Original = All.front();
  if (!Original.Failure.empty())
    return contestError("the original cannot be measured: " + Original.Failure);
  TimedOutput First;
  Ending End = runOnce(Original, First);
  if (End.How == Ending::Interrupted)
    return llvm::Error::success();
  if (End.How != Ending::Success)
    return contestError("the original cannot be measured: " +
                        failure("run", End, textOf(path(Original, ".log"))));
  if (!First.Time)
    return contestError(
        "the program printed no time; time its kernel with <kpipe/timing.h>, "
        "or say with --time-regex which number of its output is one");
  Shown.finished("ran " + Original.Name);

  // Round 0 warms up and compares.
  for (unsigned Round = 0; Round <= Rules.Rounds; ++Round)
    for (size_t I = 0; I != All.size(); ++I) {
      // Another one first in each round: nobody always follows the same.
      Contender &C = All[(I + Round) % All.size()];
      if (InterruptScope::interrupted())
        return llvm::Error::success();
      if (C.Failure.empty())
        takeTurn(C, First.Rest, Round > 0);
      if (!Original.Failure.empty())
        return contestError(
            "the original cannot be measured: in another run of it " +
            Original.Failure +
            "; name lines that change with --ignore-regex");
      Shown.finished("round " + std::to_string(Round) + " of " +
                     std::to_string(Rules.Rounds) + ": " + C.Name);
    }
  return llvm::Error::success();
}

} // namespace kpipe
