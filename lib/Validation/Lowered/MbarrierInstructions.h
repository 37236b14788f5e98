// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that is one operation at an mbarrier, as the validation reads
// it: text in, which operands have the barrier and the number out. Source: PTX
// ISA, "mbarrier". Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_MBARRIERINSTRUCTIONS_H
#define KPIPE_LIB_VALIDATION_MBARRIERINSTRUCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace kpipe {

struct BarrierInstruction {
  enum Kind {
    None, ///< not understood
    Nothing,
    Init,
    Arrive,
    ArriveOn,     ///< of the thread's copies
    ArriveBehind, ///< of the thread, when they are there
    Ask,          ///< whether a phase has ended; operand 0 says it
    Wait          ///< asks until it is so
  } Is = None;
  /// Operands of the statement. Number: a count, or a parity.
  unsigned Barrier = 0, Number = 0;
};

BarrierInstruction barrierInstruction(llvm::StringRef Assembly);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_MBARRIERINSTRUCTIONS_H
