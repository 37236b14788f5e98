// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the front end's findings into diagnostics and calls the engine.
#include "Session.h"
#include "RemappedCopies.h"
#include "RestagedLoops.h"
#include "support/CrashGuard.h"
#include "support/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace kpipe {

/// How many passed-over errors are named; the rest is counted.
static constexpr size_t NamedErrors = 3;

static Diagnostic passedOver(llvm::ArrayRef<ParseError> Errors) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Rule = RuleId::PassedOver;
  D.Where = Errors.front().Where;
  D.What = Errors.size() == 1 ? Message(msg::ignored_parse_error)
                              : Message(msg::ignored_parse_errors,
                                        Errors.size());
  for (const ParseError &E : Errors.take_front(NamedErrors))
    D.Notes.push_back({E.Where, {msg::verbatim, E.Message}});
  if (Errors.size() > NamedErrors)
    D.Notes.back().What = {msg::and_more, D.Notes.back().What,
                           Errors.size() - NamedErrors};
  return D;
}

static std::string describe(const ParseError &E) {
  std::string Text;
  if (E.Where.Line)
    Text = (llvm::Twine(E.Where.File) + ":" + llvm::Twine(E.Where.Line) + ":" +
            llvm::Twine(E.Where.Column) + ": ")
               .str();
  return Text + E.Message;
}

llvm::Expected<UnitResult> processUnit(const FileRequest &Request,
                                       unsigned ArchIndex) {
  const std::string &File = Request.File;
  std::optional<Activity> Doing(std::in_place, Activity::Parsing, File);
  FrontendOptions Frontend = Request.Frontend;
  Frontend.Answerer = describeFunctions;
  llvm::Expected<std::unique_ptr<ParsedUnit>> Unit =
      parseUnit(File, Request.Transform.Archs[ArchIndex], Frontend);
  if (!Unit)
    return Unit.takeError();
  UnitResult Result;
  Result.Forms.push_back(std::make_unique<LoweredUnit>());
  Result.Unit = Result.Base = Unit->get();
  Result.Forms.front()->Unit = std::move(*Unit);
  Result.ArchIndex = ArchIndex;
  llvm::ArrayRef<ParseError> Errors = Result.Unit->errors();
  // Where a header is missing all else may come of that.
  if (!Errors.empty() && !Result.Unit->declaresAnything() &&
      llvm::none_of(Errors, [](const ParseError &E) { return E.MissingFile; }))
    return optionError("'" + File + "': nothing in it parses as CUDA, from " +
                       describe(Errors.front()) +
                       (isHeaderName(File)
                            ? "; it is a header: name a file that includes it, "
                              "and the header with --header-filter"
                            : "; check that it is CUDA source and that its "
                              "flags are given after '--'"));
  if (!Errors.empty() && Request.Strict)
    return optionError(describe(Errors.front()) + " (the first of " +
                       llvm::Twine(Errors.size()) + " in '" + File +
                       "'); mend it, give its flags after '--', or leave "
                       "--strict out");

  for (const std::string &Flag : Result.Unit->unknownFlags())
    Result.OfParse.push_back(
        {Severity::Warning,
         RuleId::UnknownFlag,
         {File, 0, 0},
         {msg::unknown_flag, Flag},
         {}});
  if (Result.Unit->usesOwnDeclarations())
    Result.OfParse.push_back({Severity::Remark,
                              RuleId::OwnDeclarations,
                              {File, 0, 0},
                              {msg::own_declarations_used},
                              {}});
  if (llvm::Error Bad = transformLowered(Result, Request, {}, ArchIndex))
    return std::move(Bad);
  if (!Errors.empty()) {
    Result.OfParse.push_back(passedOver(Errors));
    // Where no loop was found, any error may be the reason.
    Result.OfParse.back().Quiet =
        !Request.Verbose && !Result.Outcome.Loops.empty() &&
        llvm::all_of(Errors, [](const ParseError &E) { return E.HostOnly; });
  }
  return std::move(Result);
}

/// Line number Line of a text.
static llvm::StringRef lineOf(llvm::StringRef Text, unsigned Line) {
  for (; Line > 1; --Line)
    Text = Text.split('\n').second;
  return Text.split('\n').first;
}

/// Leaves out fixes at places that the author's text does not have: what is
/// transformed may have plain copies in some lines.
static void keepFixesOfAuthor(const UnitResult &Unit, Diagnostic &D) {
  auto IsAuthors = [&](const Insertion &I) {
    std::optional<llvm::StringRef> Now = Unit.Unit->knownText(I.Before.File);
    std::optional<llvm::StringRef> Then =
        Unit.author().knownText(I.Before.File);
    if (!Now && !Then)
      return true; // a header as it is on the disk
    return Now && Then && lineOf(*Now, I.Before.Line) ==
                              lineOf(*Then, I.Before.Line);
  };
  for (Note &N : D.Notes)
    llvm::erase_if(N.Fixes, [&](const Fix &F) {
      return !llvm::all_of(F.Edits, IsAuthors);
    });
}

