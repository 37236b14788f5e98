// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's JSON both ways; what is wrong with a file is said with its place there.
#include "Profile.h"
#include "kpipe/FormJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <tuple>

namespace kpipe {

namespace json = llvm::json;

static constexpr int64_t Version = 2;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool fromJSON(const json::Value &V, ChosenForm &F, json::Path P) {
  json::ObjectMapper O(V, P);
  std::string Form;
  if (!O || !O.map("form", Form))
    return false;
  F.Original = Form == "original";
  if (!F.Original && Form != "pipelined") {
    P.field("form").report("want original or pipelined");
    return false;
  }
  bool Good = true;
  forEachField([&](const FormField &Field, auto Member) {
    const llvm::StringRef Key = jsonKey(Field);
    if (const json::Value *Given = V.getAsObject()->get(Key); Given && Good)
      Good = fromJson(*Given, F.Form.*Member, P.field(Key));
  });
  return Good;
}

static bool fromJSON(const json::Value &V, LoopChoice &C, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("function", C.Loop.Function) ||
      !O.map("loop", C.Loop.Ordinal) || !O.map("text", C.Loop.Text) ||
      !O.map("arch", C.Arch))
    return false;
  const json::Value *Form = V.getAsObject()->get("choice");
  if (Form)
    return fromJSON(*Form, C.Chosen, P.field("choice"));
  P.field("choice").report("missing value");
  return false;
}

/// What is not there or not as it should be is as good as not measured.
static std::vector<std::optional<double>> timesIn(const json::Object &From,
                                                  llvm::StringRef Key) {
  std::vector<std::optional<double>> Times;
  if (const json::Array *All = From.getArray(Key))
    for (const json::Value &V : *All)
      Times.push_back(V.getAsNumber());
  return Times;
}

static std::string textIn(const json::Object &From, llvm::StringRef Key) {
  return From.getString(Key).value_or("").str();
}

EarlierRuns Profile::earlierRuns(const LoopKey &Loop,
                                 llvm::StringRef Arch) const {
  EarlierRuns Earlier;
  for (auto [Choice, Value] : llvm::zip_equal(Choices, Entries)) {
    const json::Object &Entry = *Value.getAsObject();
    const json::Object *Setup = Entry.getObject("setup");
    const json::Array *Forms = Entry.getArray("forms");
    if (!(Choice.Loop == Loop) || Choice.Arch != Arch || !Setup || !Forms)
      continue;
    for (const auto &[Name, Text] : *Setup)
      if (Name != "output")
        Earlier.Setup.Commands.push_back(
            {Name.str(), Text.getAsString().value_or("").str()});
    llvm::sort(Earlier.Setup.Commands);
    Earlier.Setup.Output = textIn(*Setup, "output");
    for (const json::Value &V : *Forms) {
      const json::Object *Form = V.getAsObject();
      const json::Object *Runs = Form ? Form->getObject("runs") : nullptr;
      if (!Runs)
        continue;
      MeasuredRuns Known{textIn(*Runs, "source"), {}, timesIn(*Runs, "rounds")};
      for (std::optional<double> Time : timesIn(*Runs, "trials"))
        if (Time)
          Known.Trials.push_back(*Time);
      Earlier.Forms.push_back({std::move(Known), textIn(*Form, "failure")});
    }
  }
  return Earlier;
}

llvm::Expected<Profile> Profile::read(llvm::StringRef Path) {
  auto Fail = [&](const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + Path + "': " + Why);
  };
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return Fail("the profile cannot be read: " + Buffer.getError().message());
  llvm::Expected<json::Value> All = json::parse((*Buffer)->getBuffer());
  if (!All)
    return Fail("no profile of kpipe tune: " +
                llvm::toString(All.takeError()));
  json::Path::Root Root;
  json::Path Top(Root);
  int64_t Found = 0;
  json::ObjectMapper O(*All, Top);
  if (!O || !O.map("version", Found))
    return Fail("no profile of kpipe tune: " +
                llvm::toString(Root.getError()));
  if (Found != Version)
    return Fail("a profile of version " + llvm::Twine(Found) +
                ", and this kpipe reads version " + llvm::Twine(Version) +
                "; measure again with 'kpipe tune'");
  const json::Array *Loops = All->getAsObject()->getArray("loops");
  if (!Loops)
    return Fail("no profile of kpipe tune: it has no array 'loops'");
  Profile Read;
  for (auto [I, Entry] : llvm::enumerate(*Loops)) {
    LoopChoice C;
    if (!fromJSON(Entry, C, Top.field("loops").index(I)))
      return Fail("no profile of kpipe tune: " +
                  llvm::toString(Root.getError()));
    Read.Entries.push_back(Entry);
    Read.Choices.push_back(std::move(C));
  }
  return Read;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object toObject(const ChosenForm &F) {
  if (F.Original)
    return json::Object{{"form", "original"}};
  json::Object O{{"form", "pipelined"}};
  forEachField([&](const FormField &Field, auto Member) {
    if (const auto &Value = F.Form.*Member)
      O[jsonKey(Field)] = jsonFor(*Value);
    else if (Field.is(FormField::AlwaysInProfile))
      O[jsonKey(Field)] = wordFor(Value);
  });
  return O;
}

