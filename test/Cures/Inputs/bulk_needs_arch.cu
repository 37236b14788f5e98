// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CURE: --arch=sm_90a
constexpr int T = 32;
__device__ inline unsigned shared_of(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void wait_parity(unsigned long long *bar, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}" ::"r"(shared_of(bar)),
               "r"(parity)
               : "memory");
}
__global__ void __launch_bounds__(T)
sums(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     shared_of(&full)),
                 "n"(1)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x == 0) {
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
              shared_of(&full)),
          "n"(T * 4)
          : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
          "[%0], [%1], %2, [%3];" ::"r"(shared_of(xs)),
          "l"(x + i), "n"(T * 4), "r"(shared_of(&full))
          : "memory");
    }
    wait_parity(&full, (i / T) & 1);
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
