// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory in parts: tiles, and beside them what the loop computes
// with, which has no stages.
// REQUIRES: executor
// RUN: %variants --at-least=6 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 6

// Sums stay in the block, and so do the rows that all tiles are multiplied with.
__global__ void sums_in_block(const float *__restrict__ A,
                              const float *__restrict__ B,
                              const float *__restrict__ bias,
                              float *__restrict__ C) {
  extern __shared__ float memory[];
  const int column = threadIdx.x, row = threadIdx.y;
  const int at = row * 32 + column;
  float *weights = memory + 4 * 64, *output = weights + 32 * 16;
  float *input = memory, *offset = output + 4 * 32;
  for (int i = 0; i < 2; ++i)
    input[at + i * 128] = A[blockIdx.x * 256 + at + i * 128];
  if (row == 0)
    offset[column] = bias[column];
  output[at] = 0.0f;
  __syncthreads();
  for (int k = 0; k < 64; k += 16) {
    const float *from = B + k * 32;
    for (int i = 0; i < 4; ++i)
      weights[at + i * 128] = from[at + i * 128];
    __syncthreads();
    const float *part = input + k;
    for (int p = 0; p < 16; ++p)
      output[at] += part[row * 64 + p] * weights[column + p * 32];
    __syncthreads();
  }
  C[blockIdx.x * 128 + at] = output[at] + offset[column];
}

// Scores of a tile, which other threads read behind a barrier of the compute
// region; the tile begins behind the queries.
template <int D, int KEYS>
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k,
                       const float *__restrict__ v, float *__restrict__ o,
                       int keys) {
  extern __shared__ float smem[];
  float *sQ = smem;
  float *sK = sQ + 4 * D;
  float *sV = sK + KEYS * D;
  float *sP = sV + KEYS * D;
  const int t = threadIdx.x;
  for (int i = t; i < 4 * D; i += 32)
    sQ[i] = q[blockIdx.x * 4 * D + i];
  float sum = 0.0f;
  for (int base = 0; base < keys; base += KEYS) {
    for (int i = t; i < KEYS * D; i += 32) {
      sK[i] = k[base * D + i];
      sV[i] = v[base * D + i];
    }
    __syncthreads();
    float s = 0.0f;
    for (int d = 0; d < D; ++d)
      s += sQ[t / 8 * D + d] * sK[t % 8 * D + d];
    sP[t] = s;
    __syncthreads();
    for (int j = 0; j < KEYS; ++j)
      sum += sP[t / 8 * 8 + j] * sV[j * D + t % 8];
    __syncthreads();
  }
  o[blockIdx.x * 32 + t] = sum;
}

// Parts of several types in a block of bytes; all threads add to one counter.
__global__ void bag(const int *__restrict__ index,
                    const float *__restrict__ weight,
                    const float *__restrict__ table, float *__restrict__ out,
                    int *__restrict__ used, int n) {
  extern __shared__ char bytes[];
  int *count = (int *)bytes;
  int *chosen = (int *)(bytes + 16);
  float *factor = (float *)(bytes + 16 + 64 * sizeof(int));
  const int t = threadIdx.x;
  if (t == 0)
    *count = 0;
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    chosen[t] = index[i + t];
    factor[t] = weight[i + t];
    __syncthreads();
    if (factor[t] > 0.5f)
      atomicAdd(count, chosen[t] & 3);
    for (int j = 0; j < 64; ++j)
      sum += factor[j] * table[chosen[j] & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
  __syncthreads();
  if (t == 0)
    used[blockIdx.x] = *count;
}

// A row that turns with the tiles: each reads what the one before has left.
__global__ void recurrence(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  extern __shared__ float both[];
  float *state = both, *tile = both + 48;
  const int t = threadIdx.x;
  state[t] = 0.0f;
  __syncthreads();
  for (int i = 0; i < n; i += 48) {
    tile[t] = x[i + t];
    __syncthreads();
    float next = 0.5f * state[(t + 1) % 48] + tile[47 - t];
    __syncthreads();
    state[t] = next;
    __syncthreads();
  }
  y[blockIdx.x * 48 + t] = state[t];
}

// A structure in the block, and the tile in front of it.
struct Best {
  float value[32];
  int place[32];
};
__global__ void best_of(const float4 *__restrict__ p, float *__restrict__ d,
                        int *__restrict__ at, int n) {
  extern __shared__ float4 points[];
  Best &best = *reinterpret_cast<Best *>(points + 32);
  const int t = threadIdx.x;
  best.value[t] = 1e30f;
  best.place[t] = -1;
  for (int base = 0; base < n; base += 32) {
    points[t] = p[base + t];
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      const float w = fabsf(points[j].x - 0.01f * t) + points[j].w;
      if (w < best.value[t]) {
        best.value[t] = w;
        best.place[t] = base + j;
      }
    }
    __syncthreads();
  }
  d[blockIdx.x * 32 + t] = best.value[t];
  at[blockIdx.x * 32 + t] = best.place[t];
}

