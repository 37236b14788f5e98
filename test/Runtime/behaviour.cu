// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primitives at work on a GPU: each size, zero fill, rings of 1 to 11
// stages with wait_prior up to 9. Built for the GPU at hand, and from PTX of
// sm_75, which the driver compiles for it: the synchronous forms.
//
// REQUIRES: nvcc, gpu
// RUN: nvcc -std=c++14 -arch=native %runtime %s -o %t
// RUN: %t | FileCheck %s
// RUN: nvcc -std=c++14 -gencode arch=compute_75,code=compute_75 %runtime %s -o %t.75
// RUN: %t.75 | FileCheck %s
//
// CHECK: 4 bytes: 10 rings, 0 wrong
// CHECK-NEXT: 8 bytes: 10 rings, 0 wrong
// CHECK-NEXT: 16 bytes: 10 rings, 0 wrong
#include <cstdio>
#include <kpipe/pipeline.h>

constexpr int Threads = 64, Tiles = 37, Block = Threads * Tiles;

struct alignas(4) Word {
  unsigned v[1];
};
struct alignas(8) Pair {
  unsigned v[2];
};
struct alignas(16) Quad {
  unsigned v[4];
};

/// Addresses that no load could take.
template <typename T> __device__ const T *nowhere(const T *src, int kind) {
  unsigned long long at = reinterpret_cast<unsigned long long>(src);
  return reinterpret_cast<const T *>(kind % 4 == 0   ? 0
                                     : kind % 4 == 1 ? at + (1ull << 45)
                                     : kind % 4 == 2 ? at - (1ull << 40)
                                                     : at + 2);
}

/// Each tile is read by other threads than those that copied it. In every third
/// tile odd threads copy nothing and fill with zero; their source is null, far
/// outside, or misaligned.
template <typename T, int Stages>
__global__ void ring(const T *src, T *out, int tiles) {
  __shared__ T tile[Stages][Threads];
  int thread = threadIdx.x;
  auto load_tile = [&](int t, int stage) {
    if (t % 3 == 0) {
      bool valid = thread % 2 == 0;
      kpipe::copy_async_zfill(&tile[stage][thread],
                              valid ? &src[t * Threads + thread]
                                    : nowhere(src, thread / 2),
                              valid);
    } else {
      kpipe::copy_async(&tile[stage][thread], &src[t * Threads + thread]);
    }
  };
  for (int t = 0; t < Stages - 1; ++t) {
    if (t < tiles)
      load_tile(t, t);
    kpipe::commit();
  }
  int stage = 0, fill = Stages - 1;
  for (int t = 0; t < tiles; ++t) {
    if (Stages == 1) {
      load_tile(t, 0);
      kpipe::commit();
    }
    kpipe::wait_prior<(Stages > 1 ? Stages - 2 : 0)>();
    __syncthreads();
    if (Stages > 1) {
      if (t + Stages - 1 < tiles)
        load_tile(t + Stages - 1, fill);
      kpipe::commit();
    }
    out[t * Threads + thread] = tile[stage][Threads - 1 - thread];
    if (Stages == 1)
      __syncthreads();
    stage = kpipe::next_stage<Stages>(stage);
    fill = kpipe::next_stage<Stages>(fill);
  }
  kpipe::wait_prior<0>();
}

template <typename T> struct Case {
  T *src, *out;
  int rings = 0, wrong = 0;

  template <int Stages> void run(int tiles) {
    for (int i = 0; i < Block; ++i)
      for (unsigned &word : out[i].v)
        word = 1;
    ring<T, Stages><<<1, Threads>>>(src, out, tiles);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      printf("%s\n", cudaGetErrorString(cudaGetLastError()));
      ++wrong;
      return;
    }
    ++rings;
    for (int i = 0; i < Block; ++i) {
      int t = i / Threads, from = Threads - 1 - i % Threads;
      bool zero = t % 3 == 0 && from % 2 != 0;
      for (size_t w = 0; w < sizeof(T) / 4; ++w) {
        unsigned expected = t >= tiles ? 1
                            : zero     ? 0
                                       : src[t * Threads + from].v[w];
        wrong += out[i].v[w] != expected;
      }
    }
  }
};

template <typename T> int check() {
  Case<T> c;
  if (cudaMallocManaged(&c.src, Block * sizeof(T)) != cudaSuccess ||
      cudaMallocManaged(&c.out, Block * sizeof(T)) != cudaSuccess) {
    printf("no GPU memory\n");
    return 1;
  }
  for (int i = 0; i < Block; ++i)
    for (size_t w = 0; w < sizeof(T) / 4; ++w)
      c.src[i].v[w] = 0x9e3779b9u * (i * 4 + w + 1);
  c.template run<1>(Tiles);
  c.template run<2>(Tiles);
  c.template run<3>(Tiles);
  c.template run<4>(1);
  c.template run<5>(0);
  c.template run<6>(Tiles);
  c.template run<8>(Tiles);
  c.template run<9>(Tiles - 1);
  c.template run<10>(Tiles);
  c.template run<11>(3);
  printf("%d bytes: %d rings, %d wrong\n", int(sizeof(T)), c.rings, c.wrong);
  cudaFree(c.src);
  cudaFree(c.out);
  return c.wrong;
}

int main() { return check<Word>() + check<Pair>() + check<Quad>() != 0; }
