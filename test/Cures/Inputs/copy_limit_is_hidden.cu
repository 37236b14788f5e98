// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

template <int Len>
__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int part) {
  constexpr int Size = Len * 2;
  __shared__ float xs[Size];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += part) {
#ifdef CURED
    const int Start = k;
#else
    const int Size = k, Start = Size;
#endif
    for (int i = t; i < part; i += T)
      xs[i] = x[k + i] * 2 + Start;
    __syncthreads();
    for (int i = 0; i < part; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void tile<80>(const float *, float *, int, int);
template __global__ void tile<96>(const float *, float *, int, int);
