// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and promises, see Apart.h.

#include "Apart.h"

using namespace clang;

namespace kpipe {

/// The local variables that are alive in every iteration: declared by the loop
/// itself or, in front of it, in a block around it.
static bool aliveAt(const Stmt *Loop, const Stmt *Around, VarSet &Alive) {
  VarSet Here;
  for (const Stmt *Child : Around->children()) {
    if (!Child)
      continue;
    if (const auto *D = dyn_cast<DeclStmt>(Child))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          Here.insert(V);
    if (Around != Loop && aliveAt(Loop, Child, Alive)) {
      Alive.insert(Here.begin(), Here.end());
      return true;
    }
  }
  if (Around != Loop)
    return false;
  Alive.insert(Here.begin(), Here.end());
  return true;
}

Apart::Apart(const LoopFacts &F) {
  aliveAt(F.Tile.Loop, F.Tile.Function->getBody(), Alive);
}

bool Apart::operator()(const MemoryRoot &A, const MemoryRoot &B) const {
  if (!A.Var || !B.Var || A.Where == Space::Unknown ||
      B.Where == Space::Unknown || A.Var == B.Var)
    return false;
  // Two arrays with names of their own; what the pointers in them point to may
  // be the same.
  if (A.Var->getType()->isArrayType() && B.Var->getType()->isArrayType() &&
      !A.Indirect && !B.Indirect)
    return true;
  // Through one promising pointer both may be reached.
  if (A.Promise && A.Promise == B.Promise)
    return false;
  return promised(A, B) || promised(B, A);
}

/// A promise that says something of the whole loop. A parameter may have been
/// put where device code loads its pointers from.
bool Apart::promised(const MemoryRoot &A, const MemoryRoot &Other) const {
  return (A.Restrict && !(Other.Indirect && Other.Assumed)) ||
         (A.Promise && Alive.count(A.Promise));
}

} // namespace kpipe
