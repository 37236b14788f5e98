// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loop is to blame, see ResultCheck.h.
#include "ResultCheck.h"
#include "kpipe/LineDiff.h"
#include "kpipe/Validation.h"
#include "support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace kpipe {

static bool same(const Place &A, const Place &B) {
  return A.File == B.File && A.Line == B.Line && A.Column == B.Column;
}

std::vector<Place> ResultCheck::pipelined() const {
  std::vector<Place> All;
  for (const LoopOutcome &Loop : Unit.Outcome.Loops)
    if (Loop.Verdict == LoopVerdict::Pipelined)
      All.push_back(Loop.Where);
  return All;
}

void ResultCheck::veto(Place Where, Diagnostic Why) {
  Options.Vetoes.push_back({std::move(Where), std::move(Why)});
  Unit.Outcome = transformAgain(Unit, Request, Options, Unit.ArchIndex);
}

/// The line of the input that became a line of the result; both count from 1.
/// Of a changed part: its first.
static unsigned lineBefore(const RewrittenFile &File, unsigned Line) {
  int Shift = 0;
  for (const LineChange &C :
       diffLines(splitLines(File.Old), splitLines(File.New))) {
    if (Line - 1 < C.NewBegin)
      break;
    if (Line - 1 < C.NewEnd)
      return C.OldBegin + 1;
    Shift = int(C.OldEnd) - int(C.NewEnd);
  }
  return Line + Shift;
}

static Diagnostic unsupported(const Place &Where, const ParseError &Error) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Rule = RuleId::Unsupported;
  D.Where = Where;
  D.What = {msg::not_pipelined,
            Message(msg::result_does_not_compile, Error.Message)};
  return D;
}

/// Refuses the loop in whose text the error most likely lies: the last one that
/// begins at or above the line. Where that does not help, the others in turn.
llvm::Expected<bool>
ResultCheck::blame(const ParseError &Error,
                   llvm::ArrayRef<RewrittenFile> Files) {
  std::vector<Place> Loops = pipelined();
  if (Loops.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        llvm::Twine(Error.Where.File) + ":" + llvm::Twine(Error.Where.Line) +
            ":" + llvm::Twine(Error.Where.Column) + ": " + Error.Message);
  const RewrittenFile *File = &Files.front();
  for (const RewrittenFile &F : Files)
    if (F.Path == Error.Where.File)
      File = &F;
  unsigned Line = lineBefore(*File, Error.Where.Line);
  auto distance = [&](const Place &P) {
    // What stands above a loop belongs to the loop as well: declarations.
    return P.Line <= Line ? 2 * (Line - P.Line) : 2 * (P.Line - Line) + 1;
  };
  llvm::stable_sort(Loops, [&](const Place &A, const Place &B) {
    return distance(A) < distance(B);
  });
  // The same error in the text of another loop is one of its own.
  Place At{File->Path, Line, 0};
  if (Blamed == Error.Message && same(BlamedAt, At)) {
    // The last refusal did not help: that loop is not to blame, if another is.
    for (const Place &P : Loops)
      if (llvm::none_of(Suspects, [&](const Place &S) { return same(S, P); })) {
        Options.Vetoes.pop_back();
        Suspects.push_back(P);
        veto(P, unsupported(P, Error));
        return false;
      }
  }
  Blamed = Error.Message;
  BlamedAt = std::move(At);
  Suspects = {Loops.front()};
  veto(Loops.front(), unsupported(Loops.front(), Error));
  return false;
}

llvm::Expected<bool>
ResultCheck::holds(llvm::ArrayRef<RewrittenFile> Files,
                   const llvm::StringMap<std::string> &NewTexts) {
  if (NewTexts.empty())
    return true;
  // The loops of one body are checked together.
  std::map<const clang::FunctionDecl *, std::vector<const DeclaredLoop *>>
      ByBody;
  std::vector<const clang::FunctionDecl *> Bodies;
  std::vector<const DeclaredLoop *> All;
  std::map<const DeclaredLoop *, Place> PlaceOf;
  for (const LoopOutcome &Loop : Unit.Outcome.Loops)
    for (const std::shared_ptr<const DeclaredLoop> &D : Loop.Declared) {
      auto &Body = ByBody[D->Tile.Function];
      if (Body.empty())
        Bodies.push_back(D->Tile.Function);
      Body.push_back(D.get());
      All.push_back(D.get());
      PlaceOf[D.get()] = Loop.Where;
    }
  Activity Doing(Activity::Parsing, Request.File);
  llvm::Expected<ParsedAgain> Again =
      Unit.Unit->parseAgain(NewTexts, functionsToDescribe(All));
  if (!Again)
    return Again.takeError();
  if (Again->Error)
    return blame(*Again->Error, Files);
  Blamed.clear();
  DescribedFunctions Result(Again->Answer);
  for (const clang::FunctionDecl *F : Bodies)
    if (std::optional<ChangedMeaning> Changed = findChangedMeaning(
            Unit.Unit->context(), ByBody[F], All, Result)) {
      Place Where = PlaceOf[Changed->Loop];
      Changed->Why.Where = Where;
      veto(Where, std::move(Changed->Why));
      return false;
    }
  return true;
}

} // namespace kpipe
