// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's fp16 types: a compiler's _Float16 in CUDA's clothes. Every
// operation rounds to half, as on the device.
#pragma once

#include "cuda_runtime.h"

struct __half {
  _Float16 kx_value;
  __half() = default;
  KX_INLINE __half(float V) : kx_value(_Float16(V)) {}
  KX_INLINE __half(double V) : kx_value(_Float16(V)) {}
  KX_INLINE __half(int V) : kx_value(_Float16(float(V))) {}
  KX_INLINE __half(unsigned V) : kx_value(_Float16(float(V))) {}
  KX_INLINE __half(long V) : kx_value(_Float16(float(V))) {}
  KX_INLINE operator float() const { return float(kx_value); }
  KX_INLINE __half &operator+=(__half B) { return *this = float(*this) + float(B); }
  KX_INLINE __half &operator-=(__half B) { return *this = float(*this) - float(B); }
  KX_INLINE __half &operator*=(__half B) { return *this = float(*this) * float(B); }
  KX_INLINE __half &operator/=(__half B) { return *this = float(*this) / float(B); }
};
using half = __half;

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  KX_INLINE __half2(__half X, __half Y) : x(X), y(Y) {}
};
using half2 = __half2;
struct __half_raw {
  unsigned short x;
};

#define KX_HALF_BINARY(Op)                                                     \
  KX_INLINE __half operator Op(__half A, __half B) {                           \
    return float(A) Op float(B);                                               \
  }                                                                            \
  KX_INLINE __half2 operator Op(__half2 A, __half2 B) {                        \
    return {A.x Op B.x, A.y Op B.y};                                           \
  }
KX_HALF_BINARY(+)
KX_HALF_BINARY(-)
KX_HALF_BINARY(*)
KX_HALF_BINARY(/)
#undef KX_HALF_BINARY
#define KX_HALF_COMPARE(Op)                                                    \
  KX_INLINE bool operator Op(__half A, __half B) {                             \
    return float(A) Op float(B);                                               \
  }
KX_HALF_COMPARE(<)
KX_HALF_COMPARE(>)
KX_HALF_COMPARE(<=)
KX_HALF_COMPARE(>=)
KX_HALF_COMPARE(==)
KX_HALF_COMPARE(!=)
#undef KX_HALF_COMPARE
KX_INLINE __half operator-(__half A) { return -float(A); }

KX_INLINE float __half2float(__half A) { return A; }
KX_INLINE __half __float2half(float A) { return A; }
KX_INLINE __half __float2half_rn(float A) { return A; }
KX_INLINE __half __int2half_rn(int A) { return A; }
KX_INLINE __half __ushort_as_half(unsigned short A) { return kx_bits<__half>(A); }
KX_INLINE unsigned short __half_as_ushort(__half A) {
  return kx_bits<unsigned short>(A.kx_value);
}
KX_INLINE __half __hadd(__half A, __half B) { return A + B; }
KX_INLINE __half __hsub(__half A, __half B) { return A - B; }
KX_INLINE __half __hmul(__half A, __half B) { return A * B; }
KX_INLINE __half __hdiv(__half A, __half B) { return A / B; }
KX_INLINE __half __hneg(__half A) { return -A; }
KX_INLINE __half __hmax(__half A, __half B) { return A < B ? B : A; }
KX_INLINE __half __hmin(__half A, __half B) { return B < A ? B : A; }
KX_INLINE bool __hgt(__half A, __half B) { return A > B; }
KX_INLINE __half __hfma(__half A, __half B, __half C) {
  return float(double(float(A)) * double(float(B)) + double(float(C)));
}
KX_INLINE __half hexp(__half A) { return expf(A); }
KX_INLINE __half2 __halves2half2(__half A, __half B) { return {A, B}; }
KX_INLINE __half2 make_half2(__half A, __half B) { return {A, B}; }
KX_INLINE __half2 __half2half2(__half A) { return {A, A}; }
KX_INLINE __half2 __float2half2_rn(float A) { return {A, A}; }
KX_INLINE __half2 __floats2half2_rn(float A, float B) { return {A, B}; }
KX_INLINE __half2 __float22half2_rn(float2 A) { return {A.x, A.y}; }
KX_INLINE float2 __half22float2(__half2 A) { return {A.x, A.y}; }
KX_INLINE __half __low2half(__half2 A) { return A.x; }
KX_INLINE __half __high2half(__half2 A) { return A.y; }
KX_INLINE __half2 __low2half2(__half2 A) { return {A.x, A.x}; }
KX_INLINE __half2 __high2half2(__half2 A) { return {A.y, A.y}; }
KX_INLINE float __low2float(__half2 A) { return A.x; }
KX_INLINE float __high2float(__half2 A) { return A.y; }
KX_INLINE __half2 __hadd2(__half2 A, __half2 B) { return A + B; }
KX_INLINE __half2 __hsub2(__half2 A, __half2 B) { return A - B; }
KX_INLINE __half2 __hmul2(__half2 A, __half2 B) { return A * B; }
KX_INLINE __half2 __hfma2(__half2 A, __half2 B, __half2 C) {
  return {__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y)};
}
