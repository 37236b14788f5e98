// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which general registers an instruction reads and writes, as far as its text
// tells. The listing names the first register of a run; how many follow is
// known from the modifiers.
#include "kpipe/Sass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe::sass {

/// "R12", "R12.reuse" and "-R12" name one; "UR4", "RZ" and "[R2]" do not.
static std::optional<unsigned> namedRegister(llvm::StringRef Operand) {
  Operand = Operand.ltrim("-~|!+");
  unsigned Number;
  if (!Operand.consume_front("R") || Operand.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

static bool isPredicate(llvm::StringRef Operand) {
  Operand.consume_front("!");
  Operand.consume_front("U");
  return Operand == "PT" || (Operand.size() == 2 && Operand[0] == 'P' &&
                             llvm::isDigit(Operand[1]));
}

static bool isMatrix(const Instruction &I) {
  return I.mnemonic().ends_with("MMA") && I.mnemonic() != "HFMA2";
}

/// Works on pairs of registers throughout.
static bool isDouble(const Instruction &I) {
  return I.mnemonic().starts_with("D") || I.mnemonic() == "FFMA2" ||
         I.mnemonic() == "FADD2" || I.mnemonic() == "FMUL2";
}

static unsigned writtenCount(const Instruction &I) {
  llvm::StringRef Name = I.mnemonic();
  if (Name == "LDSM")
    return I.hasModifier("4") ? 4 : I.hasModifier("2") ? 2 : 1;
  if (isMatrix(I)) // two rows of accumulators, packed where they are halves
    return I.hasModifier("F16") || I.hasModifier("8816") ? 2 : 4;
  if (Name == "CS2R")
    return I.hasModifier("32") ? 1 : 2;
  if (isDouble(I) || I.hasModifier("WIDE") || I.hasModifier("F64"))
    return 2;
  return std::max(1u, I.accessBytes() / 4);
}

/// The operand that is written; the number of operands if there is none.
static size_t destination(const Instruction &I) {
  // They only read what their first operand names.
  if (llvm::is_contained({"RET", "CALL", "WARPSYNC", "NANOSLEEP", "BRX", "FCHK"},
                         I.mnemonic()))
    return I.Operands.size();
  for (size_t Op = 0; Op < I.Operands.size() && Op < 2; ++Op) {
    if (namedRegister(I.Operands[Op]))
      return Op;
    // `SHFL.IDX PT, R5, …` and `ATOMG.ADD PT, R2, …` give a predicate first.
    if (!isPredicate(I.Operands[Op]))
      break;
  }
  return I.Operands.size();
}

std::optional<RegisterRange> writtenRegisters(const Instruction &I) {
  size_t Op = destination(I);
  if (Op == I.Operands.size())
    return std::nullopt;
  return RegisterRange{*namedRegister(I.Operands[Op]), writtenCount(I)};
}

llvm::SmallVector<RegisterRange, 4> readRegisters(const Instruction &I) {
  llvm::SmallVector<RegisterRange, 4> Read;
  size_t Written = destination(I);
  for (size_t Op = 0; Op != I.Operands.size(); ++Op) {
    if (Op == Written)
      continue;
    llvm::StringRef Text = I.Operands[Op];
    for (size_t At = Text.find('R'); At != llvm::StringRef::npos;
         At = Text.find('R', At + 1)) {
      if (At && (llvm::isAlnum(Text[At - 1]) || Text[At - 1] == '_'))
        continue; // UR4, SR_TID
      std::optional<unsigned> First = namedRegister(Text.drop_front(At));
      if (!First)
        continue;
      llvm::StringRef Rest =
          Text.drop_front(At + 1).drop_while(llvm::isDigit);
      bool Pair = Rest.starts_with(".64") || isDouble(I);
      Read.push_back({*First, Pair ? 2u : 1u});
    }
  }
  if (std::optional<RegisterRange> Stored = storedRegisters(I))
    Read.push_back(*Stored);
  return Read;
}

std::optional<RegisterRange> storedRegisters(const Instruction &I) {
  if (!llvm::is_contained({"STS", "STG", "ST", "STL"}, I.mnemonic()) ||
      I.Operands.size() < 2)
    return std::nullopt;
  std::optional<unsigned> First = namedRegister(I.Operands[1]);
  // `STG.E desc[UR4][R2.64], R5` as well as `STS [R2], R5`.
  if (!First)
    return std::nullopt;
  return RegisterRange{*First, std::max(1u, I.accessBytes() / 4)};
}

} // namespace kpipe::sass
