// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crt/host_defines.h: CUDA's function and variable attributes, for parsing
// without a toolkit. Written from the documented language; knows no types and
// no functions.
#ifndef KPIPE_DECL_HOST_DEFINES_H
#define KPIPE_DECL_HOST_DEFINES_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __HOST_DEFINES_H__
#define __CRT_HOST_DEFINES_H__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Clusters change no layout and no control flow that a tile loop sees.
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

// Not __noinline__: libstdc++ spells __attribute__((__noinline__)), and Clang
// has the keyword built in for CUDA.
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __no_return__ __attribute__((noreturn))
#define __specialization_static static
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif // KPIPE_DECL_HOST_DEFINES_H
