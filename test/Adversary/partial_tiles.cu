// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part and read elsewhere, by subscripts that leave
// their row or wrap around, by numbers that were other ones when the condition was
// asked, and by what the text of a macro says in one place. What is read beyond is
// what an earlier tile of the only buffer left there.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=6 %s

#include <cuda_runtime.h>

constexpr int T = 32, Rows = 4, Row = 8;

// A tile of four rows, of which the last tile has fewer. The first one is whole.
#define KERNEL(Name)                                                                             \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y, int n) {              \
    const int i = threadIdx.x, r = i / Row, c = i % Row;                                         \
    float sum = 0;                                                                               \
    if (n < T)                                                                                   \
      return;
#define END                                                                                      \
  y[threadIdx.x] = sum;                                                                          \
  }

// All rows by the first one's name.
KERNEL(all_of_the_first)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += Rows) {
    if (t + r < n)
      xs[r][c] = x[t + r];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t < n)
        sum = sum * 0.5f + xs[0][j];
    __syncthreads();
  }
END

// Two rows at once: the second one may be left out.
KERNEL(two_rows)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += Rows) {
    if (t + r < n)
      xs[r][c] = x[t + r];
    __syncthreads();
    for (int j = 0; j < Rows - 1 && t + j < n; ++j)
      for (int k = 0; k < 2 * Row; ++k)
        sum = sum * 0.5f + xs[j][k];
    __syncthreads();
  }
END

// The element before a row's first one is another row's last one.
KERNEL(before_the_row)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += Row) {
    if (t + c < n)
      xs[r][c] = x[t + c];
    __syncthreads();
    for (int j = 1; j < Rows; ++j)
      for (int k = 0; k < Row; ++k)
        if (t + k - 1 < n)
          sum = sum * 0.5f + xs[j][k - 1];
    __syncthreads();
  }
END

// The stores leave their row.
KERNEL(stored_by_the_first)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += T) {
    if (t + i < n)
      xs[0][i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < Rows; ++j)
      for (int k = 0; k < Row; ++k)
        if (t + k < n)
          sum = sum * 0.5f + xs[j][k];
    __syncthreads();
  }
END

KERNEL(stored_before_the_row)
  __shared__ float xs[Rows + 1][Row];
  for (int t = 0; t < n; t += Rows) {
    if (t + r + 1 < n)
      xs[r + 1][c - Row] = x[t + r];
    __syncthreads();
    if (t > 0)
      for (int j = 0; j < Rows && t + j < n; ++j)
        for (int k = 0; k < Row; ++k)
          sum = sum * 0.5f + xs[j][k];
    __syncthreads();
  }
END

// Planes of rows.
KERNEL(planes)
  __shared__ float xs[Rows][2][4];
  for (int t = 0; t < n; t += Rows) {
    if (t + r < n)
      xs[r][c / 4][c % 4] = x[t + r];
    __syncthreads();
    for (int j = 0; j < Rows - 1 && t + j < n; ++j)
      for (int k = 0; k < 3; ++k)
        sum = sum * 0.5f + xs[j][k][i % 4];
    __syncthreads();
  }
END

// The same in their rows: by a remainder, a loop, the lesser of two, a condition.
KERNEL(rows_legal)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += Rows) {
    if (t + r < n)
      xs[r][c] = x[t + r];
    __syncthreads();
    for (int j = 0; j < Rows && t + j < n; ++j) {
      sum = sum * 0.5f + xs[j][c];
      for (int k = 0; k < Row; ++k)
        sum = sum * 0.5f + xs[j][k];
    }
    __syncthreads();
  }
END
KERNEL(columns_legal)
  __shared__ float xs[Rows][Row];
  for (int t = 0; t < n; t += Row) {
    const int left = min(Row, n - t);
    if (c < left)
      xs[r][c] = x[t + c];
    __syncthreads();
    for (int j = 0; j < left; ++j)
      sum = sum * 0.5f + xs[r][j] + (j > 0 ? xs[r][j - 1] : 0);
    __syncthreads();
  }
