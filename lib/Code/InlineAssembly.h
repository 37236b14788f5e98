// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inline PTX does, by opcode. Source: PTX ISA 8.7, "Instruction Set".
// Knows no AST: text in, effect out.
#ifndef KPIPE_CODE_INLINEASSEMBLY_H
#define KPIPE_CODE_INLINEASSEMBLY_H

#include "KnownFunctions.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// What one inline assembly statement does besides reading its inputs and
/// writing its outputs.
struct AsmEffect {
  CallKind Kind = CallKind::Pure; ///< Ordinary: an opcode that is not known
  std::string Opcode;             ///< the one that decided, for messages
  bool EndsThread = false; ///< has an `exit` or a `ret`
  bool Waits = false; ///< holds a barrier of the block or of a part of it
  bool ReadsShared = false;
  bool ReadsGlobal = false;
  /// Every global read is of memory that no thread writes (ld.global.nc).
  bool OnlyReadOnly = true;
  bool WritesShared = false;
  bool WritesGlobal = false;
  /// Of an unknown kind, but all that is unknown is wgmma: it reads shared
  /// memory asynchronously, and touches its outputs.
  bool OnlyMatrix = false;
};

/// \param Text the assembly template as written, with `%0` for operands.
AsmEffect classifyAsm(llvm::StringRef Text);

/// Does the text declare a register or a label that would be declared again
/// where the text stands twice in a kernel: outside of `{ }` and without `%=`?
bool declaresNames(llvm::StringRef Text);

/// The template without what says nothing to PTX: `//` up to the line's end and
/// what stands between `/*` and `*/`, which part words as a space does.
std::string withoutComments(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_CODE_INLINEASSEMBLY_H
