// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times one form of the first Hopper GEMM, or of plain.cu, with cuBLAS before each, and hashes
// all bits of its result over many launches, which must be equal:
//   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a \
//     -I../../../runtime/include -DFORM='"ring.cu"' time.cu -lcublas -o ring
//   ./ring [SIZE [LAUNCHES]]
#include FORM
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <thread>

static void check(int status, const char *what) {
  if (!status)
    return;
  std::printf("%s: status %d\n", what, status);
  std::exit(1);
}

__device__ unsigned long long mixed(unsigned long long x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

__global__ void fill(bf16 *out, size_t n, unsigned seed) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    unsigned long long x = mixed(i + seed * 0x9e3779b97f4a7c15ull);
    out[i] = __float2bfloat16(unsigned(x >> 48) / 32768.0f - 1.0f);
  }
}

__global__ void hash(const unsigned *data, size_t n, unsigned long long *sum) {
  unsigned long long h = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    h += mixed(data[i] + 2 * i * 0x9e3779b97f4a7c15ull);
  atomicAdd(sum, h);
}

#ifndef PLAIN_LOADS
/// A matrix by rows of n elements, in boxes of BK elements by `rows`.
static CUtensorMap mapped(void *data, cuuint64_t n, cuuint32_t rows) {
  void *encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode,
                                         12000, cudaEnableDefault, &found),
        "cuTensorMapEncodeTiled");
  CUtensorMap map;
  const cuuint64_t size[2] = {n, n}, pitch[1] = {n * sizeof(bf16)};
  const cuuint32_t box[2] = {BK, rows}, step[2] = {1, 1};
  check(reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
            &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, size, pitch, box,
            step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        "the tensor map");
  return map;
}
#endif

/// The best mean of 10 launches in 20 tries, in TFLOP/s; with pauses, as the
/// clock goes down under such a load.
template <typename F> static double speed(int n, F launch) {
  for (int i = 0; i < 20; ++i)
    launch();
  cudaEvent_t from, to;
  cudaEventCreate(&from), cudaEventCreate(&to);
  float best = 1e9f;
  for (int r = 0; r < 20; ++r) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    launch();
    cudaEventRecord(from);
    for (int i = 0; i < 10; ++i)
      launch();
    cudaEventRecord(to);
    check(cudaEventSynchronize(to), "a launch");
    float ms;
    cudaEventElapsedTime(&ms, from, to);
    best = ms / 10 < best ? ms / 10 : best;
  }
  return 2.0 * n * n * n / best / 1e9;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 600;
  const size_t count = size_t(n) * n;
  bf16 *a, *b, *c;
  unsigned long long *sum, first = 0;
  check(cudaMalloc(&a, count * 2) | cudaMalloc(&b, count * 2) |
            cudaMalloc(&c, count * 2) | cudaMalloc(&sum, 8),
        "memory");
  fill<<<1024, 256>>>(a, count, 1);
  fill<<<1024, 256>>>(b, count, 2);

  cublasHandle_t blas;
  check(cublasCreate(&blas), "cuBLAS");
  const float one = 1, zero = 0;
  const double library = speed(n, [&] {
    check(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, b,
                       CUDA_R_16BF, n, a, CUDA_R_16BF, n, &zero, c, CUDA_R_16BF,
                       n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "cuBLAS");
  });
#ifdef PLAIN_LOADS
  auto launch = [&] { launch_gemm(c, n, n, n, a, b); };
#else
  const CUtensorMap map_a = mapped(a, n, BM), map_b = mapped(b, n, BN);
  auto launch = [&] { launch_gemm(c, n, n, n, map_a, map_b); };
#endif
  const double own = speed(n, launch);

  int other = 0;
  for (int i = 0; i < launches; ++i) {
    cudaMemsetAsync(c, 0xff, count * 2);
    cudaMemsetAsync(sum, 0, 8);
    launch();
    hash<<<1024, 256>>>(reinterpret_cast<unsigned *>(c), count / 2, sum);
    unsigned long long h;
    check(cudaMemcpy(&h, sum, 8, cudaMemcpyDeviceToHost), "a launch");
    first = i ? first : h;
    other += h != first;
  }
  std::printf("%s %d: %.1f TFLOP/s, cuBLAS %.1f; hash %016llx, another in %d "
              "of %d launches\n",
              FORM, n, own, library, first, other, launches);
  return other != 0;
}
