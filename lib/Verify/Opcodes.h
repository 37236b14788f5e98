// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What opcodes of sm_70 to sm_121 compute, and how much. Private to Verify.
#ifndef KPIPE_LIB_VERIFY_OPCODES_H
#define KPIPE_LIB_VERIFY_OPCODES_H

#include "TileCode.h"

namespace kpipe {

/// The kind of arithmetic; None for moves, comparisons, memory, control.
ComputeKind computeKind(const sass::Instruction &I);

bool isSharedLoad(const sass::Instruction &I);
/// Do threads of a block wait for each other?
bool isBarrier(const sass::Instruction &I);

/// Operations per thread, a multiply-add counting two; 0 if not known, as for a
/// matrix instruction of an unknown shape.
unsigned operations(const sass::Instruction &I);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_OPCODES_H
