// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B by 128 x 128 x 64 tiles, ldmatrix and mma.sync, one tile at a time.
#include <cuda_fp16.h>
#include <kpipe/pipeline.h>
#include <kpipe/tile_map.h>

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_transposed(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                             unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

constexpr int BM = 128, BN = 128, BK = 64, Threads = 256;

// Bytes of dynamic shared memory of hgemm().
constexpr unsigned hgemm_shared_bytes = sizeof(half[3][BM][BK]) +
                                        sizeof(half[3][2][BK][64]) +
                                        sizeof(unsigned long long[3]);

__global__ void __launch_bounds__(Threads, 2)
    hgemm(const half *__restrict__ A, const half *__restrict__ B,
          float *__restrict__ C, int M, int N, int K,
          const __grid_constant__ CUtensorMap As_map,
          const __grid_constant__ CUtensorMap Bs_map) {
  extern __shared__ __align__(1024) unsigned char hgemm_shared[];
  auto &As_stages = *reinterpret_cast<half(*)[3][BM][BK]>(hgemm_shared);
  auto &Bs_stages = *reinterpret_cast<half(*)[3][2][BK][64]>(hgemm_shared +
                                                             sizeof(As_stages));
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;

  float acc[2][8][4] = {};
  auto &full_stages = *reinterpret_cast<unsigned long long (*)[3]>(
      hgemm_shared + sizeof(As_stages) + sizeof(Bs_stages));
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 3; ++stage)
      kpipe::init_full(full_stages[stage]);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  {
    auto load_tile = [&](int k0, int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      auto &full = full_stages[stage];
      if (threadIdx.x == 0) {
        kpipe::expect_tile(full, 32768);
        kpipe::load_box(As, As_map, k0, row, full);
        kpipe::load_box(Bs[0], Bs_map, col, k0, full);
        kpipe::load_box(Bs[1], Bs_map, col + 64, k0, full);
      }
    };
    auto compute_tile = [&](int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
#pragma unroll
      for (int k = 0; k < BK; k += 16) {
        unsigned a[2][4], b[4][4];
#pragma unroll
        for (int i = 0; i < 2; ++i)
          load_matrices(
              a[i], shared_address(&kpipe::swizzled(
                        As, warp_row + i * 16 + lane % 16, k + lane / 16 * 8)));
#pragma unroll
        for (int j = 0; j < 4; ++j)
          load_transposed(
              b[j], shared_address(&kpipe::swizzled(
                        Bs, k + lane % 16, warp_col + j * 16 + lane / 16 * 8)));
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            multiply_add(acc[i][2 * j], a[i], b[j][0], b[j][1]);
            multiply_add(acc[i][2 * j + 1], a[i], b[j][2], b[j][3]);
          }
      }
    };
    int k0 = 0;
    int k0_ahead = k0;
    for (int slot = 0; slot < 2; ++slot) {
      if (k0_ahead < K) {
        load_tile(k0_ahead, slot);
        k0_ahead += BK;
      }
    }
    int stage = 0;
    unsigned parity = 0;
    // kpipe: pipelined - the copy engine brings 2 tiles ahead of the one that
    // is computed
    for (; k0 < K; k0 += BK) {
      kpipe::wait_full(full_stages[stage], parity);
      kpipe::release_tile();
      __syncthreads();
      if (k0_ahead < K) {
        kpipe::fence_proxy_async();
        load_tile(k0_ahead, kpipe::previous_stage<3>(stage));
        k0_ahead += BK;
      }
      compute_tile(stage);
      stage = kpipe::next_stage<3>(stage);
      parity ^= stage == 0;
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float *c = &C[(row + warp_row + i * 16 + lane / 4) * N + col + warp_col + j * 8 + lane % 4 * 2];
      *reinterpret_cast<float2 *>(c) = make_float2(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<float2 *>(c + 8 * N) = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

void launch_hgemm(const half *A, const half *B, float *C, int n) {
  hgemm<<<dim3(n / BN, n / BM), Threads,
          kpipe::opt_in_shared(hgemm, hgemm_shared_bytes)>>>(
      A, B, C, n, n, n, kpipe::tile_map<128, 64>(A, n),
      kpipe::tile_map<64, 64>(B, n));
}
