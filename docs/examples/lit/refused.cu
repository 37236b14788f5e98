// RUN: %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s
// CHECK: refused.cu:11:3: warning: not pipelined: {{.*}} [kpipe-missing-barrier]
constexpr int T = 64;

// Nothing keeps a fast thread from overwriting what a slow one still reads.
__global__ void __launch_bounds__(T)
racy(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;

  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[(threadIdx.x + 1) % T];
  }
  y[threadIdx.x] = sum;
}
