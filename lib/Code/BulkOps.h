// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a statement does with the copy engine and the asynchronous tensor cores
// of sm_90: mbarriers, bulk and tensor copies, wgmma, the fences between. Goes
// through functions and members of the author's around one instruction or
// several, and knows libcu++'s by name. Sources: PTX ISA 8.7, "Asynchronous
// copy", "mbarrier", "Asynchronous Warpgroup Level Matrix Instructions". Knows no
// loops.
#ifndef KPIPE_CODE_BULKOPS_H
#define KPIPE_CODE_BULKOPS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace kpipe {

enum class BulkKind {
  Init,         ///< mbarrier.init, Number arrivals a phase
  Expect,       ///< expect_tx alone, Number bytes
  Arrive,       ///< one arrival
  CopyArrive,   ///< one of a thread's when its cp.async are there, `.noinc`
  CopyArriveOn, ///< the phase waits for these, and for its arrivals as before
  ArriveExpect, ///< both
  TensorCopy,   ///< from a tensor map to shared memory
  BulkCopy,     ///< Number bytes from global to shared memory
  Wait,         ///< for the phase of parity Number, or of Token
  Fence,        ///< fence.proxy.async, fence.mbarrier_init
  MatrixFence,
  Matrix, ///< wgmma.mma_async
  MatrixCommit,
  MatrixWait, ///< until at most Number groups are in flight
  Other       ///< asynchronous in a way that is not understood
};

struct BulkOp {
  BulkKind Kind = BulkKind::Other;
  /// In the code that was asked about: the assembly, or the outermost call.
  const clang::Stmt *At = nullptr;
  std::string Name; ///< the function or the opcode
  /// Places as that code names them, a pointer or an object; null where there
  /// is none, or where it cannot be told.
  const clang::Expr *Barrier = nullptr, *To = nullptr;
  /// Count, bytes, parity or groups, likewise.
  const clang::Expr *Number = nullptr;
  /// Wait: what an arrival gave, where the phase is not named by its parity.
  const clang::Expr *Token = nullptr;
  std::optional<int64_t> Value; ///< of Number, where it is constant
  /// What decides whether, or how often, it is done, outermost first: branches
  /// and bodies of loops around it, and jumps before it that may lead past it.
  llvm::SmallVector<const clang::Stmt *, 2> Around, Jumps;
  bool isConditional() const { return !Around.empty() || !Jumps.empty(); }
  /// Is this, which stands behind Other, done whenever Other was?
  bool follows(const BulkOp &Other) const;
  /// Matrix: variables that are added to, null where one cannot be told; and
  /// whether an operand is in registers that are read while it is in flight.
  llvm::SmallVector<const clang::Expr *, 1> Sums;
  bool RegisterOperand = false;

  bool copies() const {
    return Kind == BulkKind::TensorCopy || Kind == BulkKind::BulkCopy;
  }
  /// Hangs on copies that are not the copy engine's.
  bool ofThreadsCopies() const {
    return Kind == BulkKind::CopyArrive || Kind == BulkKind::CopyArriveOn;
  }
};

/// In the order of the source. Asks each call for its body.
llvm::SmallVector<BulkOp, 8> bulkOpsOf(const clang::Stmt *S,
                                       const clang::ASTContext &Context);

/// The variable that a place is, or begins at: of `&bar`, `bar`, `&x[0]`; null
/// if it cannot be told. Whole: it is the place's very beginning.
const clang::VarDecl *variableAt(const clang::Expr *Place,
                                 const clang::ASTContext &Context,
                                 bool *Whole = nullptr);

} // namespace kpipe

#endif // KPIPE_CODE_BULKOPS_H
