// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions on numbers of one thread: what addresses and predicates in
// inline asm are made of. See Ptx.h.
#include "Ptx.h"

#include <cstdlib>

using namespace kpipe::exec;

void PtxOperands::setPredicate(const std::string &Operand, bool Value) {
  Registers[Operand] = Value;
  Predicates.insert(Operand);
}

/// Of a type's name, s32 for example.
static bool readType(const std::string &Name, bool &Signed, unsigned &Bits) {
  if (Name.size() < 2 || (Name[0] != 's' && Name[0] != 'u' && Name[0] != 'b'))
    return false;
  Signed = Name[0] == 's';
  Bits = unsigned(std::strtoul(Name.c_str() + 1, nullptr, 10));
  return Bits == 16 || Bits == 32 || Bits == 64;
}

static std::uint64_t narrow(std::uint64_t V, bool Signed, unsigned Bits) {
  if (Bits == 64)
    return V;
  V &= (std::uint64_t(1) << Bits) - 1;
  return Signed ? std::uint64_t(std::int64_t(V << (64 - Bits)) >> (64 - Bits))
                : V;
}

static bool compare(const std::string &How, std::uint64_t A, std::uint64_t B,
                    bool Signed, bool &Result) {
  bool Less = Signed ? std::int64_t(A) < std::int64_t(B) : A < B;
  if (How == "eq")
    Result = A == B;
  else if (How == "ne")
    Result = A != B;
  else if (How == "lt" || How == "lo")
    Result = Less;
  else if (How == "le" || How == "ls")
    Result = Less || A == B;
  else if (How == "gt" || How == "hi")
    Result = !Less && A != B;
  else if (How == "ge" || How == "hs")
    Result = !Less;
  else
    return false;
  return true;
}

bool kpipe::exec::computeScalar(const PtxInstruction &I, PtxOperands &V) {
  bool Signed = false;
  unsigned Bits = 0;
  const std::string &What = I.Words.front();
  if (I.Operands.size() < 3 || !readType(I.Words.back(), Signed, Bits))
    return false;
  auto In = [&](unsigned N) {
    return narrow(V.get(I.Operands[N]), Signed, Bits);
  };
  if (What == "setp" && I.Words.size() == 3 && I.Operands.size() == 3) {
    bool Result = false;
    if (!compare(I.Words[1], In(1), In(2), Signed, Result))
      return false;
    V.setPredicate(I.Operands[0], Result);
    return true;
  }
  if (What == "selp" && I.Operands.size() == 4) {
    V.set(I.Operands[0], V.get(I.Operands[3]) ? In(1) : In(2));
    return true;
  }
  if (I.Operands.size() != 3)
    return false;
  std::uint64_t A = In(1), B = In(2), Result;
  if (What == "add" && I.Words.size() == 2)
    Result = A + B;
  else if (What == "sub" && I.Words.size() == 2)
    Result = A - B;
  else if (What == "mul" && I.Words.size() == 3 && I.Words[1] == "lo")
    Result = A * B;
  else if (What == "shl")
    Result = B < Bits ? A << B : 0;
  else if (What == "and")
    Result = A & B;
  else if (What == "or")
    Result = A | B;
  else if (What == "xor")
    Result = A ^ B;
  else
    return false;
  V.set(I.Operands[0], narrow(Result, false, Bits));
  return true;
}
