// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules over all bodies of a loop, see LoopLegality.h.
#include "LoopLegality.h"
#include "Diagnostics.h"
#include "Legality/Legality.h"
#include "Recognition/Loops/UnseenInstances.h"
#include "Support/RuleSwitch.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace clang;

namespace kpipe {

/// What stands against one body.
/// \param Unseen that other bodies may exist, which nothing is known of.
static std::vector<Obstacle> obstaclesOf(const LoopFacts &Body,
                                         const Directives &Asked,
                                         const std::optional<Obstacle> &Unseen,
                                         const UnreadText &Unread) {
  std::vector<Obstacle> All;
  llvm::append_range(All, checkLegality(Body, Asked));
  // What cannot be edited is said of loops that would be.
  if (All.empty()) {
    auto Unreadable = Unread.obstacle(Body);
    if (!Unreadable)
      Unreadable = Unread.helperObstacle(Body);
    if (Unreadable)
      All.push_back(std::move(*Unreadable));
  }
  if (Body.IsTileLoop)
    llvm::erase_if(
        All, [](const Obstacle &F) { return ruleIsSwitchedOff(idOf(F.Rule)); });
  if (All.empty() && Unseen && !ruleIsSwitchedOff(idOf(Unseen->Rule))) {
    All.push_back(*Unseen);
    All.back().Notes.push_back(
        {Body.Tile.Loop->getBeginLoc(), {msg::assume_all_instances}});
  }
  return All;
}

std::vector<Diagnostic> whyNotLegal(const WrittenLoop &L,
                                    const Directives &Asked,
                                    const UnreadText &Unread,
                                    ASTContext &Context) {
  std::optional<Obstacle> Unseen;
  if (!Asked.AssumeAllInstances)
    Unseen = unseenPart(*L.Function, Context);
  // What speaks against some bodies only names the first of them.
  struct Found {
    Diagnostic D;
    const LoopFacts *Of, *Last;
    unsigned Bodies = 1;
  };
  std::vector<Found> All;
  for (const LoopFacts &B : L.Bodies)
    for (const Obstacle &F : obstaclesOf(B, Asked, Unseen, Unread)) {
      Diagnostic D = toDiagnostic(F, Context.getSourceManager());
      auto Known = llvm::find_if(All, [&](const Found &X) {
        return X.D.Rule == D.Rule && X.D.What == D.What &&
               X.D.Where.Line == D.Where.Line &&
               X.D.Where.Column == D.Where.Column;
      });
      if (Known == All.end())
        All.push_back({std::move(D), &B, &B});
      else if (std::exchange(Known->Last, &B) != &B)
        ++Known->Bodies;
    }
  std::vector<Diagnostic> Said;
  for (Found &F : All) {
    if (F.Bodies != L.Bodies.size())
      F.D.What = {msg::in_instantiation, F.D.What,
                  instantiationName(F.Of->Tile.Function)};
    Said.push_back(std::move(F.D));
  }
  return Said;
}

} // namespace kpipe
