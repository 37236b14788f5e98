// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's header of this name.
#pragma once

#include "kx/barrier_objects.h"

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

KX_INLINE void __mbarrier_init(__mbarrier_t *B, std::uint32_t Count) {
  kx_barrier_init(B, Count);
}
KX_INLINE void __mbarrier_inval(__mbarrier_t *) {}
KX_SYNC __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *B) {
  return kx_barrier_arrive(B, 1, 0);
}
KX_SYNC __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *B) {
  return kx_barrier_arrive(B, 1, 1);
}
KX_SYNC bool __mbarrier_test_wait(__mbarrier_t *B, __mbarrier_token_t T) {
  return kx_barrier_test(B, T, 0);
}
KX_SYNC bool __mbarrier_test_wait_parity(__mbarrier_t *B, bool Parity) {
  return kx_barrier_test(B, Parity, 1);
}
KX_SYNC bool __mbarrier_try_wait(__mbarrier_t *B, __mbarrier_token_t T,
                                 std::uint32_t) {
  return kx_barrier_test(B, T, 0);
}
KX_SYNC bool __mbarrier_try_wait_parity(__mbarrier_t *B, bool Parity,
                                        std::uint32_t) {
  return kx_barrier_test(B, Parity, 1);
}
