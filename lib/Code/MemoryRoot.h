// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What storage is reached through: a variable, and what is known of the memory
// behind it.
#ifndef KPIPE_CODE_MEMORYROOT_H
#define KPIPE_CODE_MEMORYROOT_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

enum class Space { Local, Shared, Global, Constant, Unknown };

/// A variable that storage is reached through.
struct MemoryRoot {
  Space Where = Space::Unknown;
  /// The array or object itself (Local, Shared, Constant), or the pointer that
  /// global memory is reached through. Null when Unknown.
  const clang::VarDecl *Var = nullptr;
  /// Reached through a `__restrict__` pointer parameter of the function that
  /// is analysed.
  bool Restrict = false;
  /// Reached through a pointer that was itself loaded from memory.
  bool Indirect = false;
  /// Global as far as anyone can see, but nothing shows it: the parameter of a
  /// `__device__` function some of whose calls are not visible, or a pointer in
  /// memory where the unit's device code stores pointers itself.
  bool Assumed = false;
  /// A local `__restrict__` pointer on the way, which promises something for as
  /// long as it lives.
  const clang::VarDecl *Promise = nullptr;

  bool operator==(const MemoryRoot &O) const {
    return Where == O.Where && Var == O.Var && Indirect == O.Indirect;
  }
};

/// May two roots of shared memory be the same storage? Arrays have their own;
/// what parameters point to may be any other parameter's.
bool mayOverlap(const MemoryRoot &A, const MemoryRoot &B);

using Roots = llvm::SmallVector<MemoryRoot, 2>;

/// The same root by two ways keeps only what both of them promise.
void addRoots(Roots &To, const Roots &From);

MemoryRoot rootAt(Space Where, const clang::VarDecl *V);

/// A temporary: nothing else has a name for it.
Roots temporaryRoots();

} // namespace kpipe

#endif // KPIPE_CODE_MEMORYROOT_H
