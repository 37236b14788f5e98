// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp6.h: 6-bit floating-point types and their conversions as CUDA
// documents them. Declarations only.
#ifndef KPIPE_DECL_CUDA_FP6_H
#define KPIPE_DECL_CUDA_FP6_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_FP6_H__

#include "cuda_fp8.h"

#define KPIPE_FN __host__ __device__ __attribute__((const))

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

KPIPE_FN __nv_fp6_storage_t __nv_cvt_double_to_fp6(
    double x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(
    double2 x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6_storage_t __nv_cvt_float_to_fp6(
    float x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(
    float2 x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(
    __half_raw x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(
    __half2_raw x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(
    __nv_bfloat16_raw x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(
    __nv_bfloat162_raw x, __nv_fp6_interpretation_t kind, cudaRoundMode mode);
KPIPE_FN __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x,
                                            __nv_fp6_interpretation_t kind);
KPIPE_FN __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x,
                                                __nv_fp6_interpretation_t kind);

KPIPE_NARROW_FLOAT(fp6, e2m3);
KPIPE_NARROW_FLOAT(fp6, e3m2);

#undef KPIPE_FN

#endif // KPIPE_DECL_CUDA_FP6_H