std::vector<Diagnostic> UnitResult::others() const {
  std::vector<Diagnostic> All = OfParse;
  llvm::append_range(All, Outcome.Diagnostics);
  return All;
}

UnitOutcome transformAgain(UnitResult &Unit, const FileRequest &Request,
                           const TransformOptions &Options,
                           unsigned ArchIndex) {
  Activity Doing(Activity::Transforming, Request.File);
  TransformOptions Known = Options;
  Known.Asynchronous = Unit.Asynchronous;
  Known.KeptStaged = Unit.KeptStaged;
  Known.Restaged = Unit.ToRestage;
  UnitOutcome Outcome = transformedRemapped(Unit, Known, ArchIndex);
  if (Request.Verbose)
    for (LoopOutcome &Loop : Outcome.Loops)
      for (Diagnostic &D : Loop.Diagnostics)
        D.Quiet = false;
  if (Unit.Unit != &Unit.author())
    for (LoopOutcome &Loop : Outcome.Loops) {
      for (Diagnostic &D : Loop.Diagnostics)
        keepFixesOfAuthor(Unit, D);
      for (ArchReport &Arch : Loop.Report.Archs)
        for (Diagnostic &D : Arch.Reasons)
          keepFixesOfAuthor(Unit, D);
    }
  return Outcome;
}

std::string Findings::keyOf(const Place &P) {
  auto [Name, IsNew] = RealNames.try_emplace(P.File);
  llvm::SmallString<256> Real;
  if (IsNew)
    Name->second = llvm::sys::fs::real_path(P.File, Real) ? P.File
                                                          : Real.str().str();
  return (llvm::Twine(Name->second) + ":" + llvm::Twine(P.Line) + ":" +
          llvm::Twine(P.Column))
      .str();
}

bool Findings::isNew(const Diagnostic &D) {
  return Seen
      .insert((llvm::Twine(keyOf(D.Where)) + ":" +
               (D.Rule ? idOf(*D.Rule) : "") + ":" + D.What.str())
                  .str())
      .second;
}

void Findings::knowInstantiated(llvm::ArrayRef<Place> Functions) {
  for (const Place &P : Functions)
    Instantiated.insert(keyOf(P));
}

unsigned Findings::refused() const {
  auto Found = Count.find(LoopVerdict::Refused);
  return Found == Count.end() ? 0 : Found->second;
}

void Findings::add(const LoopOutcome &Loop) {
  // Other files may have other instantiations of it.
  std::string Key = keyOf(Loop.Report.Where) + "/" + Loop.Key.Function;
  if (Counted.insert(Key).second)
    ++(Loop.Verdict == LoopVerdict::Refused && Loop.Report.LoadsNoTile
           ? NoTile
           : Count[Loop.Verdict]);
  // Of one loop there is one report for each architecture and verdict.
  const ArchReport &First = Loop.Report.Archs.front();
  if (Seen.insert(Key + "/" + First.Arch + "/" +
                  std::to_string(int(Loop.Verdict)))
          .second)
    Loops.push_back(Loop.Report);
  for (const Diagnostic &D : Loop.Diagnostics)
    if (isNew(D))
      Diagnostics.push_back(D);
}

void Findings::add(const Diagnostic &Other) {
  if (Other.Rule == RuleId::NotInstantiated &&
      Instantiated.contains(keyOf(Other.Where)))
    return;
  if (!isNew(Other))
    return;
  Others.push_back(Other);
  Diagnostics.push_back(Other);
}

std::string countsOf(const Findings &Found, size_t Files, unsigned Failed) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << Files << (Files == 1 ? " file: " : " files: ");
  auto count = [&](LoopVerdict Verdict) {
    auto Known = Found.Count.find(Verdict);
    return Known == Found.Count.end() ? 0 : Known->second;
  };
  unsigned Pipelined = count(LoopVerdict::Pipelined);
  OS << Pipelined << (Pipelined == 1 ? " loop" : " loops") << " pipelined";
  const std::pair<unsigned, const char *> Others[] = {
      {count(LoopVerdict::Refused), " refused"},
      {count(LoopVerdict::AlreadyPipelined), " already pipelined"},
      {count(LoopVerdict::Off), " off"}};
  for (auto [Number, What] : Others)
    if (Number)
      OS << ", " << Number << What;
  if (Found.NoTile)
    OS << ", " << Found.NoTile << " no tile loop" << (Found.NoTile == 1 ? "" : "s");
  if (Failed)
    OS << "; " << Failed << (Failed == 1 ? " file" : " files") << " failed";
  return Text;
}

std::string Findings::json() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJson(OS, mergeReports(Loops), Others);
  return Text;
}

std::string Findings::sarif() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeSarif(OS, Diagnostics, KPIPE_VERSION);
  return Text;
}

bool Findings::broken() const {
  return llvm::any_of(Others, [](const Diagnostic &D) {
    return D.Level == Severity::Error;
  });
}

} // namespace kpipe
