// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd and its kin. Fibers never run at once, so a plain read-modify-write
// is atomic; the executor is told that it is one.
#pragma once

#include "qualifiers.h"

namespace kx {
template <typename T, typename Fn> KX_UNCHECKED T update(T *P, Fn F) {
  T Old = *P;
  *P = F(Old);
  return Old;
}
template <typename T> struct Same {
  using Type = T;
};
template <typename T> using Exactly = typename Same<T>::Type;
} // namespace kx

#define KX_ATOMIC(Name, Expr)                                                  \
  template <typename T> KX_INLINE T Name(T *P, kx::Exactly<T> V) {             \
    kx_atomic(P, sizeof(T));                                                   \
    return kx::update(P, [=](T Old)                                            \
                             __attribute__((disable_sanitizer_instrumentation)) \
                             -> T { return Expr; });                           \
  }
KX_ATOMIC(atomicAdd, Old + V)
KX_ATOMIC(atomicSub, Old - V)
KX_ATOMIC(atomicExch, V)
KX_ATOMIC(atomicMin, V < Old ? V : Old)
KX_ATOMIC(atomicMax, Old < V ? V : Old)
KX_ATOMIC(atomicAnd, Old &V)
KX_ATOMIC(atomicOr, Old | V)
KX_ATOMIC(atomicXor, Old ^ V)
KX_ATOMIC(atomicInc, Old >= V ? T(0) : T(Old + 1))
KX_ATOMIC(atomicDec, Old == 0 || Old > V ? V : T(Old - 1))
#undef KX_ATOMIC
template <typename T>
KX_INLINE T atomicCAS(T *P, kx::Exactly<T> Expected, kx::Exactly<T> V) {
  kx_atomic(P, sizeof(T));
  return kx::update(P, [=](T Old)
                           __attribute__((disable_sanitizer_instrumentation))
                           -> T { return Old == Expected ? V : Old; });
}
