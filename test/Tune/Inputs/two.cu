// Two kernels with a tile loop each, and one that cannot be pipelined.
__global__ void first(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[128];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

namespace other {
__global__ void second(const float4 *__restrict__ x, float4 *__restrict__ y,
                       int n) {
  __shared__ float4 xs[128];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += xs[i].x;
    __syncthreads();
  }
  y[threadIdx.x].x = sum;
}
} // namespace other

__global__ void racy(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[128];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
  }
  y[threadIdx.x] = sum;
}
