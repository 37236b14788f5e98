// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandStagedLoops.h"
#include "ChosenForms.h"
#include "Diagnostics.h"
#include "Support/PlaceOf.h"
#include "Validation/Interpreter/BlockShapes.h"
#include "kpipe/HandStaged.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;

namespace kpipe {

static Message wayOf(RouteMix Routes) {
  switch (Routes) {
  case RouteMix::AsyncCopy:
    return msg::by_async;
  case RouteMix::Registers:
    return msg::by_registers;
  case RouteMix::Both:
    return msg::by_both;
  }
  llvm_unreachable("covered switch");
}

static Message stagesOf(unsigned Least, unsigned Most, RouteMix Routes) {
  const Message How = wayOf(Routes);
  if (Most == 1)
    return {msg::staged_one, How};
  if (Least == Most)
    return {msg::staged, Least, How};
  return {msg::staged_between, Least, Most, How};
}

/// Adds what no other instance said.
static void addMistakes(std::vector<Diagnostic> &To,
                        llvm::ArrayRef<Obstacle> Mistakes,
                        const SourceManager &SM) {
  for (const Obstacle &M : Mistakes) {
    Diagnostic D = about(M.Rule, placeOf(M.Where, SM), M.Why);
    for (const Obstacle::Remark &R : M.Notes)
      D.Notes.push_back({placeOf(R.Where, SM), R.What});
    if (llvm::none_of(To, [&](const Diagnostic &Old) {
          return Old.Rule == D.Rule && Old.Where.Line == D.Where.Line &&
                 Old.Where.File == D.Where.File;
        }))
      To.push_back(std::move(D));
  }
}

/// Do all bodies copy the tile that the same turn reads to their one buffer?
static bool hasOneBufferInFlight(const WrittenLoop &L,
                                 const KernelsOfLoops &Kernels) {
  return llvm::all_of(L.Bodies, [&](const LoopFacts &Body) {
    const FunctionDecl *F = Body.Tile.Function;
    BlockShapes Shapes = blockShapes(F, Kernels.blockOf(F).Size, std::nullopt);
    return !Shapes.empty() &&
           copiesToOnePlace(F, Body.Tile.Loop, *Body.In, Shapes.front());
  });
}

bool isStagedByHand(const WrittenLoop &L, const KernelsOfLoops &Kernels,
                    const SourceManager &SM, LoopOutcome &O) {
  std::vector<Diagnostic> Mistakes;
  unsigned Least = 0, Most = 0;
  std::optional<RouteMix> Routes;
  for (const LoopFacts &Body : L.Bodies) {
    const FunctionDecl *F = Body.Tile.Function;
    BlockShapes Shapes = blockShapes(F, Kernels.blockOf(F).Size, std::nullopt);
    if (Shapes.empty())
      return false;
    std::optional<StagedByHand> S =
        findStagedByHand(F, Body.Tile.Loop, *Body.In, Shapes.front());
    if (!S || (Routes && *Routes != S->Routes))
      return false;
    Routes = S->Routes;
    Least = Least ? std::min(Least, S->Stages) : S->Stages;
    Most = std::max(Most, S->Stages);
    addMistakes(Mistakes, S->Mistakes, SM);
  }
  if (!Routes)
    return false;
  const SourceLocation At = L.Bodies.front().Tile.Loop->getBeginLoc();
  O.Verdict = LoopVerdict::AlreadyPipelined;
  O.Diagnostics = {about(RuleId::AlreadyPipelined, placeOf(At, SM),
                         stagesOf(Least, Most, *Routes), Severity::Remark)};
  llvm::append_range(O.Diagnostics, std::move(Mistakes));
  return true;
}

void sayAsynchronous(const AsyncLoop &A, const WrittenLoop &L,
                     const KernelsOfLoops &Kernels, const SourceManager &SM,
                     LoopOutcome &O) {
  if (isStagedByHand(L, Kernels, SM, O))
    return;
  AsyncLoop Said = A;
  if (A.Staged && hasOneBufferInFlight(L, Kernels)) {
    Said.Staged = false;
    Said.Why = {msg::one_buffer_in_flight};
  }
  O.Diagnostics.push_back(asynchronous(Said));
  if (Said.Staged)
    O.Verdict = LoopVerdict::AlreadyPipelined;
}

void askToRestage(const TransformOptions &Options, const LoopForm &Asked,
                  llvm::ArrayRef<const ArchLimits *> Archs, LoopOutcome &O) {
  std::vector<Diagnostic> Said; // again of a loop that is planned
  LoopForm Form = Options.Form;
  if (const ChosenForm *Chosen = chosenForm(O, Options, Archs, Said))
    Form = overlay(Form, Chosen->Form);
  if (!overlay(Form, Asked).Restage || O.Diagnostics.empty())
    return;
  auto Kept = llvm::find_if(Options.KeptStaged, [&](const KeptStages &K) {
    return sameLine(K.Where, O.Where);
  });
  if (Kept == Options.KeptStaged.end())
    O.WantsRestage = true;
  else
    O.Diagnostics.front().Notes.push_back(
        {Kept->At, {msg::not_restaged, Kept->Why}});
}

} // namespace kpipe
