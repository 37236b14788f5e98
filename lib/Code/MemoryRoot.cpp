// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory roots, see MemoryRoot.h.
#include "MemoryRoot.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

void addRoots(Roots &To, const Roots &From) {
  for (const MemoryRoot &R : From) {
    auto Same = llvm::find(To, R);
    if (Same == To.end()) {
      To.push_back(R);
      continue;
    }
    Same->Restrict &= R.Restrict;
    Same->Assumed |= R.Assumed;
    if (Same->Promise != R.Promise)
      Same->Promise = nullptr;
  }
}

MemoryRoot rootAt(Space Where, const VarDecl *V) {
  MemoryRoot R;
  R.Where = Where;
  R.Var = V;
  return R;
}

Roots temporaryRoots() { return {rootAt(Space::Local, nullptr)}; }

bool mayOverlap(const MemoryRoot &A, const MemoryRoot &B) {
  if (!A.Var || !B.Var || A.Var == B.Var)
    return true;
  // What a parameter points to has no name here, but may have one in the
  // function that the array is not declared in.
  auto Open = [](const VarDecl *V) {
    return isa<ParmVarDecl>(V) || V->hasExternalStorage() ||
           !V->isLocalVarDecl();
  };
  bool Given = isa<ParmVarDecl>(A.Var) || isa<ParmVarDecl>(B.Var);
  bool Extern = A.Var->hasExternalStorage() && B.Var->hasExternalStorage();
  if (!Given && !Extern)
    return false;
  return Open(A.Var) && Open(B.Var) && !A.Restrict && !B.Restrict;
}

} // namespace kpipe
