// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages of a ring have the low bits of their addresses in common only if they
// are far enough apart. See UseChecks.h.
#include "UseChecks.h"
#include "Validation/Storage/WordsOfAddresses.h"

using namespace clang;

namespace kpipe {

/// The widest pattern by which rows are swizzled, hardware's own included.
static constexpr uint64_t Pattern = 1024;

std::optional<OrderViolation> UseChecks::checkBits() const {
  for (const StagedBuffer &B : Loop.Buffers) {
    if ((B.Block ? Loop.stageAlignment() : B.Bytes) % Pattern == 0)
      continue;
    // An mbarrier of the author's is waited for by its address, and an answer
    // that assembly gives is none of its bits.
    if (Loop.Bulk && Loop.Bulk->barrier(B.Var))
      continue;
    WordsOfAddresses Words(B, Of.In, nullptr);
    if (const Stmt *Asks = Words.bitsIn(Loop.Loop)) {
      Access A;
      A.Outer = Asks;
      return Of.violation(A, A,
                          {msg::order_address_bits, B.Var->getNameAsString()});
    }
  }
  return std::nullopt;
}

} // namespace kpipe
