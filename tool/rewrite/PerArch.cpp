// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PerArch.h. A result of each architecture alone was checked already; the
// joined text is parsed and compared once more for each.
#include "PerArch.h"
#include "ArchGuards.h"
#include "LineDirectives.h"
#include "ResultCheck.h"
#include "SeveralArchs.h"
#include "kpipe/Target.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace kpipe {
namespace {

/// Where functions stand, file by file.
class FunctionFinder {
public:
  FunctionFinder(clang::ASTContext &Context,
                std::map<std::string, GuardedLines> &Out)
      : SM(Context.getSourceManager()), Out(Out) {
    in(Context.getTranslationUnitDecl());
  }

private:
  const clang::SourceManager &SM;
  std::map<std::string, GuardedLines> &Out;

  void in(const clang::DeclContext *C) {
    for (const clang::Decl *D : C->noload_decls()) {
      const clang::Decl *Of = D;
      if (const auto *T = llvm::dyn_cast<clang::TemplateDecl>(D))
        if (T->getTemplatedDecl())
          Of = T->getTemplatedDecl();
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(Of))
        add(F, D->getSourceRange());
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                         clang::CXXRecordDecl>(Of))
        in(llvm::cast<clang::DeclContext>(Of));
    }
  }

  void add(const clang::FunctionDecl *F, clang::SourceRange Range) {
    if (!F->doesThisDeclarationHaveABody() || F->isImplicit())
      return;
    clang::SourceLocation Begin = SM.getExpansionLoc(Range.getBegin()),
                          End = SM.getExpansionRange(Range.getEnd()).getEnd();
    auto File = SM.getFileEntryRefForID(SM.getFileID(Begin));
    if (!File || SM.getFileID(Begin) != SM.getFileID(End))
      return;
    bool OnDevice = F->hasAttr<clang::CUDAGlobalAttr>() ||
                    F->hasAttr<clang::CUDADeviceAttr>();
    GuardedLines &Of = Out[File->getName().str()];
    LineRange Lines{SM.getExpansionLineNumber(Begin) - 1,
                    SM.getExpansionLineNumber(End)};
    if (!OnDevice)
      Of.Host.push_back(Lines);
    else
      Of.Device.push_back(
          {Lines, F->getIdentifier() ? F->getName().str() : std::string()});
  }
};

class ForEachArch {
public:
  explicit ForEachArch(const FileRequest &Request) {
    for (const std::string &Arch : Request.Transform.Archs) {
      Requests.push_back(Request);
      Requests.back().Transform.Archs = {Arch};
      Requests.back().LineDirectives = false;
    }
  }

  llvm::Error makeEach() {
    for (const FileRequest &Alone : Requests) {
      llvm::Expected<UnitResult> Unit = processUnit(Alone, 0);
      if (!Unit)
        return Unit.takeError();
      Units.push_back(std::move(*Unit));
      llvm::Expected<FileResult> Result = checkedResult(Alone, Units.back());
      if (!Result)
        return Result.takeError();
      Results.push_back(std::move(*Result));
    }
    return llvm::Error::success();
  }

  /// \returns an error, a reason in words, where one text cannot have all.
  llvm::Expected<std::vector<RewrittenFile>> joinedFiles() {
    if (llvm::Error Bad = compareHeaders())
      return std::move(Bad);
    // Of a file that an architecture leaves alone it has the author's text.
    std::vector<RewrittenFile> Files;
    for (const FileResult &Result : Results)
      for (const RewrittenFile &File : Result.Files)
        if (llvm::none_of(Files, [&](const RewrittenFile &F) {
              return F.Path == File.Path;
            }))
          Files.push_back(File);
    std::map<std::string, GuardedLines> Known = knownLines();
    for (RewrittenFile &File : Files) {
      std::string Name =
          File.IsHeader ? File.Path : Units.front().author().mainFile().str();
      std::vector<ArchText> Texts;
      for (unsigned I = 0; I != Results.size(); ++I)
        Texts.push_back({numberOf(Requests[I].Transform.Archs.front()),
                         textOf(Results[I], File)});
      llvm::Expected<GuardedText> New =
          guardedText(File.Old, Texts, Known[Name]);
      if (!New)
        return New.takeError();
      File.New = std::move(New->Text);
      if (New->Otherwise != File.Old)
        Otherwise[Name] = std::move(New->Otherwise);
    }
    if (llvm::Error Bad = check(Files))
      return std::move(Bad);
    return std::move(Files);
  }

  FileResult join(std::vector<RewrittenFile> Files) {
    sayWhereFormsDiffer();
    FileResult All = std::move(Results.front());
    All.Files = std::move(Files);
    for (FileResult &Other : llvm::drop_begin(Results)) {
      llvm::append_range(All.Outcome.Loops, Other.Outcome.Loops);
      llvm::append_range(All.Outcome.Instantiated, Other.Outcome.Instantiated);
      llvm::append_range(All.Outcome.HeaderFunctions,
                         Other.Outcome.HeaderFunctions);
      llvm::append_range(All.Others, Other.Others);
      for (std::string &Path : Other.Dependencies)
        if (!llvm::is_contained(All.Dependencies, Path))
          All.Dependencies.push_back(std::move(Path));
    }
    return All;
  }

private:
  std::vector<FileRequest> Requests; ///< one for each architecture
  std::vector<UnitResult> Units;
  std::vector<FileResult> Results;
  llvm::StringMap<std::string> Otherwise; ///< where no condition holds

