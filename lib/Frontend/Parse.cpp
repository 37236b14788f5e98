// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's public face: parse a file, and check that a changed text
// still parses. It must not know loops.
#include "ChangedRest.h"
#include "Embedded.h"
#include "Input.h"
#include "Instantiate.h"
#include "Run.h"
#include "kpipe/NamedInstances.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

namespace kpipe {

struct ParsedUnit::Impl {
  CommandLine Line;
  std::string Text;
  /// Put behind the text, for --instantiate.
  std::string Appendix;
  Describe Answerer = nullptr;
  bool WillCheck = false;
  /// Of other files than the main one, where they are not as on disk.
  llvm::StringMap<std::string> OtherTexts;
  std::unique_ptr<Run> Parsed;

  /// Parses Text.
  llvm::Error parse();
};

llvm::Error ParsedUnit::Impl::parse() {
  // Nothing above the first shared array is likely to change but for an
  // inserted include; without one, nothing at all will.
  std::optional<unsigned> SnapshotLimit;
  if (size_t Shared = Text.find("__shared__");
      WillCheck && Shared != std::string::npos)
    SnapshotLimit = Shared;
  llvm::StringMap<std::string> Texts = OtherTexts;
  Texts[Line.File] = Text + Appendix;
  llvm::Expected<std::unique_ptr<Run>> Done =
      runParser(Line, Texts, SnapshotLimit, Answerer);
  if (!Done)
    return Done.takeError();
  Parsed = std::move(*Done);
  return llvm::Error::success();
}

ParsedUnit::ParsedUnit(std::unique_ptr<Impl> I) : I(std::move(I)) {}
ParsedUnit::~ParsedUnit() = default;

clang::ASTContext &ParsedUnit::context() {
  return I->Parsed->Compiler->getASTContext();
}

llvm::ArrayRef<ParseError> ParsedUnit::errors() const {
  return I->Parsed->Errors.Errors;
}

llvm::ArrayRef<clang::SourceRange> ParsedUnit::skipped() const {
  return I->Parsed->Action->Skipped;
}

llvm::StringRef ParsedUnit::mainFile() const { return I->Line.File; }
llvm::StringRef ParsedUnit::mainText() const { return I->Text; }

bool ParsedUnit::usesOwnDeclarations() const {
  return I->Line.OwnDeclarations;
}

llvm::ArrayRef<std::string> ParsedUnit::unknownFlags() const {
  return I->Line.UnknownFlags;
}
llvm::ArrayRef<std::string> ParsedUnit::arguments() const {
  return I->Line.Arguments;
}

llvm::ArrayRef<std::string> ParsedUnit::codeFlags() const {
  return I->Line.CodeFlags;
}
llvm::StringRef ParsedUnit::directory() const { return I->Line.Directory; }

std::vector<std::string> ParsedUnit::dependencies() const {
  const clang::SourceManager &SM =
      I->Parsed->Compiler->getASTContext().getSourceManager();
  std::set<std::string> Others;
  auto Add = [&](llvm::SmallString<256> Name) {
    if (Name.starts_with(EmbeddedRoot) || Name == InstantiateFileName)
      return;
    if (!I->Line.Directory.empty())
      llvm::sys::path::make_absolute(I->Line.Directory, Name);
    // Clang's own paths hold `..` behind symbolic links.
    llvm::SmallString<256> Real;
    if (!llvm::sys::path::is_absolute(Name))
      llvm::sys::path::remove_dots(Name);
    else if (!llvm::sys::fs::real_path(Name, Real))
      Name = Real;
    if (Name != I->Line.File && llvm::sys::fs::exists(Name))
      Others.insert(Name.str().str());
  };
  for (auto F = SM.fileinfo_begin(); F != SM.fileinfo_end(); ++F)
    Add(F->first.getName());
  if (auto Reader = I->Parsed->Compiler->getASTReader(); I->Parsed->Headers)
    Reader->visitInputFiles(
        Reader->getModuleManager().getPrimaryModule(), /*IncludeSystem=*/true,
        /*Complain=*/false,
        [&](const clang::serialization::InputFile &Input, bool) {
          if (clang::OptionalFileEntryRef File = Input.getFile())
            Add(File->getName());
        });
  std::vector<std::string> All;
  if (I->Line.File != StandardInput)
    All.push_back(I->Line.File);
  All.insert(All.end(), Others.begin(), Others.end());
  return All;
}

bool ParsedUnit::declaresAnything() const {
  const clang::ASTContext &Context = I->Parsed->Compiler->getASTContext();
  const clang::SourceManager &SM = Context.getSourceManager();
  return llvm::any_of(
      Context.getTranslationUnitDecl()->noload_decls(), [&](const clang::Decl *D) {
        return !D->isImplicit() && !D->isInvalidDecl() &&
               !llvm::isa<clang::EmptyDecl>(D) &&
               SM.isInMainFile(SM.getExpansionLoc(D->getLocation()));
      });
}

/// The first error of Now that is not, as often, among Before. Places do not
/// count: a rewrite moves them.
static const ParseError *firstNewError(llvm::ArrayRef<ParseError> Now,
                                       llvm::ArrayRef<ParseError> Before) {
  llvm::StringMap<unsigned> Known;
  for (const ParseError &E : Before)
    ++Known[E.Message];
  for (const ParseError &E : Now)
    if (Known[E.Message]-- == 0)
      return &E;
  return nullptr;
}

llvm::Expected<ParsedAgain>
ParsedUnit::parseAgain(const llvm::StringMap<std::string> &NewTexts,
                       llvm::StringRef Question) {
  auto Main = NewTexts.find(I->Line.File);
  std::unique_ptr<Snapshot> &Waiting = I->Parsed->Action->Taken;
  if (Waiting && NewTexts.size() == 1 && Main != NewTexts.end()) {
    std::optional<std::string> Rest = changedRest(
        I->Text, Main->second + I->Appendix, Waiting->offset(), I->Line.File);
    std::optional<Snapshot::Reply> Reply;
    if (Rest)
      Reply = Waiting->parseRest(*Rest, Question);
    if (Rest && !Reply)
      Waiting.reset();
    if (Reply && !firstNewError(Reply->Errors, errors().drop_front(
                                                   Waiting->errorsBefore())))
      return ParsedAgain{std::nullopt, std::move(Reply->Answer)};
    // An error there may come from the shortcut; the whole file decides.
  }

  llvm::StringMap<std::string> Texts = NewTexts;
  Texts.try_emplace(I->Line.File, I->Text);
  for (const auto &[Name, Text] : I->OtherTexts)
    Texts.try_emplace(Name, Text);
  Texts[I->Line.File] += I->Appendix;
  llvm::Expected<std::unique_ptr<Run>> Again =
      runParser(I->Line, Texts, std::nullopt, nullptr);
  if (!Again)
    return Again.takeError();
  ParsedAgain Result;
  if (const ParseError *E = firstNewError((*Again)->Errors.Errors, errors()))
    Result.Error = *E;
  else if (I->Answerer)
    Result.Answer =
        I->Answerer((*Again)->Compiler->getASTContext(), Question);
  return Result;
}

std::optional<llvm::StringRef>
ParsedUnit::knownText(llvm::StringRef File) const {
  if (File == I->Line.File)
    return I->Text;
  auto Known = I->OtherTexts.find(File);
  if (Known == I->OtherTexts.end())
    return std::nullopt;
  return Known->second;
}

/// In front of all text, as lines stay where they are.
static void includeRuntime(std::vector<std::string> &Arguments) {
  const std::string Folder = EmbeddedRuntime.str() + "/kpipe/";
  // Behind the program's name: flags come before the file.
  Arguments.insert(
      std::prev(Arguments.end()),
      {"-include", Folder + "pipeline.h", "-include", Folder + "tile_map.h"});
}

llvm::Expected<std::unique_ptr<ParsedUnit>>
ParsedUnit::withTexts(const llvm::StringMap<std::string> &Texts,
                      bool WithRuntime) const {
  auto Other = std::make_unique<Impl>();
  Other->Line = I->Line;
  Other->Text = I->Text;
  Other->OtherTexts = I->OtherTexts;
  Other->Appendix = I->Appendix;
  Other->Answerer = I->Answerer;
  Other->WillCheck = I->WillCheck;
  if (WithRuntime)
    includeRuntime(Other->Line.Arguments);
  for (const auto &[Name, Text] : Texts)
    (Name == I->Line.File ? Other->Text : Other->OtherTexts[Name]) = Text;
  if (llvm::Error Bad = Other->parse())
    return std::move(Bad);
  return std::make_unique<ParsedUnit>(std::move(Other));
}

/// What Clang says of the variable that stands for an instantiation, as said of
/// the template.
static std::string aboutTemplate(llvm::StringRef Message) {
  if (Message.contains(InstanceName))
    return "no kernel template takes these arguments";
  return Message.str();
}

llvm::Expected<std::unique_ptr<ParsedUnit>>
parseUnit(llvm::StringRef File, llvm::StringRef Arch,
          const FrontendOptions &Options) {
  std::string AllFlags =
      llvm::join(Options.Flags, " ") + " " + llvm::join(Options.ExtraArgs, " ");
  bool IsCuda = llvm::StringRef(AllFlags).contains("-x cuda") ||
                llvm::StringRef(AllFlags).contains("-xcuda");
  llvm::Expected<std::string> Text =
      Options.InputText ? llvm::Expected<std::string>(*Options.InputText)
                        : readInput(File, IsCuda);
  if (!Text)
    return Text.takeError();
  if (llvm::Error Bad = checkInput(File, *Text))
    return std::move(Bad);
  llvm::Expected<CommandLine> Line = makeCommandLine(File, Arch, Options);
  if (!Line)
    return Line.takeError();

  auto I = std::make_unique<ParsedUnit::Impl>();
  I->Line = std::move(*Line);
  I->Text = std::move(*Text);
  I->Appendix = instantiationText(Options.Instantiate);
  I->Answerer = Options.Answerer;
  I->WillCheck = Options.WillCheck;
  if (llvm::Error Bad = I->parse())
    return std::move(Bad);
  for (const ParseError &E : I->Parsed->Errors.Errors)
    if (E.Where.File == InstantiateFileName)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "--instantiate='" + Options.Instantiate[E.Where.Line - 1] +
              "': " + aboutTemplate(E.Message) + " in '" + I->Line.File +
              "'; write it as 'kernel<arguments>'");
  return std::make_unique<ParsedUnit>(std::move(I));
}

} // namespace kpipe
