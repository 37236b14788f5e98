// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one PTX instruction to an operation of the copy engine or of wgmma:
// private to what reads these. Knows no AST but the operands' expressions.
#ifndef KPIPE_CODE_BULKINSTRUCTIONS_H
#define KPIPE_CODE_BULKINSTRUCTIONS_H

#include "BulkAssembly.h"
#include "BulkOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// What operands are in the code that was asked about.
struct BulkOperands {
  /// Of `[%0]`; null if it cannot be told.
  llvm::function_ref<const clang::Expr *(llvm::StringRef)> Place;
  /// Fills in BulkOp::Number and Value.
  llvm::function_ref<void(BulkOp &, llvm::StringRef)> Number;
};

/// Do the copy engine and the tensor cores hear of it?
bool isOfEngine(const PtxInstruction &I);

/// Fills in what Op is, but not what wgmma adds to; Other if that is not
/// expected.
void readInstruction(BulkOp &Op, const PtxInstruction &I, BulkOperands Of);

} // namespace kpipe

#endif // KPIPE_CODE_BULKINSTRUCTIONS_H
