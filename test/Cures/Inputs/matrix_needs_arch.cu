// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CURE: --arch=sm_90a
struct alignas(16) Eight {
  unsigned short of[8];
};
constexpr int BM = 64, BN = 16, BK = 64;
__device__ inline unsigned long long descriptor(const void *p) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));
  return (unsigned long long)((at & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__global__ void __launch_bounds__(128)
    product(float *__restrict__ out, const unsigned short *__restrict__ A,
            const unsigned short *__restrict__ B, int K) {
  __shared__ alignas(1024) unsigned short As[BM * BK];
  __shared__ alignas(1024) unsigned short Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int v = tid; v < BM * BK / 8; v += 128) {
      int r = v / 8, c = v % 8;
      *reinterpret_cast<Eight *>(&As[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const Eight *>(&A[r * K + k + c * 8]);
    }
    {
      int r = tid / 8, c = tid % 8;
      *reinterpret_cast<Eight *>(&Bs[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const Eight *>(&B[r * K + k + c * 8]);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int s = 0; s < BK; s += 16)
      asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
                   "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                     "+f"(d[6]), "+f"(d[7])
                   : "l"(descriptor(&As[s])), "l"(descriptor(&Bs[s])));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    out[tid * 8 + i] = d[i];
}
