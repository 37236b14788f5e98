// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates whose instantiations would be pipelined differently if they were
// not one text.

constexpr int T = 256;

// 16 bytes go by cp.async, 12 cannot.
template <typename V>
__global__ void __launch_bounds__(T) elements(const V *in, float *out, int n) {
  __shared__ V tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i].x;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void elements<float4>(const float4 *, float *, int);
template __global__ void elements<float3>(const float3 *, float *, int);

// Two stages of the smaller fit, of the larger they do not.
template <int N>
__global__ void __launch_bounds__(T) sizes(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < N; i += T)
      tile[i + threadIdx.x] = in[t * N + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void sizes<512>(const float *, float *, int);
template __global__ void sizes<8192>(const float *, float *, int);

// Neither is any good for the larger: refused for both.
template <int N>
__global__ void __launch_bounds__(32) never(const float *in, float *out, int n) {
  __shared__ float tile[N];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < N; i += 32)
      tile[i + threadIdx.x] = in[t * N + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < N; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void never<32>(const float *, float *, int);
template __global__ void never<8192>(const float *, float *, int);
