// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic of predicates in inline asm, shifts to the right, and hints. See Ptx.h.
#include "Ptx.h"

#include <cstdlib>

using namespace kpipe::exec;

bool kpipe::exec::computePredicate(const PtxInstruction &I, PtxOperands &V) {
  const std::string &Name = I.Words.front(), &Type = I.Words.back();
  std::size_t Count = I.Operands.size();
  auto In = [&](std::size_t N) { return V.get(I.Operands[N]); };
  if (I.Words.size() != 2 || Count < 2)
    return false;
  if (Name == "shr" && Count == 3 && (Type == "b32" || Type == "u32")) {
    V.set(I.Operands[0], In(2) < 32 ? std::uint32_t(In(1)) >> In(2) : 0);
    return true;
  }
  if (Type != "pred")
    return false;
  bool A = In(1) != 0, B = Count > 2 && In(2) != 0;
  if (Name == "mov")
    V.setPredicate(I.Operands[0], A);
  else if (Name == "not")
    V.setPredicate(I.Operands[0], !A);
  else if (Name == "and" && Count == 3)
    V.setPredicate(I.Operands[0], A && B);
  else if (Name == "or" && Count == 3)
    V.setPredicate(I.Operands[0], A || B);
  else if (Name == "xor" && Count == 3)
    V.setPredicate(I.Operands[0], A != B);
  else
    return false;
  return true;
}

bool kpipe::exec::isHint(const PtxInstruction &I, PtxOperands &V) {
  const std::string &Name = I.Words.front();
  if (Name == "createpolicy" && !I.Operands.empty()) {
    V.set(I.Operands[0], 0);
    return true;
  }
  return Name == "prefetch" || Name == "prefetchu" || Name == "nanosleep";
}
