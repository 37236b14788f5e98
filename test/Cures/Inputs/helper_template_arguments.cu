// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

template <class E> __device__ void load(const E *x, E *xs, int i) {
  xs[threadIdx.x] = 2 * x[i + threadIdx.x];
}

template <class V>
__global__ void __launch_bounds__(T)
tile(const V *__restrict__ x, V *__restrict__ y, int n) {
  __shared__ V xs[T];
  V sum = 0;
  for (int i = 0; i < n; i += T) {
#ifdef CURED
    load<V>(x, xs, i);
#else
    load(x, xs, i);
#endif
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void launch(const float *x, float *y, int n) { tile<<<1, T>>>(x, y, n); }
