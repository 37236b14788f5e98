// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a piece of device code reads, writes and does: local variables by name,
// other memory by root, everything else as events. Goes through calls whose
// bodies are known. Knows nothing of loops to be pipelined.
#ifndef KPIPE_CODE_EFFECTS_H
#define KPIPE_CODE_EFFECTS_H

#include "KnownFunctions.h"
#include "Scope.h"
#include "kpipe/Message.h"
#include "kpipe/TileLoop.h"
#include <string>

namespace kpipe {

/// One access to memory that other threads may see (shared, global, unknown).
struct MemoryAccess {
  MemoryRoot Root;
  bool Write = false;
  bool Atomic = false;
  bool Volatile = false;
  /// Through __ldg or a kin of it: the memory is constant during the kernel.
  bool ReadOnly = false;
  /// Where in the analysed statement; for an access in a callee, the call.
  const clang::Expr *At = nullptr;
};

enum class EventKind {
  BlockBarrier,
  ValueBarrier,
  NamedBarrier,
  WarpSync,
  Fence,
  GridSync,
  AsyncCopy,
  KpipePrimitive,
  Output,
  Assertion,
  UnknownCall,
  UnknownAsm,
  Return,
  Break,
  Continue,
  Goto,
  Invalid ///< a recovery expression or an invalid declaration
};

struct Event {
  EventKind Kind;
  const clang::Stmt *At;
  std::string Name; ///< function or opcode; empty if it has none
  /// An UnknownCall as messages call it: `'f'`, `a destructor`.
  Message Callee;
  /// An UnknownAsm of which all that is unknown is wgmma.
  bool OnlyMatrix = false;
};

struct Effects {
  llvm::SmallVector<MemoryAccess, 8> Memory;
  llvm::SmallVector<Event, 4> Events;
  VarSet Reads;   ///< local variables read
  VarSet Writes;  ///< local variables written or declared
  VarSet Exposed; ///< read before they are surely written here
  VarSet Kills;   ///< surely written as a whole
  VarSet Declared;

  bool has(EventKind Kind) const;
  bool readsShared() const;
  bool writesShared() const;
  bool readsGlobal() const;
  bool writesGlobal() const;
  /// No event but warp-free computation and no store that others can see.
  bool isPure() const;
  /// A block barrier and nothing else.
  bool isOnlyBlockBarrier() const;
};

/// Types of the toolkit whose copies are spelled out but copy bits only.
bool copiesBits(const clang::CXXRecordDecl *R);

/// Effects of one statement or expression of the scope's function.
/// `break` and `continue` that stay inside S are not events.
Effects effectsOf(const clang::Stmt *S, const Scope &In);

/// Effects of several in sequence; kills of earlier ones hide later reads.
Effects inSequence(llvm::ArrayRef<const Effects *> Parts);

/// The variables in the order of the source. A set has none of its own, and what
/// is said of the first that is found must be the same in each run.
llvm::SmallVector<const clang::VarDecl *, 8> inOrder(const VarSet &Variables);

} // namespace kpipe

#endif // KPIPE_CODE_EFFECTS_H