  static llvm::Error refuse(const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), Why);
  }

  /// As `__CUDA_ARCH__` has it.
  static unsigned numberOf(llvm::StringRef Arch) {
    const ArchLimits &Limits = llvm::cantFail(findArch(Arch));
    return Limits.Major * 100 + Limits.Minor * 10;
  }

  static std::string textOf(const FileResult &Of, const RewrittenFile &File) {
    for (const RewrittenFile &F : Of.Files)
      if (F.Path == File.Path)
        return F.New;
    return File.Old;
  }

  std::map<std::string, GuardedLines> knownLines() {
    std::map<std::string, GuardedLines> Known;
    for (UnitResult &Unit : Units)
      FunctionFinder(Unit.author().context(), Known);
    for (const FileResult &Result : Results)
      for (const LoopOutcome &Loop : Result.Outcome.Loops)
        if (Loop.Where.Line && Loop.LastLine >= Loop.Where.Line)
          Known[Loop.Where.File].Whole.push_back(
              {Loop.Where.Line - 1, Loop.LastLine});
    return Known;
  }

  /// Other files of a run compare a header's loop with what it is here: that is
  /// one thing.
  llvm::Error compareHeaders() const {
    std::map<std::pair<std::string, unsigned>, bool> Pipelined;
    for (const FileResult &Result : Results)
      for (const LoopOutcome &Loop : Result.Outcome.Loops) {
        bool Mine = Loop.Verdict == LoopVerdict::Pipelined;
        auto [Known, _] =
            Pipelined.try_emplace({Loop.Where.File, Loop.Where.Line}, Mine);
        if (Known->second != Mine && Loop.Where.File != Result.MainFile)
          return refuse("the loop in line " + llvm::Twine(Loop.Where.Line) +
                        " of '" + Loop.Where.File +
                        "' is pipelined for some alone");
      }
    return llvm::Error::success();
  }

  llvm::Error check(llvm::ArrayRef<RewrittenFile> Files) {
    for (unsigned I = 0; I != Units.size(); ++I) {
      llvm::StringMap<std::string> NewTexts;
      for (const RewrittenFile &File : Files)
        if (File.New != File.Old)
          NewTexts[File.IsHeader ? File.Path
                                 : Units[I].Unit->mainFile().str()] = File.New;
      llvm::Expected<bool> Holds =
          ResultCheck(Requests[I], Units[I]).holds(Files, NewTexts);
      if (!Holds)
        return Holds.takeError();
      if (!*Holds)
        return refuse("with conditions around it, what " +
                      Requests[I].Transform.Archs.front() +
                      " gets could not be checked");
    }
    if (Otherwise.empty())
      return llvm::Error::success();
    llvm::Expected<ParsedAgain> Parsed = Units[0].Unit->parseAgain(Otherwise);
    if (!Parsed)
      return Parsed.takeError();
    if (Parsed->Error)
      return refuse("what the host would read does not compile: " +
                    Parsed->Error->Message);
    return llvm::Error::success();
  }

  /// A loop that is not told of alike for all says of which it is told.
  void sayWhereFormsDiffer() {
    using Key = std::pair<std::string, unsigned>;
    auto keyOf = [](const LoopOutcome &Loop) {
      return Key(Loop.Where.File, Loop.Where.Line);
    };
    auto whatOf = [](const LoopOutcome &Loop) {
      return Loop.Diagnostics.empty() ? std::string()
                                      : Loop.Diagnostics.front().What.str();
    };
    std::map<Key, std::map<std::string, std::vector<std::string>>> Said;
    for (unsigned I = 0; I != Results.size(); ++I)
      for (const LoopOutcome &Loop : Results[I].Outcome.Loops) {
        std::vector<std::string> &Archs = Said[keyOf(Loop)][whatOf(Loop)];
        const std::string &Arch = Requests[I].Transform.Archs.front();
        if (!llvm::is_contained(Archs, Arch))
          Archs.push_back(Arch);
      }
    for (FileResult &Result : Results)
      for (LoopOutcome &Loop : Result.Outcome.Loops) {
        const auto &Ways = Said[keyOf(Loop)];
        if (Ways.size() == 1)
          continue;
        std::string Archs = llvm::join(Ways.at(whatOf(Loop)), ", ");
        for (Diagnostic &D : Loop.Diagnostics)
          D.What = {msg::on_arch, D.What, Archs};
      }
  }
};

} // namespace

llvm::Expected<FileResult> rewriteForEach(FileRequest Request, bool Alone) {
  Request.Frontend.WillCheck = Alone;
  ForEachArch Each(Request);
  if (llvm::Error Bad = Each.makeEach())
    return std::move(Bad);
  llvm::Expected<std::vector<RewrittenFile>> Files = Each.joinedFiles();
  if (!Files) {
    llvm::errs() << "kpipe: '" + Request.File +
                        "': one form for all architectures: " +
                        llvm::toString(Files.takeError()) + "\n";
    return rewriteForAll(std::move(Request), Alone);
  }
  if (Request.LineDirectives)
    for (RewrittenFile &File : *Files)
      File.New = withLineDirectives(File.Path, File.Old, File.New);
  return Each.join(std::move(*Files));
}

} // namespace kpipe
