// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm's arithmetic around other instructions: predicates, selections,
// integers, and hints that change no result.
#include "Machine.h"

using namespace kpipe::exec;

namespace {
/// The value as an instruction's type has it: "u32", "s64", "b16", "pred".
std::int64_t asType(std::uint64_t Value, const std::string &Type) {
  unsigned Bits = Type.size() > 1 ? unsigned(std::atoi(Type.c_str() + 1)) : 0;
  if (Bits == 0 || Bits >= 64)
    return std::int64_t(Value);
  Value &= (std::uint64_t(1) << Bits) - 1;
  bool Negative = Type[0] == 's' && Value >> (Bits - 1);
  return std::int64_t(Negative ? Value | ~std::uint64_t(0) << Bits : Value);
}

bool compare(const std::string &How, const std::string &Type, std::int64_t A,
             std::int64_t B) {
  bool Less = Type[0] == 's' ? A < B : std::uint64_t(A) < std::uint64_t(B);
  if (How == "eq")
    return A == B;
  if (How == "ne")
    return A != B;
  if (How == "lt" || How == "lo")
    return Less;
  if (How == "ge" || How == "hs")
    return !Less;
  return How == "gt" || How == "hi" ? !Less && A != B : Less || A == B;
}

bool combine(const std::string &Name, std::uint64_t A, std::uint64_t B,
             std::uint64_t &Result) {
  if (Name == "add")
    Result = A + B;
  else if (Name == "sub")
    Result = A - B;
  else if (Name == "and")
    Result = A & B;
  else if (Name == "or")
    Result = A | B;
  else if (Name == "xor")
    Result = A ^ B;
  else if (Name == "shl")
    Result = B < 64 ? A << B : 0;
  else if (Name == "shr")
    Result = B < 64 ? A >> B : 0;
  else
    return false;
  return true;
}
} // namespace

bool Machine::executeScalar(const PtxInstruction &I, PtxOperands &V) {
  const std::string &Name = I.Words[0], &Type = I.Words.back();
  auto In = [&](std::size_t N) { return V.get(I.Operands[N]); };
  std::size_t Count = I.Operands.size();
  if (Name == "selp" && Count == 4) {
    V.set(I.Operands[0], In(3) ? In(1) : In(2));
    return true;
  }
  if (Name == "setp" && Count == 3 && I.Words.size() == 3) {
    if (Type[0] != 'u' && Type[0] != 's' && Type[0] != 'b')
      return false; // floating point
    V.set(I.Operands[0], compare(I.Words[1], Type, asType(In(1), Type),
                                 asType(In(2), Type)));
    return true;
  }
  if (Name == "not" && Count == 2) {
    V.set(I.Operands[0], Type == "pred" ? !In(1) : ~In(1));
    return true;
  }
  if (I.Opcode == "mov.pred" && Count == 2) {
    V.set(I.Operands[0], In(1));
    return true;
  }
  if (Name == "createpolicy") { // a hint for the cache
    V.set(I.Operands[0], 0);
    return true;
  }
  if (Name == "prefetch" || Name == "prefetchu" || Name == "nanosleep" ||
      I.is("cp.async.bulk.prefetch"))
    return true;
  std::uint64_t Result = 0;
  bool Integer = Type[0] == 'u' || Type[0] == 's' || Type[0] == 'b' ||
                 Type == "pred";
  if (Count != 3 || I.Words.size() != 2 || !Integer ||
      !combine(Name, std::uint64_t(asType(In(1), Type)), In(2), Result))
    return false;
  V.set(I.Operands[0], std::uint64_t(asType(Result, Type)));
  return true;
}
