// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OPTIONS: --arch=sm_90a
// CURE: --allow-occupancy-drop
constexpr int Rows = 64, Columns = 8, Depth = 64;
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
__device__ inline void copy(void *to, const void *from, unsigned bytes, unsigned long long *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(shared_of(to)),
               "l"(from), "r"(bytes), "r"(shared_of(bar))
               : "memory");
}
__device__ inline unsigned long long descriptor(const void *p) {
  return (shared_of(p) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ inline void multiply(float (&d)[4], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}
__global__ void __launch_bounds__(128)
products(const unsigned short *a, const unsigned short *b, float *y, int tiles) {
  __shared__ alignas(1024) unsigned short As[Rows * Depth];
  __shared__ alignas(1024) unsigned short Bs[Columns * Depth];
  __shared__ alignas(8) unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_of(&full)), "n"(1)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  float d[4] = {};
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                       shared_of(&full)),
                   "n"((Rows + Columns) * Depth * 2)
                   : "memory");
      copy(As, a + t * Rows * Depth, Rows * Depth * 2, &full);
      copy(Bs, b + t * Columns * Depth, Columns * Depth * 2, &full);
    }
    wait_parity(&full, t & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < Depth; k += 16)
      multiply(d, descriptor(&As[k]), descriptor(&Bs[k]));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    y[threadIdx.x * 4 + i] = d[i];
}
