// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule control-flow: nothing leaves load or compute midway, and no store of
// the loop changes what its condition reads, which is asked ahead.

#include "Apart.h"
#include "Queries.h"
#include "Rules.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Memory that the condition reads and the body may store.
static void storedCondition(const LoopFacts &F, Findings &Out) {
  Apart disjoint(F);
  for (const MemoryAccess &R : F.Header.Memory)
    for (const MemoryAccess &W : F.Body.Memory)
      if (!R.Write && !R.ReadOnly && mayBeGlobal(R) && (W.Write || W.Atomic) &&
          mayBeGlobal(W) && !disjoint(W.Root, R.Root)) {
        Out.push_back({RuleId::ControlFlow,
                       startOf(F.Tile.Cond),
                       msg::condition_reads_stored_memory,
                       {}});
        return;
      }
}

/// Does it skip all barriers of a turn? Under an `if` with the rest of it they
/// would be met by nobody knows whom.
static bool skipsBarriers(const LoopFacts &F, const Stmt *Jump) {
  const SourceManager &SM = F.In->context().getSourceManager();
  auto First =
      llvm::find_if(F.Tile.Body, [](const BodyItem &I) { return I.Barrier; });
  return First != F.Tile.Body.end() &&
         SM.isBeforeInTranslationUnit(Jump->getBeginLoc(),
                                      First->S->getBeginLoc());
}

void controlFlow(const LoopFacts &F, const Directives &Asked, Findings &Out) {
  if (F.Tile.Cond && !Asked.AssumeNoAlias)
    storedCondition(F, Out);
  for (const Event &E : F.Body.Events) {
    Message What, Cure;
    switch (E.Kind) {
    case EventKind::Return:
      What = msg::return_in_body;
      Cure = msg::return_elsewhere;
      break;
    case EventKind::Break:
      What = msg::break_in_body;
      Cure = msg::end_by_condition;
      break;
    case EventKind::Continue:
      What = msg::continue_in_body;
      Cure =
          skipsBarriers(F, E.At) ? msg::skip_by_loop : msg::skip_by_condition;
      break;
    case EventKind::Goto:
      What = msg::jump_in_body;
      break;
    default:
      continue;
    }
    Obstacle Found{RuleId::ControlFlow, startOf(E.At), What, {}};
    if (Cure)
      Found.Notes.push_back({startOf(E.At), Cure});
    Out.push_back(std::move(Found));
  }
}

} // namespace kpipe