// Places in the tile from a table, as it is in outer products.
__global__ void by_table(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ c) {
  extern __shared__ float three[];
  float *left = three, *right = left + 64, *out = right + 64;
  int row[8] = {0, 8, 16, 24, 32, 40, 48, 56};
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * 8 + x] = 0.0f;
  left[y * 8 + x] = a[blockIdx.x * 64 + y * 8 + x];
  for (int k = 0; k < 4; k++) {
    right[y * 8 + x] = b[k * 64 + y * 8 + x];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 8; j++)
      sum += left[y * 8 + j] * right[x + row[j]];
    out[y * 8 + x] += sum;
    __syncthreads();
  }
  c[blockIdx.x * 64 + y * 8 + x] = out[y * 8 + x];
}

void run_sums(const float *a, const float *b, const float *c, float *o) {
  sums_in_block<<<4, dim3(32, 4), (4 * 64 + 32 * 16 + 4 * 32 + 32) * 4>>>(
      a, b, c, o);
}
void run_scores(const float *q, const float *k, const float *v, float *o,
                int n) {
  scores<16, 8><<<4, 32, (4 * 16 + 2 * 8 * 16 + 32) * sizeof(float)>>>(
      q, k, v, o, n);
}
void run_bag(const int *i, const float *w, const float *t, float *o, int *u,
             int n) {
  bag<<<4, 64, 16 + 64 * (sizeof(int) + sizeof(float))>>>(i, w, t, o, u, n);
}
void run_recurrence(const float *x, float *y, int n) {
  recurrence<<<4, 48, 96 * sizeof(float)>>>(x, y, n);
}
void run_best(const float4 *p, float *d, int *at, int n) {
  best_of<<<4, 32, 32 * sizeof(float4) + sizeof(Best)>>>(p, d, at, n);
}

void run_table(const float *a, const float *b, float *c) {
  by_table<<<2, dim3(8, 8), 3 * 64 * sizeof(float)>>>(a, b, c);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sums_case) {
  auto a = in<float>("a", 4 * 256), b = in<float>("b", 64 * 32);
  auto c = in<float>("c", 32), o = out<float>("o", 4 * 128);
  run_sums(a, b, c, o);
}
CASE(table_case) {
  auto a = in<float>("a", 128), b = in<float>("b", 256);
  auto c = out<float>("c", 128);
  run_table(a, b, c);
}
CASE(scores_case) {
  for (int n : sizes(8)) {
    auto q = in<float>("q", 4 * 64), k = in<float>("k", (n + 8) * 16);
    auto v = in<float>("v", (n + 8) * 16), o = out<float>("o", 128);
    run_scores(q, k, v, o, n);
  }
}
CASE(bag_case) {
  for (int n : sizes(64)) {
    auto i = in<int>("i", n + 64);
    auto w = in<float>("w", n + 64), t = in<float>("t", 64);
    auto o = out<float>("o", 4 * 64);
    auto u = out<int>("u", 4);
    run_bag(i, w, t, o, u, n);
  }
}
CASE(recurrence_case) {
  for (int n : sizes(48)) {
    auto x = in<float>("x", n + 48), y = out<float>("y", 4 * 48);
    run_recurrence(x, y, n);
  }
}
CASE(best_case) {
  for (int n : sizes(32)) {
    auto p = in<float>("p", 4 * (n + 32)), d = out<float>("d", 4 * 32);
    auto at = out<int>("at", 4 * 32);
    run_best(p.as<float4>(), d, at, n);
  }
}
#endif
