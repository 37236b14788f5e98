// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of texture fetches: loads of memory that nobody writes meanwhile.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 4
// RUN: not grep 'not pipelined' %t.err

constexpr int T = 64;

__global__ void __launch_bounds__(T)
fetched(cudaTextureObject_t x, float *y, int n) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    s[t] = tex1Dfetch<float>(x, k + t);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
    __syncthreads();
  }
  y[t] = acc;
}

// Zero behind the end.
__global__ void __launch_bounds__(T)
guarded(cudaTextureObject_t x, float *y, int n) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      s[t] = tex1Dfetch<float>(x, k + t);
    else
      s[t] = 0;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
    __syncthreads();
  }
  y[t] = acc;
}

// The loop stores to memory that no texture is.
__device__ float at(cudaTextureObject_t x, int i) {
  return tex1D<float>(x, i + 0.5f);
}
__global__ void __launch_bounds__(T)
by_function(cudaTextureObject_t x, float *y, int n) {
  __shared__ float s[T];
  int t = threadIdx.x;
  for (int k = 0; k < n; k += T) {
    s[t] = at(x, k + t) * 2;
    __syncthreads();
    float acc = 0;
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
    y[k + t] = acc;
    __syncthreads();
  }
}

// Beside an ordinary load.
__global__ void __launch_bounds__(T)
beside(cudaTextureObject_t x, const float *__restrict__ w,
       float *__restrict__ y, int n) {
  __shared__ float s[T], ws[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    float v = tex1Dfetch<float>(x, k + t);
    s[t] = v * v;
    ws[t] = w[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * ws[j ^ (t & 7)];
    __syncthreads();
  }
  y[t] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#ifdef __NVCC__
static cudaTextureObject_t made(const cudaResourceDesc &from) {
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  harness::backend::check(cudaCreateTextureObject(&texture, &from, &how, nullptr), "texture");
  return texture;
}
static cudaTextureObject_t texture(const float *x, int n) {
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeLinear;
  from.res.linear.devPtr = const_cast<float *>(x);
  from.res.linear.desc = cudaCreateChannelDesc<float>();
  from.res.linear.sizeInBytes = (n ? n : 1) * sizeof(float);
  return made(from);
}
// tex1D reads arrays.
static cudaTextureObject_t of_array(const float *x, int n) {
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeArray;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  harness::backend::check(cudaMallocArray(&from.res.array.array, &floats, n ? n : 1), "array");
  if (n)
    harness::backend::check(cudaMemcpy2DToArray(from.res.array.array, 0, 0, x, n * sizeof(float),
                                                n * sizeof(float), 1, cudaMemcpyDeviceToDevice),
                            "copy to the array");
  return made(from);
}
#else
static cudaTextureObject_t texture(const float *x, int) {
  return reinterpret_cast<cudaTextureObject_t>(x);
}
static cudaTextureObject_t of_array(const float *x, int n) { return texture(x, n); }
#endif
CASE(fetched) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, fetched, texture(x, n), y, n);
  }
}
CASE(guarded) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, guarded, texture(x, n), y, n);
  }
}
CASE(by_function) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", n);
    launch({dim3(1), dim3(T)}, by_function, of_array(x, n), y, n);
  }
}
CASE(beside) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, beside, texture(x, n), w, y, n);
  }
}
#endif
