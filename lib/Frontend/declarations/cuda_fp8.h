// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp8.h: 8-bit floating-point types and their conversions as CUDA
// documents them. Declarations only.
#ifndef KPIPE_DECL_CUDA_FP8_H
#define KPIPE_DECL_CUDA_FP8_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "crt/__kpipe_narrow_floats.h"

#define KPIPE_FN __host__ __device__ __attribute__((const))

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

KPIPE_FN __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                            __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind);
KPIPE_FN __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                               __nv_fp8_interpretation_t kind);
KPIPE_FN __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                            __nv_fp8_interpretation_t kind);
KPIPE_FN __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                __nv_fp8_interpretation_t kind);

// Scales of microscaled formats: a power of two.
KPIPE_FN __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, cudaRoundMode mode);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturate, cudaRoundMode mode);
KPIPE_FN __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x,
                                                   __nv_saturation_t saturate,
                                                   cudaRoundMode mode);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(
    float2 x, __nv_saturation_t saturate, cudaRoundMode mode);
KPIPE_FN __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x,
                                                    __nv_saturation_t saturate,
                                                    cudaRoundMode mode);
KPIPE_FN __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(
    double2 x, __nv_saturation_t saturate, cudaRoundMode mode);
KPIPE_FN __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x);
KPIPE_FN __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x);

KPIPE_NARROW_FLOAT(fp8, e4m3);
KPIPE_NARROW_FLOAT(fp8, e5m2);

#undef KPIPE_FN

#endif // KPIPE_DECL_CUDA_FP8_H
