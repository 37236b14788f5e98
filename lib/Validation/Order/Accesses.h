// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a piece of code reads and writes, and where block barriers stand in it:
// the validators' own walk, apart from lib/Code/Effects. Callees are
// entered; what is not known reads and writes anything.
#ifndef KPIPE_VALIDATION_ACCESSES_H
#define KPIPE_VALIDATION_ACCESSES_H

#include "Validation/Storage/StorageRoots.h"
#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"
#include <memory>

namespace kpipe {

struct Access {
  Storage Where;
  bool Write = false;
  /// The expression that makes it, perhaps in a callee.
  const clang::Stmt *At = nullptr;
  /// The call in the code that is looked at, or At itself.
  const clang::Stmt *Outer = nullptr;
  /// Reached from the start of the code, and reaching its end, without passing
  /// a barrier.
  bool FromStart = true, ToEnd = true;
  /// Made by a caller: what the loop's function promises of its pointers says
  /// nothing of it.
  bool Outside = false;
};

struct Accesses {
  llvm::SmallVector<Access, 16> All;
  /// There is a way through the code that passes no barrier.
  bool Through = true;
  /// Some way passes one.
  bool HasBarrier = false;
};

/// Accesses of one statement or expression of the function of \p In.
Accesses accessesOf(const clang::Stmt *S, const CallFrame &In);

/// The control-flow graph of S, of which every expression and destructor is an
/// element; null if there is none or jumps lead in or out. \p Whole: S is the
/// body of \p In's function.
std::unique_ptr<clang::CFG> graphOf(const clang::Stmt *S, const CallFrame &In,
                                    bool Whole = false);
/// What one element of such a graph does, without its parts.
Accesses accessesOf(const clang::CFGElement &E, const CallFrame &In);

} // namespace kpipe

#endif // KPIPE_VALIDATION_ACCESSES_H
