// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --producer=warpgroup --arch=sm_90a
// CURE: --allow-occupancy-drop
#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ inline void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes)
               : "memory");
}
__device__ inline void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(
                   smem(bar)),
               "r"(parity)
               : "memory");
}
__device__ inline void load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(smem(dst)),
               "l"(src), "r"(bytes), "r"(smem(bar))
               : "memory");
}

constexpr int Blocks = 1;
__global__ void __launch_bounds__(256, Blocks) sums(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[256];
  __shared__ float all[11240];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 1024);
      load(xs, x + i * 256, 1024, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  all[threadIdx.x * 43] = sum;
  __syncthreads();
  y[threadIdx.x] = all[(threadIdx.x + 1) % 256 * 43];
}
void run(const float *x, float *y, int n) { sums<<<1, 256>>>(x, y, n); }
