// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times one form of tiles.cu beside cuBLAS, and hashes its result over many launches:
//   nvcc -std=c++17 -O3 -arch=sm_90a -I../../../runtime/include -DTILE_K=64 \
//     -DFORM='"tma.cu"' time_tiles.cu -lcublas -o tma
//   ./tma [SIZE [LAUNCHES]]
#include FORM
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <thread>

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      std::printf("%s: %s\n", #x, cudaGetErrorString(e));                                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__global__ void fill(half *x, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x) {
    unsigned h = unsigned(i) * 2654435761u + seed;
    h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
    x[i] = __float2half(float(h % 2001) / 1000.0f - 1.0f);
  }
}
__global__ void hash(const unsigned *x, size_t n, unsigned long long *sum) {
  unsigned long long own = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    own += (x[i] ^ (i * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
  atomicAdd(sum, own);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 600;
  const size_t all = size_t(n) * n;
  half *A, *B;
  float *C;
  unsigned long long *sum, first = 0, now = 0;
  CHECK(cudaMalloc(&A, all * 2));
  CHECK(cudaMalloc(&B, all * 2));
  CHECK(cudaMalloc(&C, all * 4));
  CHECK(cudaMalloc(&sum, 8));
  fill<<<1024, 256>>>(A, all, 1);
  fill<<<1024, 256>>>(B, all, 2);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < launches; ++i) {
    CHECK(cudaMemsetAsync(C, 0xff, all * 4));
    CHECK(cudaMemsetAsync(sum, 0, 8));
    launch_hgemm(A, B, C, n);
    hash<<<1024, 256>>>(reinterpret_cast<const unsigned *>(C), all, sum);
    CHECK(cudaMemcpy(&now, sum, 8, cudaMemcpyDeviceToHost));
    if (!i)
      first = now;
    wrong += now != first;
  }
  CHECK(cudaGetLastError());
  cublasHandle_t handle;
  cublasCreate(&handle);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  // In one burst after another both would be timed at the clock that is left.
  auto timed = [&](auto launch) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    launch();
    CHECK(cudaEventRecord(begin));
    for (int k = 0; k < 10; ++k)
      launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 2e-9 * n * double(n) * n / (ms / 10);
  };
  double own = 0, theirs = 0;
  for (int i = 0; i < 20; ++i) {
    own = std::max(own, timed([&] { launch_hgemm(A, B, C, n); }));
    theirs = std::max(theirs, timed([&] {
      const float one = 1, zero = 0;
      cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, CUDA_R_16F, n, A,
                   CUDA_R_16F, n, &zero, C, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                   CUBLAS_GEMM_DEFAULT);
    }));
  }
  std::printf("%-12s n=%d hash=%016llx wrong=%d/%d TFLOPS=%.1f cublas=%.1f share=%.3f\n", FORM, n,
              first, wrong, launches, own, theirs, own / theirs);
  return wrong != 0;
}
