// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several rules ask of a loop, see Queries.h.

#include "Queries.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

SourceLocation placeOf(const MemoryAccess &A, const LoopFacts &F) {
  return startOf(A.At ? static_cast<const Stmt *>(A.At) : F.Tile.Loop);
}

Message named(const MemoryRoot &R) {
  if (R.Var && R.Indirect)
    return {msg::memory_reached_through, quoted(R.Var)};
  if (R.Var)
    return {msg::quoted_name, R.Var->getNameAsString()};
  return R.Where == Space::Shared   ? msg::shared_memory
         : R.Where == Space::Global ? msg::global_memory
                                    : msg::untraced_memory;
}

bool mayBeShared(const MemoryAccess &A) {
  return A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown ||
         A.Root.Assumed;
}

bool mayBeGlobal(const MemoryAccess &A) {
  return A.Root.Where == Space::Global || A.Root.Where == Space::Unknown;
}

bool within(const MemoryAccess &A, const Event &E) {
  return A.At &&
         E.At->getSourceRange().fullyContains(A.At->getSourceRange());
}

Effects beforeBarrier(const LoopFacts &F, bool AndLoad) {
  llvm::SmallVector<const Effects *, 16> Parts;
  bool Before = true;
  for (unsigned I = 0; I != F.Items.size(); ++I) {
    if (F.Tile.Body[I].S == F.Tile.LoadBarrier)
      Before = false;
    if (!F.Tile.Body[I].Barrier &&
        (Before || (AndLoad && F.Tile.Body[I].InLoad)))
      Parts.push_back(&F.Items[I]);
  }
  return inSequence(Parts);
}

bool isReported(const LoopFacts &F, SourceLocation Where) {
  return llvm::any_of(F.Obstacles, [&](const Obstacle &Found) {
    return Found.Where == Where && (Found.Rule == RuleId::CarriedShared ||
                                    Found.Rule == RuleId::LoadEffects);
  });
}

void addCure(Obstacle &Found, const Event &E) {
  if (!E.Name.empty())
    Found.Notes.push_back(
        {startOf(E.At), {msg::make_definition_visible, E.Name}});
}

} // namespace kpipe
