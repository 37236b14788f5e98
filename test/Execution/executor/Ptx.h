// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the text of an inline asm statement: instructions, their opcode words
// and operands. Knows no opcode's meaning.
#pragma once

#include "../include/executor_abi.h"

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kpipe::exec {

struct PtxInstruction {
  std::string Label; ///< all that a label is
  std::string Guard; ///< the predicate of "@p" and "@!p"
  bool GuardNot = false;
  std::string Opcode;             ///< with all its dots
  std::vector<std::string> Words; ///< the opcode split at dots
  /// "%3", a register's name, or a number; brackets and braces are gone.
  std::vector<std::string> Operands;

  /// Whether the opcode begins so. Polls ask this thousands of times: the
  /// length is known.
  template <std::size_t Size> bool is(const char (&Prefix)[Size]) const {
    return Opcode.size() >= Size - 1 &&
           std::memcmp(Opcode.data(), Prefix, Size - 1) == 0;
  }
  bool has(const char *Word) const;
};

/// `.reg` declarations and comments are dropped; names that stay are local
/// registers.
std::vector<PtxInstruction> parsePtx(const char *Text);

/// Values of operands while one statement runs.
class PtxOperands {
public:
  PtxOperands(KxOperand *Ops, unsigned Count) : Ops(Ops), Count(Count) {}
  std::uint64_t get(const std::string &Operand) const;
  void set(const std::string &Operand, std::uint64_t Value);
  /// Whether a name was set as a predicate, and not as a number.
  bool isPredicate(const std::string &Operand) const {
    return Predicates.count(Operand) != 0;
  }
  /// What get() was asked for and is neither a number nor was ever set.
  const std::string &unknown() const { return Unknown; }
  /// Of an output, or null.
  void *address(const std::string &Operand) const {
    KxOperand *O = find(Operand);
    return O ? O->Address : nullptr;
  }
  void setPredicate(const std::string &Operand, bool Value);

private:
  KxOperand *find(const std::string &Operand) const;
  KxOperand *Ops;
  unsigned Count;
  std::map<std::string, std::uint64_t> Registers;
  std::set<std::string> Predicates;
  mutable std::string Unknown;
};

/// "m16n8k16"; sscanf takes longer than the instruction.
bool readShape(const std::string &Word, unsigned &M, unsigned &N, unsigned &K);

/// setp of integers, selp, and integer add, sub, mul, shl and logic: what
/// addresses and predicates are made of. False if I is none of them.
bool computeScalar(const PtxInstruction &I, PtxOperands &V);
/// Logic of predicates, likewise.
bool computePredicate(const PtxInstruction &I, PtxOperands &V);
/// Prefetches and other hints, which change no result.
bool isHint(const PtxInstruction &I, PtxOperands &V);

/// The warp-wide instructions: ldmatrix and mma.sync.
struct WarpInstruction {
  const PtxInstruction *I;
  std::uint64_t In[32] = {}, Out[8] = {}; ///< 32-bit registers, one a slot
  unsigned Matrices = 0;
  bool Transposed = false;
  const unsigned char *Rows[32] = {}; ///< ldmatrix: the rows, lane by lane
};
/// KxCombine functions over WarpInstruction slots.
void combineLdmatrix(void **Slots, unsigned Mask);
void combineMma(void **Slots, unsigned Mask);
/// Numbers of 32-bit registers of A, B and C (= D); false if the shape or the
/// types have no stand-in.
bool mmaRegisters(const PtxInstruction &I, unsigned &A, unsigned &B,
                  unsigned &C);

} // namespace kpipe::exec
