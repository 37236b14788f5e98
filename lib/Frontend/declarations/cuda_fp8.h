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

#define KPIPE_HD __host__ __device__
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

struct __nv_fp8_e4m3 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e4m3() = default;
  KPIPE_HD explicit __nv_fp8_e4m3(__half v);
  KPIPE_HD explicit __nv_fp8_e4m3(__nv_bfloat16 v);
  KPIPE_HD explicit __nv_fp8_e4m3(float v);
  KPIPE_HD explicit __nv_fp8_e4m3(double v);
  KPIPE_HD explicit __nv_fp8_e4m3(unsigned short v);
  KPIPE_HD explicit __nv_fp8_e4m3(unsigned int v);
  KPIPE_HD explicit __nv_fp8_e4m3(unsigned long v);
  KPIPE_HD explicit __nv_fp8_e4m3(unsigned long long v);
  KPIPE_HD explicit __nv_fp8_e4m3(short v);
  KPIPE_HD explicit __nv_fp8_e4m3(int v);
  KPIPE_HD explicit __nv_fp8_e4m3(long v);
  KPIPE_HD explicit __nv_fp8_e4m3(long long v);
  KPIPE_HD explicit operator __half() const;
  KPIPE_HD explicit operator __nv_bfloat16() const;
  KPIPE_HD explicit operator float() const;
  KPIPE_HD explicit operator double() const;
  KPIPE_HD explicit operator unsigned char() const;
  KPIPE_HD explicit operator unsigned short() const;
  KPIPE_HD explicit operator unsigned int() const;
  KPIPE_HD explicit operator unsigned long() const;
  KPIPE_HD explicit operator unsigned long long() const;
  KPIPE_HD explicit operator signed char() const;
  KPIPE_HD explicit operator char() const;
  KPIPE_HD explicit operator short() const;
  KPIPE_HD explicit operator int() const;
  KPIPE_HD explicit operator long() const;
  KPIPE_HD explicit operator long long() const;
  KPIPE_HD explicit operator bool() const;
};
struct __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e4m3() = default;
  KPIPE_HD explicit __nv_fp8x2_e4m3(__half2 v);
  KPIPE_HD explicit __nv_fp8x2_e4m3(__nv_bfloat162 v);
  KPIPE_HD explicit __nv_fp8x2_e4m3(float2 v);
  KPIPE_HD explicit __nv_fp8x2_e4m3(double2 v);
  KPIPE_HD explicit operator __half2() const;
  KPIPE_HD explicit operator float2() const;
};
struct __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e4m3() = default;
  KPIPE_HD explicit __nv_fp8x4_e4m3(float4 v);
  KPIPE_HD explicit __nv_fp8x4_e4m3(double4_16a v);
  KPIPE_HD explicit __nv_fp8x4_e4m3(__half2 lo, __half2 hi);
  KPIPE_HD explicit __nv_fp8x4_e4m3(__nv_bfloat162 lo, __nv_bfloat162 hi);
  KPIPE_HD explicit operator float4() const;
};
struct __nv_fp8_e5m2 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e5m2() = default;
  KPIPE_HD explicit __nv_fp8_e5m2(__half v);
  KPIPE_HD explicit __nv_fp8_e5m2(__nv_bfloat16 v);
  KPIPE_HD explicit __nv_fp8_e5m2(float v);
  KPIPE_HD explicit __nv_fp8_e5m2(double v);
  KPIPE_HD explicit __nv_fp8_e5m2(unsigned short v);
  KPIPE_HD explicit __nv_fp8_e5m2(unsigned int v);
  KPIPE_HD explicit __nv_fp8_e5m2(unsigned long v);
  KPIPE_HD explicit __nv_fp8_e5m2(unsigned long long v);
  KPIPE_HD explicit __nv_fp8_e5m2(short v);
  KPIPE_HD explicit __nv_fp8_e5m2(int v);
  KPIPE_HD explicit __nv_fp8_e5m2(long v);
  KPIPE_HD explicit __nv_fp8_e5m2(long long v);
  KPIPE_HD explicit operator __half() const;
  KPIPE_HD explicit operator __nv_bfloat16() const;
  KPIPE_HD explicit operator float() const;
  KPIPE_HD explicit operator double() const;
  KPIPE_HD explicit operator unsigned char() const;
  KPIPE_HD explicit operator unsigned short() const;
  KPIPE_HD explicit operator unsigned int() const;
  KPIPE_HD explicit operator unsigned long() const;
  KPIPE_HD explicit operator unsigned long long() const;
  KPIPE_HD explicit operator signed char() const;
  KPIPE_HD explicit operator char() const;
  KPIPE_HD explicit operator short() const;
  KPIPE_HD explicit operator int() const;
  KPIPE_HD explicit operator long() const;
  KPIPE_HD explicit operator long long() const;
  KPIPE_HD explicit operator bool() const;
};
struct __nv_fp8x2_e5m2 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e5m2() = default;
  KPIPE_HD explicit __nv_fp8x2_e5m2(__half2 v);
  KPIPE_HD explicit __nv_fp8x2_e5m2(__nv_bfloat162 v);
  KPIPE_HD explicit __nv_fp8x2_e5m2(float2 v);
  KPIPE_HD explicit __nv_fp8x2_e5m2(double2 v);
  KPIPE_HD explicit operator __half2() const;
  KPIPE_HD explicit operator float2() const;
};
struct __nv_fp8x4_e5m2 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e5m2() = default;
  KPIPE_HD explicit __nv_fp8x4_e5m2(float4 v);
  KPIPE_HD explicit __nv_fp8x4_e5m2(double4_16a v);
  KPIPE_HD explicit __nv_fp8x4_e5m2(__half2 lo, __half2 hi);
  KPIPE_HD explicit __nv_fp8x4_e5m2(__nv_bfloat162 lo, __nv_bfloat162 hi);
  KPIPE_HD explicit operator float4() const;
};

#undef KPIPE_HD
#undef KPIPE_FN

#endif // KPIPE_DECL_CUDA_FP8_H
