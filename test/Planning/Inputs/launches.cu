// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel, and every way in which host code may tell its block's size.

template <int T> __global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; t += T) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#if defined(NUMBER)
void run(const float *in, float *out, int n) { k<64><<<1, 64>>>(in, out, n); }
#elif defined(VARIABLE)
constexpr int Side = 4;
void run(const float *in, float *out, int n) {
  int blocks = n / 64;
  unsigned rows = 64 / Side;
  dim3 grid(blocks), block(Side, rows, sizeof(float) / 4);
  k<64><<<grid, block>>>(in, out, n);
}
#elif defined(CHANGED)
void run(const float *in, float *out, int n) {
  dim3 block(64);
  if (n < 64)
    block.x = n;
  k<64><<<1, block>>>(in, out, n);
}
#elif defined(INSTANCES)
template <int T> void launch(const float *in, float *out, int n) {
  const int threads = T;
  k<T><<<n / T, dim3(threads)>>>(in, out, n);
}
void run(const float *in, float *out, int n) {
  launch<64>(in, out, n);
  launch<256>(in, out, n);
}
#elif defined(DISAGREE)
void run(const float *in, float *out, int n) {
  k<64><<<1, 64>>>(in, out, n);
  k<64><<<1, dim3(16, 8)>>>(in, out, n);
}
#elif defined(FUNCTION)
void run(const float *in, float *out, int n) {
  void *args[] = {&in, &out, &n};
  cudaLaunchKernel((const void *)&k<64>, dim3(1), dim3(64), args, 0, 0);
}
#elif defined(NAMED)
void run(const float *in, float *out, int n) {
  auto kernel = k<64>;
  kernel<<<1, 64>>>(in, out, n);
}
#elif defined(CALLED)
static void launch(const float *in, float *out, int n, int threads) {
  dim3 block(threads);
  if (threads == 32)
    k<32><<<1, block>>>(in, out, n);
  else
    k<64><<<1, block>>>(in, out, n);
}
int main() {
  int threads = 64;
  launch(nullptr, nullptr, 0, threads);
}
#elif defined(ASKED)
void run(const float *in, float *out, int n, int threads) {
  k<64><<<1, threads>>>(in, out, n);
}
#else
template __global__ void k<64>(const float *, float *, int);
#endif
