// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B^T of bf16 on sm_100a: a warp loads tiles by TMA, one multiplies
// them with tcgen05.mma, four read the sums from tensor memory. Compiled and
// looked at (umma-nvcc.test); never run. Sizes are multiples of the tiles.
#include <kpipe/pipeline_async.h>

#if !defined(__CUDA_ARCH__) || KPIPE_HAS_TCGEN05
constexpr int S = 4, BM = 128, BN = 128, BK = 64;
constexpr unsigned OfA = BM * BK * 2, OfB = BN * BK * 2; // bytes of a tile
constexpr int Loader = 128, Multiplier = 160, Threads = 192;

struct Map { // a CUtensorMap: rows of BK elements, 128 bytes, swizzled
  alignas(64) unsigned char bytes[128];
};

__device__ void multiply(unsigned sums, unsigned long long a,
                         unsigned long long b, unsigned add) {
  const unsigned kind =
      1 << 4 | 1 << 7 | 1 << 10 | (BN / 8) << 17 | (BM / 16) << 24;
  asm volatile("{.reg .pred p; setp.ne.u32 p, %4, 0; "
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;}"
               :
               : "r"(sums), "l"(a), "l"(b), "r"(kind), "r"(add)
               : "memory");
}

/// What tcgen05.mma takes for a tile of K-major rows of 128 bytes, swizzled.
__device__ unsigned long long descriptor(unsigned address) {
  return 1ull << 62 | 1ull << 46 | 64ull << 32 | 1ull << 16 |
         (address >> 4 & 0x3fff);
}

__device__ void store_sums(float *row, unsigned sums) {
  for (int n = 0; n < BN; n += 8) {
    float v[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]),
                   "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
                 : "r"(sums + n));
    kpipe::ptx::tcgen05_wait_loads();
    for (int i = 0; i < 8; ++i)
      row[n + i] = v[i];
  }
}

__global__ void __launch_bounds__(Threads)
    gemm(float *C, int N, int K, const __grid_constant__ Map map_a,
         const __grid_constant__ Map map_b) {
  extern __shared__ __align__(1024) unsigned char tiles[];
  __shared__ kpipe::pipeline_storage<S> loaded;
  __shared__ kpipe::pipeline_storage<1> summed;
  __shared__ unsigned tensor_memory;
  kpipe::pipeline_tma_umma<S> load(loaded, OfA + OfB, {}, kpipe::no_sync());
  kpipe::pipeline_umma_async<1, kpipe::warp_arrivals> sum(
      summed, {}, kpipe::warps(4), kpipe::no_sync());
  auto load_sides = load.make_participants();
  auto sum_sides = sum.make_participants();
  if (threadIdx.x / 32 == Multiplier / 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
                 "[%0], 128;"
                 :
                 : "r"(kpipe::ptx::shared_address(&tensor_memory))
                 : "memory");
  kpipe::ptx::tcgen05_fence_before();
  __syncthreads(); // for the address and for both pipelines
  kpipe::ptx::tcgen05_fence_after();

  if (threadIdx.x == Loader) {
    for (int k = 0; k < K; k += BK) {
      auto stage = load_sides.producer.acquire_and_advance();
      unsigned char *a = tiles + stage.index() * (OfA + OfB);
      kpipe::ptx::copy_tensor_2d(a, &map_a, k, blockIdx.y * BM,
                                 stage.barrier());
      kpipe::ptx::copy_tensor_2d(a + OfA, &map_b, k, blockIdx.x * BN,
                                 stage.barrier());
      stage.commit();
    }
    load_sides.producer.tail();
  } else if (threadIdx.x == Multiplier) {
    auto result = sum_sides.producer.acquire_and_advance();
    for (int k = 0; k < K; k += BK) {
      auto stage = load_sides.consumer.wait_and_advance();
      unsigned at =
          kpipe::ptx::shared_address(tiles) + stage.index() * (OfA + OfB);
      for (int i = 0; i < BK / 16; ++i) // 32 bytes of a row each
        multiply(tensor_memory, descriptor(at) + i * 2,
                 descriptor(at + OfA) + i * 2, k + i > 0);
      stage.release();
    }
    result.commit();
  } else if (threadIdx.x < 128) {
    auto result = sum_sides.consumer.wait_and_advance();
    unsigned lanes = threadIdx.x / 32 * 32 << 16; // a warp reads 32 of 128
    store_sums(
        &C[(size_t(blockIdx.y) * BM + threadIdx.x) * N + blockIdx.x * BN],
        tensor_memory + lanes);
    result.release();
  }
  __syncthreads();
  if (threadIdx.x / 32 == Multiplier / 32)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;"
                 :
                 : "r"(tensor_memory));
}
#endif
