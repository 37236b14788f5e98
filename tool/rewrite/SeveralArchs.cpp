// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `__CUDA_ARCH__` may give each architecture another tree, so there is one for
// each. Planning sees all architectures in each of them and comes to one form;
// where trees differ, a loop that is not pipelined alike in all is refused in
// all, and everything is made again without it.
#include "SeveralArchs.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

namespace kpipe {

namespace {

/// Places in order, so that results are the same every time.
using PlaceKey = std::tuple<std::string, unsigned, unsigned>;
PlaceKey keyOf(const Place &P) { return {P.File, P.Line, P.Column}; }

/// What became of the text at one place.
struct LoopAt {
  Place Where;
  bool Pipelined = false;
  /// Of the first that is there, of what is not pipelined if anything is not.
  const LoopOutcome *Shown = nullptr;
};

std::map<PlaceKey, LoopAt> loopsOf(const FileResult &Result) {
  std::map<PlaceKey, LoopAt> All;
  for (const LoopOutcome &Loop : Result.Outcome.Loops) {
    bool Pipelined = Loop.Verdict == LoopVerdict::Pipelined;
    auto [Entry, IsNew] = All.try_emplace(
        keyOf(Loop.Where), LoopAt{Loop.Where, Pipelined, &Loop});
    if (IsNew || Pipelined || !Entry->second.Pipelined)
      continue;
    Entry->second.Pipelined = false;
    Entry->second.Shown = &Loop;
  }
  return All;
}

bool sameForm(const LoopOutcome &A, const LoopOutcome &B) {
  const ArchReport &X = A.Report.Archs.front(), &Y = B.Report.Archs.front();
  return X.Form == Y.Form &&
         llvm::equal(X.Copies, Y.Copies,
                     [](const CopyReport &C, const CopyReport &D) {
                       return C.Array == D.Array && C.Way == D.Way;
                     });
}

bool sameTexts(const FileResult &A, const FileResult &B) {
  return llvm::equal(A.Files, B.Files,
                     [](const RewrittenFile &F, const RewrittenFile &G) {
                       return F.Path == G.Path && F.New == G.New;
                     });
}

class ForAllArchs {
public:
  explicit ForAllArchs(FileRequest Request) : Request(std::move(Request)) {}

  llvm::Expected<FileResult> run() {
    for (unsigned I = 0; I != archs().size(); ++I) {
      llvm::Expected<UnitResult> Unit = processUnit(Request, I);
      if (!Unit)
        return Unit.takeError();
      Units.push_back(std::move(*Unit));
    }
    for (bool Again = false;; Again = true) {
      Results.clear();
      for (UnitResult &Unit : Units) {
        llvm::Expected<FileResult> Result =
            Again ? rewriteAgain(Request, Unit) : checkedResult(Request, Unit);
        if (!Result)
          return Result.takeError();
        Results.push_back(std::move(*Result));
      }
      if (!vetoVerdicts() && !vetoTexts())
        return joined();
    }
  }

private:
  FileRequest Request;
  std::vector<UnitResult> Units;
  std::vector<FileResult> Results;

  llvm::ArrayRef<std::string> archs() const { return Request.Transform.Archs; }

  void veto(const Place &Where, Message Why) {
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = RuleId::Preprocessor;
    D.Where = Where;
    D.What = {msg::not_pipelined, std::move(Why)};
    Request.Transform.Vetoes.push_back({Where, std::move(D)});
  }

  /// Refuses loops that are pipelined for one architecture and not for another.
  bool vetoVerdicts() {
    bool Any = false;
    std::vector<std::map<PlaceKey, LoopAt>> Loops;
    for (const FileResult &Result : Results)
      Loops.push_back(loopsOf(Result));
    std::map<PlaceKey, Place> Pipelined;
    for (const auto &OfArch : Loops)
      for (const auto &[Key, Loop] : OfArch)
        if (Loop.Pipelined)
          Pipelined.try_emplace(Key, Loop.Where);
    for (const auto &[Key, Where] : Pipelined)
      for (unsigned I = 0; I != Loops.size(); ++I) {
        auto Found = Loops[I].find(Key);
        if (Found != Loops[I].end() && Found->second.Pipelined)
          continue;
        const LoopOutcome *Other =
            Found == Loops[I].end() ? nullptr : Found->second.Shown;
        if (Other && Other->Verdict == LoopVerdict::Refused) {
          Diagnostic Why = Other->Diagnostics.front();
          Why.Notes.push_back({Where, {msg::refused_on_arch, archs()[I]}});
          Request.Transform.Vetoes.push_back({Where, std::move(Why)});
        } else {
          veto(Where, {msg::arch_has_other_code, archs()[I]});
        }
        Any = true;
        break;
      }
    return Any;
  }

  /// Refuses loops for which two architectures would get different texts: those
  /// of other forms, else all, as no place tells which it is.
  bool vetoTexts() {
    for (unsigned I = 1; I != Results.size(); ++I) {
      if (sameTexts(Results[0], Results[I]))
        continue;
      std::map<PlaceKey, LoopAt> A = loopsOf(Results[0]),
                                 B = loopsOf(Results[I]);
      bool Any = false;
      for (bool All : {false, true}) {
        for (const auto &[Key, Loop] : A)
          if (Loop.Pipelined &&
              (All || !sameForm(*Loop.Shown, *B.at(Key).Shown))) {
            veto(Loop.Where,
                 {msg::archs_get_other_texts, archs()[0], archs()[I]});
            Any = true;
          }
        if (Any)
          return true;
      }
    }
    return false;
  }

  FileResult joined() {
    FileResult All = std::move(Results.front());
    for (FileResult &Other : llvm::drop_begin(Results)) {
      llvm::append_range(All.Outcome.Loops, Other.Outcome.Loops);
      llvm::append_range(All.Outcome.Instantiated,
                         Other.Outcome.Instantiated);
      llvm::append_range(All.Outcome.HeaderFunctions,
                         Other.Outcome.HeaderFunctions);
      llvm::append_range(All.Others, Other.Others);
      for (std::string &Path : Other.Dependencies)
        if (!llvm::is_contained(All.Dependencies, Path))
          All.Dependencies.push_back(std::move(Path));
    }
    return All;
  }
};

} // namespace

llvm::Expected<FileResult> rewriteForAll(FileRequest Request, bool Alone) {
  Request.Frontend.WillCheck = Alone;
  return ForAllArchs(std::move(Request)).run();
}

} // namespace kpipe
