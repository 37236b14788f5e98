// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of device code that <cmath> does not already have under the same
// name. Approximate intrinsics are computed exactly: both programs run on this.
#pragma once

#include "qualifiers.h"

#include <cmath>
#include <math.h>

#define KX_MINMAX(Type)                                                        \
  KX_INLINE Type min(Type A, Type B) { return B < A ? B : A; }                 \
  KX_INLINE Type max(Type A, Type B) { return A < B ? B : A; }
KX_MINMAX(int)
KX_MINMAX(unsigned)
KX_MINMAX(long)
KX_MINMAX(unsigned long)
KX_MINMAX(long long)
KX_MINMAX(unsigned long long)
KX_MINMAX(float)
KX_MINMAX(double)
#undef KX_MINMAX
KX_INLINE unsigned min(unsigned A, int B) { return min(A, unsigned(B)); }
KX_INLINE unsigned min(int A, unsigned B) { return min(unsigned(A), B); }
KX_INLINE unsigned max(unsigned A, int B) { return max(A, unsigned(B)); }
KX_INLINE unsigned max(int A, unsigned B) { return max(unsigned(A), B); }

KX_INLINE float rsqrtf(float X) { return 1.0f / sqrtf(X); }
KX_INLINE double rsqrt(double X) { return 1.0 / sqrt(X); }
KX_INLINE float __fmaf_rn(float A, float B, float C) { return fmaf(A, B, C); }
KX_INLINE double __fma_rn(double A, double B, double C) { return fma(A, B, C); }
KX_INLINE float __fadd_rn(float A, float B) { return A + B; }
KX_INLINE float __fsub_rn(float A, float B) { return A - B; }
KX_INLINE float __fmul_rn(float A, float B) { return A * B; }
KX_INLINE float __fdiv_rn(float A, float B) { return A / B; }
KX_INLINE float __fdividef(float A, float B) { return A / B; }
KX_INLINE float __frcp_rn(float A) { return 1.0f / A; }
KX_INLINE float __fsqrt_rn(float A) { return sqrtf(A); }
KX_INLINE float __frsqrt_rn(float A) { return 1.0f / sqrtf(A); }
KX_INLINE float __expf(float X) { return expf(X); }
KX_INLINE float __logf(float X) { return logf(X); }
KX_INLINE float __log2f(float X) { return log2f(X); }
KX_INLINE float __sinf(float X) { return sinf(X); }
KX_INLINE float __cosf(float X) { return cosf(X); }
KX_INLINE float __powf(float X, float Y) { return powf(X, Y); }
KX_INLINE float __saturatef(float X) { return X < 0 ? 0 : X > 1 ? 1 : X; }
KX_INLINE int __float2int_rn(float X) { return int(rintf(X)); }
KX_INLINE int __float2int_rz(float X) { return int(X); }
KX_INLINE int __float2int_rd(float X) { return int(floorf(X)); }
KX_INLINE float __int2float_rn(int X) { return float(X); }
