// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OtherWrites.h.
#include "OtherWrites.h"
#include "Code/Effects.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isQuiet(const Event &E) {
  return E.Kind == EventKind::BlockBarrier || E.Kind == EventKind::WarpSync ||
         E.Kind == EventKind::ValueBarrier || E.Kind == EventKind::Assertion;
}

static bool storesGlobally(const Effects &E) {
  return llvm::any_of(E.Memory, [](const MemoryAccess &A) {
    return (A.Write || A.Atomic || A.Volatile) &&
           A.Root.Where != Space::Shared && A.Root.Where != Space::Local;
  });
}

Message writesBefore(const LoopFacts &Facts) {
  const auto *Body = dyn_cast<CompoundStmt>(Facts.Tile.Function->getBody());
  if (!Body)
    return {msg::bulk_outer_loop};
  for (const Stmt *S : Body->body()) {
    const Stmt *Plain = S;
    while (const auto *A = dyn_cast<AttributedStmt>(Plain))
      Plain = A->getSubStmt();
    if (Plain == Facts.Tile.Loop)
      return llvm::any_of(Facts.Items, storesGlobally)
                 ? Message(msg::tma_writes_before)
                 : Message();
    const Effects E = effectsOf(S, *Facts.In);
    if (storesGlobally(E) || !llvm::all_of(E.Events, isQuiet))
      return {msg::tma_writes_before};
  }
  return {msg::bulk_outer_loop};
}

} // namespace kpipe
