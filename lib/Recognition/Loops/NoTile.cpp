// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NoTile.h"
#include "Code/AstUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool loadsTo(const Effects &E, const VarDecl *V) {
  return E.readsGlobal() && E.Writes.count(V);
}

static bool readsArray(const Effects &E, const VarDecl *V) {
  return llvm::any_of(E.Memory, [&](const MemoryAccess &A) {
    return !A.Write && A.Root.Where == Space::Shared && A.Root.Var == V;
  });
}

Message whyNoTile(const LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers) {
  auto Stretch = [&](unsigned Item) {
    return llvm::count_if(Barriers, [&](unsigned B) { return B < Item; });
  };
  const unsigned Count = Facts.Items.size();
  for (unsigned I = 0; I != Count; ++I) {
    const Effects &E = Facts.Items[I];
    for (const MemoryAccess &A : E.Memory) {
      if (!A.Write || A.Root.Where != Space::Shared || !A.Root.Var)
        continue;
      const VarDecl *Array = A.Root.Var;
      bool Read = false;
      for (unsigned J = 0; J != Count; ++J)
        Read |= Stretch(J) == Stretch(I) && readsArray(Facts.Items[J], Array);
      for (const VarDecl *V : E.Exposed) {
        bool Here = false, Later = false;
        for (unsigned J = 0; J != Count; ++J)
          (J < I ? Here : Later) |= loadsTo(Facts.Items[J], V);
        if (Later && !Here)
          return {msg::tile_loaded_ahead, quoted(Array), quoted(V)};
        if (Here && Read)
          return {msg::tile_stored_beside_reads, quoted(Array)};
      }
    }
  }
  return msg::no_tile_is_loaded;
}

} // namespace kpipe
