// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways in which people name parts of dynamic shared memory, and launches
// that are not in this file: whoever makes them asks for more.
// REQUIRES: executor
// RUN: %variants --at-least=8 --option=--launches=elsewhere %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async --launches=elsewhere 2>err | %code | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err
// SAID: remark: pipelined K-loop: 2 stages of smem, cp.async
// SAID: note: for two stages, launches of 'references' have to ask for kpipe::staged_bytes<2>(bytes) instead of bytes of dynamic shared memory, and where that is more than 48 KB for kpipe::opt_in_shared(references, kpipe::staged_bytes<2>(bytes))
// SAID: note: size of dynamic shared memory unknown, so it was not checked that a block may have that of two stages
//
// RUN: %kpipe rewrite a.cu --arch=sm_86 -o - --kernel=references 2>&1 | %code | FileCheck %s --check-prefix=HERE
// HERE: remark: pipelined K-loop: single buffer
// HERE: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and this file does not launch the kernel
// HERE: note: for two stages, launches of 'references' have to ask for kpipe::staged_bytes<2>(bytes) instead of bytes of dynamic shared memory, and where that is more than 48 KB for kpipe::opt_in_shared(references, kpipe::staged_bytes<2>(bytes)): pass --launches=elsewhere and change the launches there

#include <cooperative_groups.h>

constexpr int T = 16;

