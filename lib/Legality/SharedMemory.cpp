// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules carried-shared, shared-escape and other-shared: what else than its
// load may touch the shared memory of a tile.

#include "Queries.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

void carriedShared(const LoopFacts &F, const Directives &, Findings &Out) {
  bool Scalar = llvm::any_of(F.Obstacles, [](const Obstacle &Found) {
    return Found.Rule == RuleId::CarriedScalar;
  });
  Effects Front = beforeBarrier(F, /*AndLoad=*/!Scalar);
  for (const MemoryAccess &R : Front.Memory) {
    if (R.Write || !mayBeShared(R) || isReported(F, placeOf(R, F)))
      continue;
    for (const MemoryAccess &W : F.Body.Memory) {
      if (!W.Write || !mayBeShared(W) || !mayOverlap(R.Root, W.Root))
        continue;
      Obstacle Found{RuleId::CarriedShared,
                     placeOf(R, F),
                     {R.Root.Assumed ? msg::load_may_read_what_loop_writes
                                     : msg::load_reads_what_loop_writes,
                      named(R.Root)},
                     {}};
      Found.Notes.push_back({placeOf(W, F), msg::written_here});
      Out.push_back(std::move(Found));
      return;
    }
  }
}

void sharedEscape(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    if (E.Kind != EventKind::UnknownCall)
      continue;
    for (const MemoryAccess &A : F.Body.Memory)
      if (within(A, E) && mayBeShared(A)) {
        Obstacle Found{RuleId::SharedEscape,
                       startOf(E.At),
                       {msg::passed_to_unknown, named(A.Root), E.Callee},
                       {}};
        addCure(Found, E);
        Out.push_back(std::move(Found));
        break;
      }
  }
}

void otherShared(const LoopFacts &F, const Directives &, Findings &Out) {
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    const BodyItem &Item = F.Tile.Body[I];
    if (Item.S == F.Tile.LoadBarrier)
      return;
    if (!Item.InCompute || Item.Barrier)
      continue;
    for (const MemoryAccess &R : F.Items[I].Memory) {
      const MemoryAccess *W =
          llvm::find_if(F.Body.Memory, [&](const MemoryAccess &W) {
            return W.Write && mayBeShared(W) && mayOverlap(W.Root, R.Root);
          });
      if (!mayBeShared(R) || W == F.Body.Memory.end())
        continue;
      Obstacle Found{RuleId::OtherShared,
                     placeOf(R, F),
                     {msg::read_before_barrier, named(R.Root)},
                     {}};
      Found.Notes.push_back({placeOf(*W, F), msg::written_here});
      Found.Notes.push_back({placeOf(R, F), msg::read_after_barrier});
      Out.push_back(std::move(Found));
      break;
    }
  }
}

} // namespace kpipe
