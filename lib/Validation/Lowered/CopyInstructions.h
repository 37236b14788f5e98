// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of inline assembly that copies asynchronously, as the
// validation reads them. Source: PTX ISA, "Data Movement and Conversion
// Instructions: cp.async". Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_COPYINSTRUCTIONS_H
#define KPIPE_LIB_VALIDATION_COPYINSTRUCTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace kpipe {

struct CopyInstruction {
  enum Kind { Copy, Commit, WaitGroup, WaitAll } What = Copy;
  /// An operand of the statement by its number, or a value.
  struct Operand {
    std::optional<unsigned> Number;
    int64_t Value = 0;
  };
  unsigned To = 0, From = 0;
  Operand Bytes; ///< of a wait: groups that may be in flight behind it
  std::optional<Operand> Kept;
  std::optional<unsigned> Only; ///< the operand that is not 0 where it copies
};

/// \returns none where anything else is in the text.
std::optional<std::vector<CopyInstruction>>
readCopyInstructions(llvm::StringRef Assembly);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_COPYINSTRUCTIONS_H
