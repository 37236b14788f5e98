// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __kpipe_as_nvcc.h: what nvcc brings into every file and Clang does not, with
// a toolkit and without. It follows what Clang includes by itself.
#ifndef KPIPE_AS_NVCC_H
#define KPIPE_AS_NVCC_H
#pragma GCC system_header

// As in crt/common_functions.h.
#if __has_include(<assert.h>)
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
#if __has_include(<new>)
#include <new>
#endif

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// To Clang, managed memory is HIP's. For device code it is the device's.
#undef __managed__
#define __managed__ __device__

// Words of GNU's that EDG knows in every dialect.
#ifdef __STRICT_ANSI__
#define typeof __typeof__
#endif

#endif // KPIPE_AS_NVCC_H
