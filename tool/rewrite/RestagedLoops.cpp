// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RestagedLoops.h. Which loops are asked for is known when the author's
// unit was transformed, as forms come from options, profiles and comments.
#include "RestagedLoops.h"
#include "LoweredCopies.h"
#include "kpipe/RestagedMeaning.h"
#include "kpipe/Restaging.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

/// Is a place on a line of one of those?
static bool isAmong(const Place &P, llvm::ArrayRef<Place> Some) {
  return llvm::any_of(Some, [&](const Place &Q) { return sameLine(P, Q); });
}

llvm::Error transformLowered(UnitResult &Unit, const FileRequest &Request,
                             llvm::ArrayRef<Place> LeaveAlone,
                             unsigned ArchIndex) {
  if (LeaveAlone.empty()) {
    Unit.ToRestage.clear();
    Unit.KeptStaged.clear();
  }
  for (;;) {
    if (llvm::Error Bad = lowerUnit(Unit, Request.Transform, LeaveAlone))
      return Bad;
    Unit.Outcome = transformAgain(Unit, Request, Request.Transform, ArchIndex);
    bool More = false;
    for (const LoopOutcome &Loop : Unit.Outcome.Loops) {
      if (!Loop.WantsRestage || isAmong(Loop.Where, LeaveAlone) ||
          llvm::any_of(Unit.ToRestage, [&](const RestagedLoop &R) {
            return sameLine(R.Where, Loop.Where);
          }))
        continue;
      Unit.ToRestage.push_back({Loop.Where, Loop.Key});
      More = true;
    }
    if (!More)
      return llvm::Error::success();
  }
}

void keepStaged(UnitResult &Unit, KeptStages Kept) {
  if (llvm::none_of(Unit.KeptStaged, [&](const KeptStages &K) {
        return sameLine(K.Where, Kept.Where);
      }))
    Unit.KeptStaged.push_back(std::move(Kept));
}

bool keepStagedInVain(UnitResult &Unit, const LoopOutcome &Loop) {
  if (llvm::none_of(Unit.Restaged,
                    [&](const Place &P) { return sameLine(P, Loop.Where); }))
    return false;
  Message Why = Loop.Diagnostics.empty() ? Message(msg::proof_code)
                                         : Loop.Diagnostics.front().What;
  keepStaged(Unit,
             {Loop.Where, {msg::restage_in_vain, std::move(Why)}, Loop.Where});
  return true;
}

/// The last loop above an error, else the first.
static NotRestaged blamedFor(const ParseError &Error,
                             llvm::ArrayRef<Place> Loops) {
  Place Found = Loops.front();
  for (const Place &P : Loops)
    if (P.Line <= Error.Where.Line && P.Line >= Found.Line)
      Found = P;
  return {Found, Found, {msg::result_does_not_compile, Error.Message}};
}

llvm::Expected<std::unique_ptr<ParsedUnit>>
withOneStage(UnitResult &Unit, const TransformOptions &Options,
             llvm::ArrayRef<Place> LeaveAlone, std::vector<Place> &Loops) {
  std::vector<Place> Asked;
  for (const RestagedLoop &R : Unit.ToRestage)
    if (!isAmong(R.Where, LeaveAlone) &&
        llvm::none_of(Unit.KeptStaged, [&](const KeptStages &K) {
          return sameLine(K.Where, R.Where);
        }))
      Asked.push_back(R.Where);
  while (!Asked.empty()) {
    Restaging New = restageLoops(Unit.author().context(), Options, Asked);
    for (KeptStages &K : New.Kept)
      keepStaged(Unit, std::move(K));
    Asked = std::move(New.Loops);
    if (Asked.empty())
      break;
    llvm::StringMap<std::string> Texts;
    for (const clang::tooling::AtomicChange &Change : New.Changes) {
      clang::tooling::ApplyChangesSpec Spec;
      Spec.Cleanup = false;
      auto Text = clang::tooling::applyAtomicChanges(
          Change.getFilePath(), Unit.author().mainText(), {Change}, Spec);
      if (!Text)
        return Text.takeError();
      Texts[Change.getFilePath()] = std::move(*Text);
    }
    auto Parsed = Unit.author().withTexts(Texts);
    if (!Parsed)
      return Parsed.takeError();
    std::vector<NotRestaged> Wrong;
    if ((*Parsed)->errors().size() > Unit.author().errors().size())
      Wrong.push_back(blamedFor((*Parsed)->errors().front(), Asked));
    else
      Wrong = findChangedByRestaging(Unit.author().context(),
                                     (*Parsed)->context(), Asked);
    if (Wrong.empty()) {
      Loops = std::move(Asked);
      return std::move(*Parsed);
    }
    for (NotRestaged &W : Wrong) {
      llvm::erase_if(Asked,
                     [&](const Place &P) { return sameLine(P, W.Loop); });
      keepStaged(
          Unit, {W.Loop, {msg::restage_not_proved, std::move(W.Why)}, W.Where});
    }
  }
  return std::unique_ptr<ParsedUnit>();
}

} // namespace kpipe