END
// Rows of a loop, which a quotient names.
KERNEL(quotients_legal)
  __shared__ float xs[2 * Rows][Row];
  for (int t = 0; t < n; t += 2 * Rows) {
#pragma unroll
    for (int k = 0; k < 2; ++k)
      if (t + (i + k * T) / Row < n)
        xs[(i + k * T) / Row][(i + k * T) % Row] = x[t + (i + k * T) / Row];
    __syncthreads();
    for (int j = 0; j < 2 * Rows && t + j < n; ++j)
      sum = sum * 0.5f + xs[j][c];
    __syncthreads();
  }
END

// What a signed number loses by a shift is lost in one of the two alone.
KERNEL(shifted)
  __shared__ float xs[T];
  const long long end = (1LL << 31) + n;
  const int first = (1 << 26) - 2;
  for (int t = first; t < (1 << 26) + (n + T - 1) / T; ++t) {
    if ((long long)t * 32 + i < end)
      xs[i] = x[((t - first) * T + i) % n];
    __syncthreads();
    for (int j = 0; j < T && (t << 5) + j < end; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
END

// One macro declares a number and counts behind it.
#define READ_ALL                                                                                 \
  {                                                                                              \
    int j = 0;                                                                                   \
    const int at = t + j;                                                                        \
    for (; j < T && at < n; ++j)                                                                 \
      sum = sum * 0.5f + xs[j];                                                                  \
  }
KERNEL(macro_counts)
  __shared__ float xs[T];
  for (int t = 0; t < n; t += T) {
    if (t + i < n)
      xs[i] = x[t + i];
    __syncthreads();
    READ_ALL
    __syncthreads();
  }
END

// A number of before the loop, and another one that was made of it earlier.
KERNEL(made_earlier)
  __shared__ float xs[T];
  int end = n;
  const int most = end + 5;
  end -= 3;
  for (int t = 0; t < end; t += T) {
    if (t + i < end)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < most - 5; ++j)
      sum = sum * 0.5f + (t ? xs[j] : 1);
    __syncthreads();
  }
END
KERNEL(of_each_thread)
  __shared__ float xs[T];
  int end = n;
  if (i > 16)
    end -= i % 4;
  for (int t = 0; t < n; t += T) {
    if (t + i < end)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < end; ++j)
      sum = sum * 0.5f + (t ? xs[j] : 1);
    __syncthreads();
  }
END
KERNEL(made_before_legal)
  __shared__ float xs[T];
  int end = n;
  if (n > 40)
    end = n - 3;
  for (int t = 0; t < end; t += T) {
    if (t + i < end)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < end; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
END
// A part of a block's own, in numbers that are unsigned on their way.
KERNEL(parts_legal)
  __shared__ float xs[T];
  const int begin = blockIdx.x * n, end = min(begin + n - 1, n);
  for (int t = begin; t < end; t += T) {
    if (t + i < end)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < end; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
END

// A bound that is a member of what the kernel is given.
struct Given {
  int n, more;
};
__global__ void member_legal(const float *__restrict__ x, float *__restrict__ y, Given g) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < g.n; t += T) {
    if (t + i < g.n)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < g.n; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[i] = sum;
}
__global__ void other_member(const float *__restrict__ x, float *__restrict__ y, Given g) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < g.n; t += T) {
    if (t + i < g.n)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < g.more; ++j)
      sum = sum * 0.5f + (t ? xs[j] : 1);
    __syncthreads();
  }
  y[i] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"

PARTS(all_of_the_first)
PARTS(two_rows)
PARTS(before_the_row)
PARTS(stored_by_the_first)
PARTS(stored_before_the_row)
PARTS(planes)
PARTS(rows_legal)
PARTS(columns_legal)
PARTS(quotients_legal)
PARTS(shifted)
PARTS(macro_counts)
PARTS(made_earlier)
PARTS(of_each_thread)
PARTS(made_before_legal)
PARTS(parts_legal)
CASE(members_of_the_given) {
  for (int n : sizes(T))
    if (n >= T) {
      auto x = in<float>("x", n), y = out<float>("y", T), z = out<float>("z", T);
      launch({1, T}, member_legal, x, y, Given{n, n + 5});
      launch({1, T}, other_member, x, z, Given{n, n + 5});
    }
}
#endif
