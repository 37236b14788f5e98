// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly cut into instructions and operands. Text in, text out; which
// expression an operand is, is its reader's to ask.
#ifndef KPIPE_CODE_BULKASSEMBLY_H
#define KPIPE_CODE_BULKASSEMBLY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kpipe {

struct PtxInstruction {
  std::string Opcode;
  /// As written, `[%0]`, `{%1, %2}`, `p`.
  std::vector<std::string> Operands;
  bool Predicated = false;
};

/// Labels and declarations of registers are left out.
std::vector<PtxInstruction> readInstructions(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_CODE_BULKASSEMBLY_H
