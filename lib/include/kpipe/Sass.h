// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine code of NVIDIA's GPUs as its disassemblers list it: from text to
// functions, instructions, basic blocks and loops. Covers what nvdisasm and
// cuobjdump print for sm_70 and newer. It must not know Clang, CUDA source or
// pipelines.
#ifndef KPIPE_SASS_H
#define KPIPE_SASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kpipe::sass {

/// One instruction, as `/*0ab0*/ @!P0 LDG.E.128 R4, [R2.64] ;`.
struct Instruction {
  uint64_t Address = 0; ///< bytes from the function's begin
  std::string Text;     ///< without address, encoding and semicolon
  /// "P0", "!UP1"; empty without one.
  std::string Predicate;
  /// With its modifiers: "LDGSTS.E.BYPASS.128".
  std::string Opcode;
  /// In the listing's order; "[R2.64+0x10]" is one.
  std::vector<std::string> Operands;

  /// The opcode without modifiers: "LDGSTS".
  llvm::StringRef mnemonic() const;
  /// Is one of the modifiers \p Name, e.g. "128"?
  bool hasModifier(llvm::StringRef Name) const;
  /// Its predicate is constantly false (`@!PT`): it does nothing.
  bool isDead() const { return Predicate == "!PT" || Predicate == "!UPT"; }
  /// Bytes that a load or a store moves for each thread, from the modifiers
  /// (`.U8` 1, `.U16` 2, none 4, `.64` 8, `.128` 16).
  unsigned accessBytes() const;
};

/// A run of 32-bit registers: `R4` and what follows it.
struct RegisterRange {
  unsigned First = 0, Count = 0;

  bool overlaps(const RegisterRange &Other) const {
    return First < Other.First + Other.Count &&
           Other.First < First + Count;
  }
};

/// General registers that an instruction writes; none for stores, branches and
/// what only sets predicates. Widths follow from the modifiers.
std::optional<RegisterRange> writtenRegisters(const Instruction &I);

/// General registers that an instruction mentions as a source. A range is one
/// register long where the listing does not tell how many are read.
llvm::SmallVector<RegisterRange, 4> readRegisters(const Instruction &I);

/// For a store to shared or global memory: the registers that hold the data.
std::optional<RegisterRange> storedRegisters(const Instruction &I);

/// Instructions that run one after the other.
struct Block {
  unsigned Begin = 0, End = 0; ///< indices of instructions, half open
  /// Indices of blocks; where a branch ends it, its targets come first.
  llvm::SmallVector<unsigned, 2> Successors;
  /// The nearest block that every path to this one goes through; itself for the
  /// entry, none for code that only calls reach.
  std::optional<unsigned> Dominator;
};

/// A natural loop.
struct Loop {
  unsigned Header = 0; ///< index of a block
  /// All blocks, those of inner loops too, in the order of an iteration: the
  /// header first, each block after those that lead to it.
  std::vector<unsigned> Blocks;
  /// Index of the loop that holds this one; empty if none does.
  std::optional<unsigned> Parent;
  /// How often the body runs each time the loop is entered, where constants in
  /// the code tell.
  std::optional<uint64_t> TripCount;

  bool contains(unsigned Block) const;
};

struct Function {
  std::string Name; ///< as the object file has it: mangled
  std::vector<Instruction> Instructions;
  /// In the order of addresses.
  std::vector<Block> Blocks;
  /// Outer loops come before those that they hold.
  std::vector<Loop> Loops;
};

struct Listing {
  std::string Target; ///< "sm_86" form; empty if the text does not tell
  std::vector<Function> Functions;
};

/// Reads a listing: what `nvdisasm -c` prints of a cubin, with labels, or
/// `cuobjdump -sass`, with addresses as targets. Lines that are neither
/// instructions nor labels nor begins of functions are passed over.
/// \returns an error of one line when the text holds no instruction, or when a
/// branch leads nowhere, as in a listing that was cut.
llvm::Expected<Listing> parseListing(llvm::StringRef Text);

} // namespace kpipe::sass

#endif // KPIPE_SASS_H
