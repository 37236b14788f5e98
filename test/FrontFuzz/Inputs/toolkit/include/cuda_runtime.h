// As much of CUDA as the seeds use: an input is parsed in a few milliseconds.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __restrict__ __restrict
typedef unsigned long size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
extern const __device__ __attribute__((weak)) uint3 threadIdx, blockIdx;
extern const __device__ __attribute__((weak)) dim3 blockDim, gridDim;
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
extern "C" {
__device__ void __syncthreads();
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned = 0xffffffffu);
__device__ void __threadfence();
__device__ float __expf(float);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ float fmaf(float, float, float);
__device__ int atomicAdd(int *, int);
__device__ int printf(const char *, ...);
}
__device__ float4 make_float4(float, float, float, float);
__device__ float __ldg(const float *);
__device__ int min(int, int);
__device__ int max(int, int);
typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0,
                                                void * = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
