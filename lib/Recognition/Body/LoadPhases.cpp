// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loads as one, see LoadPhases.h. The second may be made with the first if
// nothing in between gives it a value, and nothing there uses its arrays.

#include "LoadPhases.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

struct Stretch {
  VarSet Stores;    ///< shared arrays
  VarSet Touches;   ///< shared arrays
  VarSet Exposed;   ///< variables that its stores read
  VarSet Changes;   ///< variables
  bool LoadsShared = false;
};

Stretch describe(const LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers,
                 unsigned From, unsigned To) {
  Stretch Out;
  for (unsigned I = 0; I != Facts.Items.size(); ++I) {
    const unsigned Number =
        llvm::count_if(Barriers, [&](unsigned B) { return B < I; });
    if (Number < From || Number >= To)
      continue;
    const Effects &E = Facts.Items[I];
    for (const MemoryAccess &A : E.Memory)
      if (A.Root.Where == Space::Shared && A.Root.Var) {
        Out.Touches.insert(A.Root.Var);
        if (A.Write)
          Out.Stores.insert(A.Root.Var);
      }
    if (E.writesShared()) {
      Out.Exposed.insert(E.Exposed.begin(), E.Exposed.end());
      Out.LoadsShared |= E.readsShared();
    }
    Out.Changes.insert(E.Writes.begin(), E.Writes.end());
  }
  return Out;
}

} // namespace

std::optional<Obstacle::Remark> asOneLoad(const LoopFacts &Facts,
                                          llvm::ArrayRef<unsigned> Barriers,
                                          unsigned First, unsigned Second) {
  const Stretch A = describe(Facts, Barriers, First, First + 1),
                Between = describe(Facts, Barriers, First + 1, Second),
                B = describe(Facts, Barriers, Second, Second + 1);
  auto meets = [](const VarSet &X, const VarSet &Y) {
    return llvm::any_of(X, [&](const VarDecl *V) { return Y.count(V); });
  };
  if (B.LoadsShared || B.Stores.empty() || meets(B.Exposed, Between.Changes))
    return std::nullopt;
  const SourceLocation Here = startOf(Facts.Tile.Body[Barriers[First]].S);
  for (const VarDecl *V : inOrder(B.Stores))
    if (A.Stores.count(V))
      return Obstacle::Remark{Here, {msg::load_into_own_array, quoted(V)}};
  if (meets(B.Stores, Between.Touches) || meets(B.Stores, A.Touches))
    return std::nullopt;
  return Obstacle::Remark{
      Here, {msg::load_before_first_barrier, quoted(inOrder(B.Stores).front())}};
}

bool mayFillShared(const LoopFacts &Facts) {
  VarSet Stored; // what is stored to shared memory is made of these
  llvm::SmallVector<bool, 16> Feeds(Facts.Items.size());
  for (bool More = true; More;) {
    More = false;
    for (auto [E, Known] : llvm::zip_equal(Facts.Items, Feeds)) {
      if (E.has(EventKind::AsyncCopy) || E.has(EventKind::UnknownCall) ||
          E.has(EventKind::UnknownAsm))
        return true;
      if (Known || !(E.writesShared() ||
                     llvm::any_of(E.Writes, [&](const VarDecl *V) {
                       return Stored.count(V);
                     })))
        continue;
      if (E.readsGlobal())
        return true;
      Known = More = true;
      Stored.insert(E.Exposed.begin(), E.Exposed.end());
    }
  }
  return false;
}

} // namespace kpipe
