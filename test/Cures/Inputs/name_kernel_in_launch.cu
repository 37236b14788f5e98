// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async --allow-occupancy-drop

constexpr int T = 64, Floats = 8192;

template <typename V>
__global__ void __launch_bounds__(T)
tile(const V *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += Floats) {
    for (int j = 0; j < Floats / T; ++j)
      xs[j * T + threadIdx.x] = x[i + j * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Floats; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void launch(const float *x, float *y, int n) {
#ifdef CURED
  tile<float><<<1, T, Floats * 4>>>(x, y, n);
#else
  tile<<<1, T, Floats * 4>>>(x, y, n);
#endif
}
