// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: copies of all threads together that fill a rectangle from a rectangle,
// whatever the mapping is, and their neighbours that do not.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=boxes %s 2>&1 | FileCheck %s

constexpr int T = 64, R = 16, C = 32;

#define TILE(NAME, ...)                                                        \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ A, const int *__restrict__ at, float *y,  \
           int M, int K, int lda) {                                            \
    __shared__ float As[R][C];                                                 \
    const int tid = threadIdx.x, row = blockIdx.y * R;                         \
    float sum = 0;                                                             \
    for (int k0 = 0; k0 < K; k0 += C) {                                        \
      __VA_ARGS__ __syncthreads();                                             \
      for (int i = 0; i < R; ++i)                                              \
        sum += As[i][tid % C] * As[i][i];                                      \
      __syncthreads();                                                         \
    }                                                                          \
    y[blockIdx.x * T + tid] = sum;                                             \
  }
#define EACH for (int i = tid; i < R * C; i += T)

// One loop with strides of a block, in several spellings.
TILE(strided, EACH As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes strided
// CHECK-NEXT: As: 16 rows of 32 elements of 4 bytes, shared 0 + 128 r, global A + 4 row K + 4 k0 + (4 K) r
TILE(shifted, EACH As[i >> 5][i & 31] = A[(row + (i >> 5)) * lda + (k0 + (i & 31))];)
// CHECK-LABEL: boxes shifted
// CHECK-NEXT: As: 16 rows of 32 elements of 4 bytes, shared 0 + 128 r, global A + 4 row lda + 4 k0 + (4 lda) r
TILE(nested, for (int r = tid / C; r < R; r += T / C) for (int c = tid % C; c < C; c += C)
     As[r][c] = A[(row + r) * K + k0 + c];)
// CHECK-LABEL: boxes nested
// CHECK-NEXT: As: 16 rows of 32 elements
TILE(counted, for (int j = 0; j < 8; ++j) As[2 * j + tid / C][tid % C] = A[(row + 2 * j + tid / C) * K + k0 + tid % C];)
// CHECK-LABEL: boxes counted
// CHECK-NEXT: As: 16 rows of 32 elements
TILE(named, EACH { const int r = i / C, gr = row + r; const int gc = k0 + i % C; As[r][i % C] = A[gr * K + gc]; })
// CHECK-LABEL: boxes named
// CHECK-NEXT: As: 16 rows of 32 elements of 4 bytes, shared 0 + 128 r, global A + 4 row K + 4 k0 + (4 K) r
TILE(wide, for (int i = tid; i < R * C / 4; i += T)
     *(float4 *)&As[i / 8][i % 8 * 4] = *(const float4 *)&A[(row + i / 8) * K + k0 + i % 8 * 4];)
// CHECK-LABEL: boxes wide
// CHECK-NEXT: As: 16 rows of 8 elements of 16 bytes
TILE(pointer, EACH { const float *p = A + (row + i / C) * K; *(&As[0][0] + i) = p[k0 + i % C]; })
// CHECK-LABEL: boxes pointer
// CHECK-NEXT: As: 16 rows of 32 elements
TILE(guarded, EACH As[i / C][i % C] = row + i / C < M && k0 + i % C < K ? A[(row + i / C) * K + k0 + i % C] : 0.0f;)
// CHECK-LABEL: boxes guarded
// CHECK-NEXT: As: 16 rows of 32 elements of 4 bytes, {{.*}}, where row < M, where k0 < K
// As many rows as threads have, in a part of the array.
TILE(part, As[tid / C][tid % C] = A[(row + tid / C) * K + k0 + tid % C];)
// CHECK-LABEL: boxes part
// CHECK-NEXT: As: 2 rows of 32 elements

// Neighbours.
TILE(transposed, EACH As[i % R][i / R] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes transposed
// CHECK-NEXT: As: no box: its elements are no rows
TILE(turned, EACH As[i % R][i / R] = A[(row + i / R) * K + k0 + i % R];)
// CHECK-LABEL: boxes turned
// CHECK-NEXT: As: no box: its elements are no rows
TILE(twice, for (int i = tid; i < R * C; i += T / 2) As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes twice
// CHECK-NEXT: As: no box: an element is stored twice
TILE(hole, EACH if (i != 77) As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes hole
// CHECK-NEXT: As: no box: its elements are no rows
TILE(elsewhere, EACH As[i / C][i % C] = A[(row + i / C) * K + k0 + (i == 99 ? 98 : i % C)];)
// CHECK-LABEL: boxes elsewhere
// CHECK-NEXT: As: no box: its elements are no rows
TILE(overlapping, EACH As[(i / C + i / (8 * C)) % R][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes overlapping
// CHECK-NEXT: As: no box: an element is stored twice
TILE(swizzled, EACH As[i / C][(i % C) ^ (i / C % 4)] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes swizzled
// CHECK-NEXT: As: no box: its elements are no rows
TILE(gathered, EACH As[i / C][i % C] = A[at[row + i / C] * K + k0 + i % C];)
// CHECK-LABEL: boxes gathered
// CHECK-NEXT: As: no box: where an element is loaded from is no sum
TILE(rowsApart, EACH As[i / C][i % C] = A[(row + i / C * (i / C)) * K + k0 + i % C];)
// CHECK-LABEL: boxes rowsApart
// CHECK-NEXT: As: no box: its elements are no rows
TILE(ragged, EACH if (i % C <= 2 * (i / C)) As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes ragged
// CHECK-NEXT: As: no box: its elements are no rows
TILE(triangle, EACH As[i / C][i % C] = k0 + i % C < row + i / C ? A[(row + i / C) * K + k0 + i % C] : 0.0f;)
// CHECK-LABEL: boxes triangle
// CHECK-NEXT: As: no box: its guard is not made of bounds
TILE(either, EACH As[i / C][i % C] = row + i / C < M || k0 + i % C < K ? A[(row + i / C) * K + k0 + i % C] : 0.0f;)
// CHECK-LABEL: boxes either
// CHECK-NEXT: As: no box: its guard is not made of bounds
TILE(mixed, EACH { As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C]; sum += 1; })
// CHECK-LABEL: boxes mixed
// CHECK-NEXT: As: no box: a statement beside the copies is none of them
TILE(scaled, EACH As[i / C][i % C] = 2 * A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes scaled
// CHECK-NEXT: As: no box: it is not filled by plain copies
TILE(divided, EACH As[i / C][i % C] = A[(row * K + k0 + i) / 2];)
// CHECK-LABEL: boxes divided
// CHECK-NEXT: As: no box: where an element is loaded from is no sum
TILE(untilRow, for (int i = tid; i < M; i += T) if (i < R * C) As[i / C][i % C] = A[(row + i / C) * K + k0 + i % C];)
// CHECK-LABEL: boxes untilRow
// CHECK-NEXT: As: no box: a copy loop cannot be counted

// A block of any size.
__global__ void anySize(const float *__restrict__ A, float *y, int K) {
  __shared__ float As[R][C];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = threadIdx.x; i < R * C; i += blockDim.x)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][threadIdx.x % C] * As[i][i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: boxes: the size of the block is not known
