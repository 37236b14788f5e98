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
// Not nvcc's, but of nearly every header that may be missing here.
#include <stdint.h>
#endif
// Clang has a <new> around the library's; this one is the library's alone.
#if __has_include(<typeinfo>)
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

// Clang drops the attribute, which limits the registers of a kernel.
#undef __maxnreg__
#define __maxnreg__(n) __attribute__((annotate("kpipe maxnreg", n)))

// Device functions of the toolkit's that Clang has not, and that its wrapper
// leaves out. Declarations only.
template <class _Tp> struct __kpipe_same {
  typedef _Tp type;
};
template <class _Tp> __device__ _Tp __ldca(const _Tp *p);
template <class _Tp> __device__ _Tp __ldlu(const _Tp *p);
__device__ unsigned long __ldcg(const unsigned long *p);
__device__ unsigned long __ldcs(const unsigned long *p);
__device__ unsigned long __ldcv(const unsigned long *p);
template <class _Tp>
__device__ void __stwb(_Tp *p, typename __kpipe_same<_Tp>::type value);
template <class _Tp>
__device__ void __stcg(_Tp *p, typename __kpipe_same<_Tp>::type value);
template <class _Tp>
__device__ void __stcs(_Tp *p, typename __kpipe_same<_Tp>::type value);
template <class _Tp>
__device__ void __stwt(_Tp *p, typename __kpipe_same<_Tp>::type value);
__device__ __attribute__((const)) float __tanhf(float x);
__device__ __attribute__((const)) float2 __ffma2_rn(float2 a, float2 b,
                                                    float2 c);
__device__ __attribute__((const)) float2 __ffma2_rz(float2 a, float2 b,
                                                    float2 c);
__device__ __attribute__((const)) float2 __ffma2_rd(float2 a, float2 b,
                                                    float2 c);
__device__ __attribute__((const)) float2 __ffma2_ru(float2 a, float2 b,
                                                    float2 c);
__device__ __attribute__((const)) float2 __fadd2_rn(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fadd2_rz(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fadd2_rd(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fadd2_ru(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fmul2_rn(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fmul2_rz(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fmul2_rd(float2 a, float2 b);
__device__ __attribute__((const)) float2 __fmul2_ru(float2 a, float2 b);

#endif // KPIPE_AS_NVCC_H
