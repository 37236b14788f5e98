// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output as a person would have written it: what a half does without it does not
// declare, what runs once has one register, an `if` behind a long `for` has a line
// of its own, and jumps of the compute stay.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && echo 'DisableFormat: true' > .clang-format && %kpipe rewrite a.cu --arch=sm_86 --variant=ldg --stages=1 2>/dev/null | grep -v '// [CR]' | FileCheck %s --match-full-lines --strict-whitespace

constexpr int T = 32, Wide = 40;

// The column is for the fetch alone, and `seen` for the compute.
__global__ void __launch_bounds__(T)
several_variables(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[4 * T];
  const int tid = threadIdx.x;
  float sum = 0;
  // CHECK:    auto fetch_tile = [&](int k) {
  // CHECK-NEXT:      #pragma unroll
  // CHECK-NEXT:      for (int i = tid, part = 0; part < kpipe::ceil_div(4 * T, T); i += T, ++part) {
  // CHECK-NEXT:        int row = i / T, column = i % T, block = blockIdx.x * 4;
  // CHECK:    auto store_tile = [&]() {
  // CHECK-NEXT:      #pragma unroll
  // CHECK-NEXT:      for (int i = tid, part = 0; part < kpipe::ceil_div(4 * T, T); i += T, ++part) {
  // CHECK-NEXT:        int row = i / T, place = row * T + i % T;
  // CHECK-NEXT:        tile[place] = tile_reg[part];
  for (int k = 0; k < n; k += T) {
    float seen;
    for (int i = tid; i < 4 * T; i += T) {
      int row = i / T, column = i % T, block = blockIdx.x * 4, place = row * T + i % T;
      tile[place] = in[(block + row) * n + k + column];
    }
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) {
      seen = tile[j];
      sum += seen;
    }
    __syncthreads();
  }
  out[blockIdx.x * T + tid] = sum;
}

// One element a thread, in a loop that runs once.
__global__ void one_turn(const float *__restrict__ in, float *__restrict__ out,
                         int n) {
  __shared__ float tile[T];
  const int tid = threadIdx.x, threads = blockDim.x;
  float sum = 0;
  // CHECK:    // The registers are counted for the blocks of all known launches.
  // CHECK-NEXT:    if (blockDim.x != 32)
  // CHECK-NEXT:      __trap();
  // CHECK-NEXT:    float tile_reg;
  // CHECK-NEXT:    auto fetch_tile = [&](int k) {
  // CHECK-NEXT:      for (int i = tid; i < 32; i += threads)
  // CHECK-NEXT:        tile_reg = in[k + i];
  // CHECK-NEXT:    };
  for (int k = 0; k < n; k += T) {
    for (int i = tid; i < 32; i += threads)
      tile[i] = in[k + i];
    __syncthreads();
    // CHECK:        if (tile[j] < 0)
    // CHECK-NEXT:          continue;
    for (int j = 0; j < T; ++j) {
      if (tile[j] < 0)
        continue;
      out[tid] = sum += tile[j];
    }
    __syncthreads();
  }
}

// A head that leaves no room for the `if` behind it.
__global__ void __launch_bounds__(T)
long_heads(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[Wide];
  float sum = 0;
  // CHECK:           column_of_tile += T, ++part)
  // CHECK-NEXT:        if (part < Wide / T || column_of_tile < Wide) {
  // CHECK-NEXT:          const int column = min(k + column_of_tile, n - 1);
  // CHECK-NEXT:          tile_reg[part] = in[column];
  // CHECK-NEXT:        }
  // CHECK-NEXT:    };
  for (int k = 0; k < n; k += T) {
    for (int column_of_tile = threadIdx.x; column_of_tile < Wide; column_of_tile += T) {
      const int column = min(k + column_of_tile, n - 1);
      tile[column_of_tile] = in[column];
    }
    __syncthreads();
    for (int j = 0; j < Wide; ++j)
      sum += tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A head that leaves no room for what the loop repeats.
__global__ void long_lines(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float tile[T];
  const int first_of_thread = threadIdx.x, threads_of_block = blockDim.x;
  float sum = 0;
  // CHECK:           element += threads_of_block, ++part)
  // CHECK-NEXT:        tile_reg[part] = in[k + element];
  // CHECK-NEXT:    };
  for (int k = 0; k < n; k += T) {
    for (int element = first_of_thread; element < T; element += threads_of_block) tile[element] = in[k + element];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The array in the object has the name that says most.
struct Tiles {
  float left[T], right[T];
};
__global__ void __launch_bounds__(T)
in_object(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ Tiles s;
  float sum = 0;
  // CHECK:    float left_reg;
  // CHECK-NEXT:    float right_reg;
  for (int k = 0; k < n; k += T) {
    s.left[threadIdx.x] = in[k + threadIdx.x];
    s.right[threadIdx.x] = in[n + k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s.left[j] * s.right[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

void ask(const float *in, float *out, int n) {
  one_turn<<<1, T>>>(in, out, n);
  long_lines<<<1, T>>>(in, out, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class Kernel>
static void sums(Kernel kernel, int rows, int blocks = 1) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", rows * (n + T)), y = out<float>("y", blocks * T);
    launch({dim3(blocks), dim3(T)}, kernel, x, y, n);
  }
}
CASE(several_variables) { sums(several_variables, 8, 2); }
CASE(one_turn) { sums(one_turn, 1); }
CASE(long_heads) { sums(long_heads, 1); }
CASE(long_lines) { sums(long_lines, 1); }
CASE(in_object) { sums(in_object, 2); }
#endif
