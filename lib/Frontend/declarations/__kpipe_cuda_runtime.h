// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __kpipe_cuda_runtime.h: the header that kpipe includes before a CUDA file
// when no toolkit is found. It makes of Clang's own device headers and of
// kpipe's declarations what Clang's __clang_cuda_runtime_wrapper.h makes of the
// toolkit's. Device intrinsics come from the same Clang headers either way, so
// both ways give nearly the same AST. Declarations only; nothing can be linked.
#ifndef KPIPE_CUDA_RUNTIME_H
#define KPIPE_CUDA_RUNTIME_H
// It is named by its path, which does not make it a system header as the
// toolkit's are; the analysis knows CUDA's functions by that.
#pragma GCC system_header
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#if !defined(__CUDA__) || !defined(__clang__)
#error "this header is for Clang's CUDA mode only"
#endif

// Lets a file see that it is parsed without a toolkit.
#define __KPIPE_CUDA_DECLARATIONS__ 1

// libstdc++ avoids __float128 where it sees this, so it must come first.
#define __CUDACC__ 1
#define CUDA_VERSION 13000

// A machine without a C++ library still parses kernels that include nothing.
// (Clang itself has a <cmath> for CUDA, which includes the library's.)
#if __has_include(<climits>)
#include <__clang_cuda_math_forward_declares.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#else
#define KPIPE_NO_CXX_LIBRARY 1
#include <limits.h>
#include <stddef.h>
#endif
#include <stdint.h>

#include "crt/host_defines.h"

#include <__clang_cuda_builtin_vars.h>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#ifndef KPIPE_NO_CXX_LIBRARY
// Their bodies call libdevice; only the signatures matter here.
#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#else
// In Clang's headers as well, and the runtime calls one of them.
__device__ void __threadfence_block();
__device__ void __threadfence();
__device__ void __threadfence_system();
#endif

#include "crt/__kpipe_device_functions.h"
#include "crt/__kpipe_textures.h"

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const {
  return {x, y, z};
}

#ifndef KPIPE_NO_CXX_LIBRARY
#include <__clang_cuda_cmath.h>

#include <__clang_cuda_intrinsics.h>

#include <__clang_cuda_complex_builtins.h>
#endif

#endif // KPIPE_CUDA_RUNTIME_H
