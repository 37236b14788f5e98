// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loads as one, see LoadPhases.h. The second may be made with the first if
// nothing in between gives it a value, and nothing there uses its arrays.

#include "LoadPhases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// Is a texture or a surface read in a statement or in what it calls? No effect
/// tells of it.
static bool readsTexture(const Stmt *S,
                         llvm::SmallPtrSetImpl<const FunctionDecl *> &Seen) {
  if (!S)
    return false;
  if (const auto *C = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *F = C->getDirectCallee()) {
      const IdentifierInfo *Name = F->getIdentifier();
      if (Name && (Name->getName().starts_with("tex") ||
                   Name->getName().starts_with("surf")))
        return true;
      const FunctionDecl *Written = nullptr;
      if (F->hasBody(Written) && Seen.insert(Written).second &&
          readsTexture(Written->getBody(), Seen))
        return true;
    }
  return llvm::any_of(S->children(), [&](const Stmt *Kid) {
    return readsTexture(Kid, Seen);
  });
}

bool mayFillShared(const LoopFacts &Facts) {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  if (readsTexture(Facts.Tile.Loop, Seen))
    return true;
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
