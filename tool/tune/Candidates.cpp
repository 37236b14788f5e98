// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks for every combination of the options and keeps those whose edits were
// not seen before: what the options mean is the planner's knowledge alone.
#include "Candidates.h"
#include "FormsToAsk.h"
#include "kpipe/Target.h"
#include "support/Interrupt.h"
#include "support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace kpipe {

/// A text that differs when the edits do.
static std::string editsOf(const UnitOutcome &Outcome) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const clang::tooling::AtomicChange &Change : Outcome.Changes)
    for (const clang::tooling::Replacement &R : Change.getReplacements())
      OS << R.getFilePath() << ":" << R.getOffset() << ":" << R.getLength()
         << ":" << R.getReplacementText() << "\n";
  return Text;
}

static const LoopOutcome *outcomeOf(const UnitOutcome &Outcome,
                                    const LoopKey &Key) {
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (Loop.Key == Key)
      return &Loop;
  return nullptr;
}

/// Every loop but one as it was written, and that one as the last choice says.
static std::vector<LoopChoice> oneAlone(const LoopOutcome &Loop,
                                        const UnitOutcome &Outcome,
                                        const std::string &Arch) {
  std::vector<LoopChoice> Choices;
  for (const LoopOutcome &Other : Outcome.Loops)
    if (!(Other.Key == Loop.Key))
      Choices.push_back({Other.Key, Arch, ChosenForm::original()});
  Choices.push_back({Loop.Key, Arch, {}});
  return Choices;
}

static MadeForm madeForm(const LoopForm &Asked, const ArchReport &Report) {
  MadeForm F;
  F.Asked.Form = Asked;
  F.Variant = describe(*Report.Routes).str();
  F.Made = Report.Form;
  F.Made.Pad = {};
  if (llvm::any_of(Report.Conflicts,
                   [](const ConflictReport &C) { return C.Padded; }))
    F.Made.Pad = Padding::IfFree;
  return F;
}

/// The forms of one loop, each text once.
static std::vector<MadeForm> formsOf(const LoopOutcome &Loop, UnitResult &Unit,
                                     const FileRequest &Request,
                                     llvm::ArrayRef<LoopForm> Asked) {
  TransformOptions Options = Request.Transform;
  Options.Choices = oneAlone(Loop, Unit.Outcome, Options.Archs.front());
  std::vector<MadeForm> Forms;
  std::map<std::string, size_t> Seen;
  bool AuthorUnrolls = false;
  Progress Shown(Asked.size());
  for (const LoopForm &Form : Asked) {
    if (InterruptScope::interrupted())
      break;
    Shown.finished("looking for forms of " + Loop.Key.Function);
    if (Form.Unroll == Unrolling::Never && !AuthorUnrolls)
      continue;
    Options.Choices->back().Chosen.Form = Form;
    UnitOutcome Outcome = transformAgain(Unit, Request, Options);
    const LoopOutcome *Mine = outcomeOf(Outcome, Loop.Key);
    if (!Mine || Mine->Verdict != LoopVerdict::Pipelined)
      continue;
    std::string Edits = editsOf(Outcome);
    const ArchReport &Report = Mine->Report.Archs.front();
    AuthorUnrolls = Mine->AuthorUnrolls;
    auto [Entry, IsNew] = Seen.try_emplace(Edits, Forms.size());
    if (IsNew) {
      Forms.push_back(madeForm(Form, Report));
      Forms.back().Kernels = Mine->Kernels;
    }
    if (Form == LoopForm())
      Forms[Entry->second].Planned = true;
  }
  return Forms;
}

std::vector<TunableLoop> findForms(UnitResult &Unit, const FileRequest &Request,
                                   unsigned MostStages) {
  llvm::Expected<const ArchLimits &> Limits =
      findArch(Request.Transform.Archs.front());
  if (!Limits) {
    llvm::consumeError(Limits.takeError());
    return {};
  }
  std::vector<LoopForm> Asked = formsToAsk(
      Limits->hasAsyncCopy(), Limits->Major >= 9, MostStages);
  std::vector<TunableLoop> Found;
  for (const LoopOutcome &Loop : Unit.Outcome.Loops) {
    if (InterruptScope::interrupted())
      break;
    bool Judged = Loop.Verdict == LoopVerdict::Pipelined ||
                  Loop.Verdict == LoopVerdict::Refused;
    bool Known = llvm::any_of(Found, [&](const TunableLoop &L) {
      return L.Key == Loop.Key; // an overload with the same text
    });
    if (!Judged || Known)
      continue;
    std::vector<MadeForm> Forms = formsOf(Loop, Unit, Request, Asked);
    if (!Forms.empty())
      Found.push_back({Loop.Key, Loop.Where, std::move(Forms)});
  }
  return Found;
}

} // namespace kpipe
