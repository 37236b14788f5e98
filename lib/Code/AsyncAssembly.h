// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that copies asynchronously, commits or waits: text in, which
// operand is what out. Source: PTX ISA 8.7, "Data Movement and Conversion
// Instructions: Asynchronous copy". Knows no AST.
#ifndef KPIPE_CODE_ASYNCASSEMBLY_H
#define KPIPE_CODE_ASYNCASSEMBLY_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace kpipe {

/// A number in an instruction, or the operand of the statement that gives it.
struct AsmNumber {
  std::optional<unsigned> Operand; ///< `%3`
  unsigned Value = 0;              ///< where it is no operand
};

struct AsyncInstruction {
  enum class Kind { Copy, Commit, WaitGroup, WaitAll };
  Kind What = Kind::Copy;
  /// Of a copy: operands of the addresses, and of what decides about it.
  unsigned To = 0, From = 0;
  AsmNumber Bytes;
  std::optional<AsmNumber> Kept;     ///< src-size: the rest is zeros
  std::optional<unsigned> Predicate; ///< copies only where it is not 0
  AsmNumber Groups;                  ///< that may stay in flight
};

/// \param Text the assembly template, with `%0` for operands.
/// \returns its instructions; none where there is any other instruction in it,
/// or one of these in another shape.
std::optional<std::vector<AsyncInstruction>>
readAsyncAssembly(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_CODE_ASYNCASSEMBLY_H
