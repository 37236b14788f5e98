// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline asm. The front turns
//   asm volatile("text" : "=r"(a) : "r"(b) : "memory");
// into kx::ptx("text", kx::out(a), kx::in(b)); the executor knows the opcodes.
#pragma once

#include "qualifiers.h"

#include <cstring>

namespace kx {
template <typename T> KX_INLINE KxOperand out(T &V) {
  KxOperand O{&V, 0, sizeof(T)};
  return O;
}
// "+r": its value goes in as well, which is no access: what the instruction
// makes of it is for the executor to judge.
template <typename T>
KX_UNCHECKED void copyIn(std::uint64_t *Value, const T *V) {
  __builtin_memcpy(Value, V, sizeof(T));
}
template <typename T> KX_INLINE KxOperand inout(T &V) {
  KxOperand O{&V, 0, sizeof(T)};
  copyIn(&O.Value, &V);
  return O;
}
template <typename T> KX_INLINE KxOperand in(T V) {
  static_assert(sizeof(T) <= 8, "operand too large");
  KxOperand O{nullptr, 0, sizeof(T)};
  __builtin_memcpy(&O.Value, &V, sizeof(T));
  return O;
}
template <typename... Operands>
KX_SYNC void ptx(const char *Text, Operands... Ops) {
  KxOperand All[sizeof...(Ops) + 1] = {Ops...};
  kx_ptx(Text, All, sizeof...(Ops));
}
} // namespace kx