// Arrays with extents, by reference and by pointer.
__global__ void __launch_bounds__(T *T)
references(const float *A, const float *B, float *C, int K) {
  extern __shared__ float smem[];
  auto &As = *reinterpret_cast<float (*)[T][T]>(smem);
  float (*Bs)[T + 1] = (float (*)[T + 1])(smem + T * T);
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    // CHECK: {{^}}      auto &As = *kpipe::advance_bytes(&As_{{stages}}, s{{tage}} * stage_{{bytes}});
    // CHECK-NEXT: {{^}}      auto *Bs = kpipe::advance_bytes(Bs_{{stages}}, s{{tage}} * stage_{{bytes}});
    As[ty][tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// A view of a view, at the thread's own place, and one that the loop makes.
__global__ void __launch_bounds__(64)
chained(const float *x, const float *w, float *y, int n) {
  extern __shared__ char bytes[];
  float *const xs = (float *)bytes;
  float *ws = xs + 64, *mine = &xs[threadIdx.x];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    *mine = x[i + threadIdx.x];
    ws[threadIdx.x] = w[i + threadIdx.x];
    __syncthreads();
    const float *row = ws;
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * *row++;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Filled by a helper, in a `while`, read by another; the last tile twice.
template <int N> __device__ void fill(float *to, const float *from, int id) {
  for (int i = 0; i < N; i += 64)
    to[i + id] = from[i + id];
}
__device__ float total(const float *tile, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += tile[i] * float(i + 1);
  return sum;
}
__global__ void __launch_bounds__(64)
helped(const float *x, float *y, int n) {
  extern __shared__ float smem[];
  float *head = smem, *tail = smem + 64;
  float sum = 0.0f;
  int i = 0;
  while (i < n) {
    fill<64>(head, x + i, threadIdx.x);
    fill<64>(tail, x + i + 64, threadIdx.x);
    __syncthreads();
    sum += total(head, 64) - total(tail + 1, 63);
    __syncthreads();
    i += 128;
  }
  // CHECK: {{^}}  const float *last = kpipe::advance_bytes(tail, s{{tage}} * stage_{{bytes}});
  const float *last = tail;
  y[threadIdx.x] = sum + (n > 0 ? last[threadIdx.x] : 0.0f);
}

// One part is stored as it is, the other transposed: all of it by registers.
__global__ void __launch_bounds__(64)
vectors(const float4 *__restrict__ a, const float4 *__restrict__ b, float *y,
        int n) {
  extern __shared__ __align__(16) float smem[];
  float *as = smem, *bs = smem + 256;
  int id = threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int t = 0; t < n; ++t) {
    reinterpret_cast<float4 *>(as)[id] = a[t * 64 + id];
    float4 v = b[t * 64 + id];
    bs[id] = v.x;
    bs[id + 64] = v.y;
    bs[id + 128] = v.z;
    bs[id + 192] = v.w;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += as[j] * bs[(j + id) % 256];
    __syncthreads();
  }
  y[id] = sum;
}

// Beside a static array, which keeps its own stages.
__global__ void __launch_bounds__(64)
beside(const float *x, const float *w, float *y, int n) {
  extern __shared__ float smem[];
  __shared__ float ws[64];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    ws[threadIdx.x] = w[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += smem[j] * ws[63 - j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The barrier first, and elements of 12 bytes.
struct Triple {
  float x, y, z;
};
__global__ void __launch_bounds__(64)
rotated(const Triple *x, float *y, int n) {
  extern __shared__ Triple triples[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    __syncthreads();
    triples[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += triples[j].x * triples[63 - j].z + triples[threadIdx.x].y;
  }
  y[threadIdx.x] = sum;
}

// Rows of an array with extents of its own, and barriers of a group.
__global__ void __launch_bounds__(T *T)
rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float padded[][T + 1];
  auto block = cooperative_groups::this_thread_block();
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    padded[ty][tx] = x[ty * n + i + tx];
    block.sync();
    for (int k = 0; k < T; ++k)
      sum += padded[k][ty] * float(tx - k);
    block.sync();
  }
  y[ty * T + tx] = sum;
}

// Parts that a struct names, by reference and by pointer.
struct Tiles {
  float as[64];
  float4 bs[64];
};
__global__ void __launch_bounds__(64)
structs(const float *__restrict__ a, const float4 *__restrict__ b, float *y,
        int n) {
  extern __shared__ __align__(16) unsigned char storage[];
  Tiles &tiles = *reinterpret_cast<Tiles *>(storage);
  const auto *read = (const Tiles *)storage;
  int id = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    // CHECK: {{^}}      auto &tiles = *kpipe::advance_bytes(&tiles_{{stages}}, s{{tage}} * stage_{{bytes}});
    tiles.as[id] = a[t * 64 + id];
    tiles.bs[id] = b[t * 64 + id];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += read->as[j] * (read->bs[63 - j].y - tiles.bs[id].x);
    __syncthreads();
  }
  y[id] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
// Of eight stages at most, and some that is no multiple of anything.
constexpr std::size_t Room = 8 * 4096 + 52;
CASE(references) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    launch({1, dim3(T, T), Room}, references, a, b, c, k);
  }
}
CASE(chained) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", 64);
    launch({1, 64, Room}, chained, x, w, y, n);
  }
}
CASE(helped) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64, Room}, helped, x, y, n);
  }
}
CASE(vectors) {
  for (int n : multiples(1)) {
    auto a = in<float>("a", 256 * n), b = in<float>("b", 256 * n);
    auto y = out<float>("y", 64);
    launch({1, 64, Room}, vectors, a.as<float4>(), b.as<float4>(), y, n);
  }
}
CASE(beside) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", 64);
    launch({1, 64, Room}, beside, x, w, y, n);
  }
}
CASE(rotated) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", 3 * n), y = out<float>("y", 64);
    launch({1, 64, Room}, rotated, x.as<Triple>(), y, n);
  }
}
CASE(rows) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", T * n), y = out<float>("y", T * T);
    launch({1, dim3(T, T), Room}, rows, x, y, n);
  }
}
CASE(structs) {
  for (int n : multiples(1)) {
    auto a = in<float>("a", 64 * n), b = in<float>("b", 256 * n);
    auto y = out<float>("y", 64);
    launch({1, 64, Room}, structs, a, b.as<float4>(), y, n);
  }
}
#endif