static json::Object toObject(const MeasuredRuns &R) {
  json::Array Rounds;
  for (std::optional<double> Time : R.Rounds)
    Rounds.push_back(Time ? json::Value(*Time) : json::Value(nullptr));
  return json::Object{{"source", R.Source},
                      {"trials", json::Array(R.Trials)},
                      {"rounds", std::move(Rounds)}};
}

static json::Object toObject(const MeasuringSetup &S) {
  json::Object O;
  for (const auto &[Name, Text] : S.Commands)
    O[Name] = json::fixUTF8(Text);
  if (!S.Output.empty())
    O["output"] = S.Output;
  return O;
}

static json::Object toObject(const FormResult &R) {
  json::Object O{{"asked", toObject(R.Asked)}, {"variant", R.Variant}};
  if (R.Made.Stages)
    O["stages"] = *R.Made.Stages;
  if (R.Made.Pad)
    O["padded"] = true;
  if (R.Planned)
    O["planned"] = true;
  if (!R.Failure.empty())
    O["failure"] = json::fixUTF8(R.Failure);
  if (!R.Skipped.empty())
    O["skipped"] = R.Skipped;
  if (!R.Runs.Source.empty())
    O["runs"] = toObject(R.Runs);
  if (const TimeSummary &T = R.Times; T.Rounds)
    O["times"] = json::Object{{"rounds", T.Rounds},
                              {"median", T.Median},
                              {"lowerQuartile", T.LowerQuartile},
                              {"upperQuartile", T.UpperQuartile},
                              {"fastest", T.Fastest},
                              {"slowest", T.Slowest}};
  return O;
}

double LimitTimes::efficiency() const {
  return Achieved > 0 ? std::max(Loads, Compute) / Achieved : 0;
}

void Profile::put(const TunedLoop &Loop) {
  const LoopChoice &C = Loop.Choice;
  json::Array Forms;
  for (const FormResult &R : Loop.Forms)
    Forms.push_back(toObject(R));
  json::Object Entry{{"function", C.Loop.Function},
                     {"loop", C.Loop.Ordinal},
                     {"text", C.Loop.Text},
                     {"arch", C.Arch},
                     {"file", Loop.File},
                     {"line", Loop.Line},
                     {"choice", toObject(C.Chosen)},
                     {"complete", Loop.Complete},
                     {"setup", toObject(Loop.Setup)},
                     {"forms", std::move(Forms)}};
  if (Loop.Limits)
    Entry["limits"] = json::Object{{"achieved", Loop.Limits->Achieved},
                                   {"loads", Loop.Limits->Loads},
                                   {"compute", Loop.Limits->Compute},
                                   {"efficiency", Loop.Limits->efficiency()}};
  auto Key = [](const LoopChoice &C) {
    return std::tie(C.Loop.Function, C.Loop.Ordinal, C.Arch);
  };
  for (auto [Known, Old] : llvm::zip(Choices, Entries))
    if (Key(Known) == Key(C)) {
      Known = C;
      Old = std::move(Entry);
      return;
    }
  Choices.push_back(C);
  Entries.push_back(std::move(Entry));
}

std::string Profile::json() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  json::OStream Out(OS, /*IndentSize=*/2);
  Out.object([&] {
    Out.attribute("version", Version);
    Out.attributeArray("loops", [&] {
      for (const json::Value &Entry : Entries)
        Out.value(Entry);
    });
  });
  OS << "\n";
  return Text;
}

} // namespace kpipe
