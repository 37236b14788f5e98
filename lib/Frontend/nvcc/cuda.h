// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda.h, as Clang's own wrapper finds it where a toolkit is used. The wrapper
// asks for the version only; nvcc reads the driver's interface only where the
// file includes it, and so does not trip over -DN=64, of which the interface
// has parameters.
#pragma GCC system_header
#ifdef __CUDA_RUNTIME_H__
#include_next <cuda.h>
#else
#define CUDA_VERSION __KPIPE_CUDA_VERSION
// Clang's headers use its names for two types.
typedef __UINT32_TYPE__ cuuint32_t;
typedef __UINT64_TYPE__ cuuint64_t;
#endif
