// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy under a condition: as the runtime has it, and with the operand of PTX
// that says that the source is not read.
#include <kpipe/pipeline.h>

template <typename T>
__device__ __forceinline__ void copy(T *dst, const T *src, bool valid) {
#ifdef IGNORE_SRC
  unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(dst));
  unsigned long long global = __cvta_generic_to_global(src);
  unsigned ignored = !valid;
  if (sizeof(T) == 16)
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0;\n"
                 "cp.async.cg.shared.global [%0], [%1], 16, p; }"
                 :
                 : "r"(shared), "l"(global), "r"(ignored)
                 : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0;\n"
                 "cp.async.ca.shared.global [%0], [%1], %2, p; }"
                 :
                 : "r"(shared), "l"(global), "n"(sizeof(T)), "r"(ignored)
                 : "memory");
#else
  kpipe::copy_async_zfill(dst, src, valid);
#endif
}

template <typename T>
__device__ void reversed(const T *x, T *y, int n) {
  __shared__ T tile[64];
  copy(&tile[threadIdx.x], &x[threadIdx.x], int(threadIdx.x) < n);
  kpipe::commit();
  kpipe::wait_prior<0>();
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void of_4_bytes(const float *x, float *y, int n) {
  reversed(x, y, n);
}
__global__ void of_8_bytes(const float2 *x, float2 *y, int n) {
  reversed(x, y, n);
}
__global__ void of_16_bytes(const float4 *x, float4 *y, int n) {
  reversed(x, y, n);
}
