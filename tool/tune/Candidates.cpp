// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks for every combination of the options and keeps those whose edits were
// not seen before: what the options mean is the planner's knowledge alone.
#include "Candidates.h"
#include "kpipe/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace kpipe {

/// The table of what may be asked for. An option that gives a loop another form
/// gets a member in LoopForm and a loop here.
static std::vector<LoopForm> formsToAsk(const ArchLimits &Arch,
                                        unsigned MostStages) {
  std::vector<LoopForm> All;
  for (bool Drop : {false, true})
    for (unsigned Stages = 1; Stages <= MostStages; ++Stages)
      for (LastTiles Last : {LastTiles::Peeled, LastTiles::Guarded})
        for (Variant Way : {Variant::Ldg, Variant::CpAsync, Variant::Auto}) {
          if (Way == Variant::CpAsync && (Stages == 1 || !Arch.hasAsyncCopy()))
            continue; // contradictions, which the options refuse
          LoopForm F;
          F.Copy = Way;
          F.Stages = Stages;
          F.Last = Last;
          F.AllowOccupancyDrop = Drop;
          F.Pad = Padding::Never;
          All.push_back(F);
          // Nothing new where no array is padded.
          F.Pad = Drop ? Padding::Always : Padding::Auto;
          All.push_back(F);
          F.Unroll = Unrolling::Never;
          All.push_back(F);
          F.Unroll = Unrolling::Stages;
          if (Stages > 1)
            All.push_back(F);
          F.Unroll = Unrolling::Compute;
          if (!Drop)
            All.push_back(F);
        }
  All.push_back(LoopForm()); // what is planned may be none of the above
  return All;
}

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

/// Does a pragma of the author's say how to unroll the loop that Edits write?
static bool saysHowToUnroll(llvm::StringRef Edits) {
  llvm::StringRef Below =
      Edits.split("// kpipe: pipelined").second.split('\n').second;
  return Below.ltrim().starts_with("#pragma unroll");
}

static const LoopOutcome *outcomeOf(const UnitOutcome &Outcome,
                                    const LoopKey &Key) {
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (Loop.Key == Key)
      return &Loop;
  return nullptr;
}

std::vector<TunableLoop> findForms(UnitResult &Unit, const FileRequest &Request,
                                   unsigned MostStages) {
  TransformOptions Options = Request.Transform;
  const std::string &Arch = Options.Archs.front();
  llvm::Expected<const ArchLimits &> Limits = findArch(Arch);
  if (!Limits) {
    llvm::consumeError(Limits.takeError());
    return {};
  }
  std::vector<LoopForm> Asked = formsToAsk(*Limits, MostStages);
  std::vector<TunableLoop> Found;
  for (const LoopOutcome &Loop : Unit.Outcome.Loops) {
    bool Judged = Loop.Verdict == LoopVerdict::Pipelined ||
                  Loop.Verdict == LoopVerdict::Refused;
    bool Known = llvm::any_of(Found, [&](const TunableLoop &L) {
      return L.Key == Loop.Key; // an overload with the same text
    });
    if (!Judged || Known)
      continue;
    Options.Choices.emplace();
    for (const LoopOutcome &Other : Unit.Outcome.Loops) {
      LoopForm Original;
      Original.Original = true;
      if (!(Other.Key == Loop.Key))
        Options.Choices->push_back({Other.Key, Arch, Original});
    }
    Options.Choices->push_back({Loop.Key, Arch, {}});
    TunableLoop T{Loop.Key, Loop.Where, {}};
    std::map<std::string, size_t> Seen;
    bool AuthorUnrolls = false;
    for (const LoopForm &Form : Asked) {
      if (Form.Unroll == Unrolling::Never && !AuthorUnrolls)
        continue;
      Options.Choices->back().Form = Form;
      UnitOutcome Outcome = transformAgain(Unit, Request, Options);
      const LoopOutcome *Mine = outcomeOf(Outcome, Loop.Key);
      if (!Mine || Mine->Verdict != LoopVerdict::Pipelined)
        continue;
      std::string Edits = editsOf(Outcome);
      const ArchReport &Report = Mine->Report.Archs.front();
      // Tiles that take turns in registers have a pragma of kpipe's own.
      bool TakeTurns = Report.Variant == "registers" && Report.Stages > 2;
      if (Form.Unroll == Unrolling::Keep && !TakeTurns)
        AuthorUnrolls = saysHowToUnroll(Edits);
      auto [Entry, IsNew] = Seen.try_emplace(Edits, T.Forms.size());
      if (IsNew)
        T.Forms.push_back(
            {Form, Report.Variant, Report.Stages, Report.Schedule == "guarded",
             llvm::any_of(Report.Conflicts,
                          [](const ConflictReport &C) { return C.Padded; })});
      if (Form == LoopForm())
        T.Forms[Entry->second].Planned = true;
    }
    if (!T.Forms.empty())
      Found.push_back(std::move(T));
  }
  return Found;
}

} // namespace kpipe
