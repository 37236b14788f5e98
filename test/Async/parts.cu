// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that bring a part of their bytes and zeros for the rest, and copies
// with a layout for each side. What kpipe is to make of each kernel stands in
// front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int T = 256;

// Expected: pipelined; the last vector of the last tile has fewer elements.
__global__ void zeros_behind(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int at = i + threadIdx.x * 4;
    int valid = at < n ? (n - at < 4 ? n - at : 4) : 0;
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[valid ? at : 0], 16, 16 - valid * 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the same by the instruction's own operand, of halves.
__global__ void bytes_by_operand(const short *x, int *out, int n) {
  __shared__ alignas(16) short tile[8 * 64];
  int sum = 0;
  for (int i = 0; i < n; i += 8 * 64) {
    int at = i + threadIdx.x * 8;
    int left = n - at;
    int valid = left <= 0 ? 0 : (left < 8 ? left : 8);
    int bytes = valid * 2;
    unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x * 8]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(&x[valid ? at : 0]), "r"(bytes));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    for (int k = 0; k < 8 * 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; by a function that takes the number of bytes.
__device__ __forceinline__ void copy_some(void *to, const void *from, int bytes) {
  unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"(bytes));
}
__global__ void bytes_by_function(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[128];
  float sum = 0;
  for (int i = 0; i < n; i += 128) {
    int at = i + threadIdx.x * 2;
    copy_some(&tile[threadIdx.x * 2], &x[at < n ? at : 0], at + 1 < n ? 8 : (at < n ? 4 : 0));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: an element may be copied in half.
__global__ void splits_an_element(const float *x, float *out, int n, int bytes) {
  __shared__ alignas(16) float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[i + threadIdx.x * 4], 16, bytes);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the number is in the tile that is written meanwhile.
__global__ void number_in_the_tile(const float *x, float *out, int n) {
  __shared__ alignas(16) int bytes[64 * 4];
  float sum = 0;
  bytes[threadIdx.x * 4] = 1;
  for (int i = 0; i < n; i += T) {
    __pipeline_memcpy_async(&bytes[threadIdx.x * 4], &x[i + threadIdx.x * 4], 16,
                            (bytes[threadIdx.x * 4] & 3) * 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += bytes[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the number is another one each time that it is asked for.
__global__ void asks_the_clock(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[i + threadIdx.x * 4], 16, unsigned(clock()) % 4 * 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: what the function copies is not what it was told.
__device__ __forceinline__ void copy_fewer(void *to, const void *from, int bytes) {
  unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"(bytes / 2));
}
__global__ void fewer_by_function(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[128];
  float sum = 0;
  for (int i = 0; i < n; i += 128) {
    int at = i + threadIdx.x * 2;
    copy_fewer(&tile[threadIdx.x * 2], &x[at < n ? at : 0], at + 1 < n ? 16 : (at < n ? 8 : 0));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: what the function takes is only whether there are any.
__device__ __forceinline__ void copy_if_any(void *to, const void *from, bool any) {
  unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"((int)any));
}
__global__ void any_by_function(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[128];
  float sum = 0;
  for (int i = 0; i < n; i += 128) {
    int at = i + threadIdx.x * 2;
    copy_if_any(&tile[threadIdx.x * 2], &x[at < n ? at : 0], (n - at) * 4);
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: of the number that it takes, the function asks only whether
// there are any.
__device__ __forceinline__ void copy_by_truth(void *to, const void *from, int bytes) {
  unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"((int)(bool)bytes));
}
__global__ void truth_by_function(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[128];
  float sum = 0;
  for (int i = 0; i < n; i += 128) {
    int at = i + threadIdx.x * 2;
    copy_by_truth(&tile[threadIdx.x * 2], &x[at < n ? at : 0], at + 1 < n ? 8 : (at < n ? 4 : 0));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the fewer of two numbers of elements.
__global__ void constant_layouts(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[T];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    cg::memcpy_async(block, tile, cuda::aligned_size_t<16>(256), x + i, 264);
    cg::wait(block);
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; as many on both sides, known when it runs.
__global__ void equal_layouts(const double *x, double *out, int n, int width) {
  __shared__ double tile[T];
  auto block = cg::this_thread_block();
  double sum = 0;
  for (int i = 0; i < n; i += width) {
    cg::memcpy_async(block, tile, width, x + i, width);
    cg::wait_prior<0>(block);
    for (int k = 0; k < width; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; each warp its half of the tile, through registers, whatever
// the block.
__global__ void warps_halves(const short *x, int *out, int n) {
  __shared__ short tile[T];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    cg::memcpy_async(warp, tile + threadIdx.x / 32 * 128, 128, x + i + threadIdx.x / 32 * 128, 128);
    cg::wait(warp);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: which number is smaller is not known.
__global__ void either_layout(const float *x, float *out, int n, int have, int want) {
  __shared__ alignas(16) float tile[T];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    cg::memcpy_async(block, tile, have, x + i, want);
    cg::wait(block);
    for (int k = 0; k < have && k < want; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a layout with an effect, evaluated once.
__global__ void counting_layout(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[T];
  auto block = cg::this_thread_block();
  float sum = 0;
  int m = 0;
  for (int i = 0; i < n; i += T) {
    cg::memcpy_async(block, tile, m++ ? 256 : 256, x + i, m++ ? 256 : 256);
    cg::wait(block);
    for (int k = 0; k < T; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum + m;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(zeros_behind) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n + 4), y = out<float>("out", 64);
    launch({1, 64}, zeros_behind, x, y, n);
  }
}
CASE(bytes_by_operand) {
  for (int n : sizes(8 * 64)) {
    auto x = in<short>("x", n + 8);
    auto y = out<int>("out", 64);
    launch({1, 64}, bytes_by_operand, x, y, n);
  }
}
CASE(bytes_by_function) {
  for (int n : sizes(128)) {
    auto x = in<float>("x", n + 2), y = out<float>("out", 64);
    launch({1, 64}, bytes_by_function, x, y, n);
  }
}
CASE(fewer_by_function) {
  for (int n : sizes(128)) {
    auto x = in<float>("x", n + 2), y = out<float>("out", 64);
    launch({1, 64}, fewer_by_function, x, y, n);
  }
}
CASE(constant_layouts) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 8), y = out<float>("out", 64);
    launch({1, 64}, constant_layouts, x, y, n);
  }
}
CASE(warps_halves) {
  for (int n : multiples(T)) {
    auto x = in<short>("x", n);
    auto y = out<int>("out", 64);
    launch({1, 64}, warps_halves, x, y, n);
  }
}
CASE(equal_layouts) {
  for (int n : multiples(96)) {
    auto x = in<double>("x", n), y = out<double>("out", 64);
    launch({1, 64}, equal_layouts, x, y, n, 96);
  }
}
#endif
