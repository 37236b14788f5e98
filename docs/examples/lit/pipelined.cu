// RUN: %kpipe rewrite %s --arch=sm_86 | FileCheck %s
// CHECK: {{^ +}}__shared__ float xs_{{[a-z]+}}[2][T];
// CHECK: {{^ +}}auto compute_{{[a-z]+}} = [&]
constexpr int T = 64;

__global__ void __launch_bounds__(T)
smooth(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[(threadIdx.x + 1) % T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
