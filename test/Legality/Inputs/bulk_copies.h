// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An mbarrier and the copy engine's 1-D copies, as people wrap them.
#pragma once

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)),
               "r"(count)
               : "memory");
}
__device__ inline void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)),
      "r"(bytes)
      : "memory");
}
__device__ inline void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra "
               "again;\n}" ::"r"(smem(bar)),
               "r"(parity)
               : "memory");
}
__device__ inline void load(void *dst, const void *src, uint32_t bytes,
                            uint64_t *bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1], %2, [%3];" ::"r"(smem(dst)),
      "l"(src), "r"(bytes), "r"(smem(bar))
      : "memory");
}
