// Loops with barriers in what a loop with barriers of its own computes.
__global__ void k(const float *x, float *out, int n) {
  __shared__ float red[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    red[threadIdx.x] = x[t * 256 + threadIdx.x];
    __syncthreads();
    for (int s = 128; s; s >>= 1) {
      if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
      __syncthreads();
    }
    sum += red[0];
    __syncthreads();
  }
  for (int s = 128; s; s >>= 1) {
    if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
    __syncthreads();
  }
  out[threadIdx.x] = sum + red[0];
}
