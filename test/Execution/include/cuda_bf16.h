// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for CUDA's bfloat16 types. Every operation rounds to bfloat16.
#pragma once

#include "cuda_runtime.h"

struct __nv_bfloat16 {
  unsigned short kx_bits_;
  __nv_bfloat16() = default;
  KX_INLINE __nv_bfloat16(float V) {
    unsigned Bits = kx_bits<unsigned>(V);
    bool NaN = (Bits & 0x7FFFFFFF) > 0x7F800000;
    unsigned Rounded = Bits + 0x7FFF + (Bits >> 16 & 1);
    kx_bits_ = (unsigned short)(NaN ? 0x7FFF : Rounded >> 16);
  }
  KX_INLINE __nv_bfloat16(double V) : __nv_bfloat16(float(V)) {}
  KX_INLINE __nv_bfloat16(int V) : __nv_bfloat16(float(V)) {}
  KX_INLINE operator float() const {
    return kx_bits<float>(unsigned(kx_bits_) << 16);
  }
  KX_INLINE __nv_bfloat16 &operator+=(__nv_bfloat16 B) {
    return *this = float(*this) + float(B);
  }
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define KX_BF16_BINARY(Op)                                                     \
  KX_INLINE __nv_bfloat16 operator Op(__nv_bfloat16 A, __nv_bfloat16 B) {      \
    return float(A) Op float(B);                                               \
  }
KX_BF16_BINARY(+)
KX_BF16_BINARY(-)
KX_BF16_BINARY(*)
KX_BF16_BINARY(/)
#undef KX_BF16_BINARY

KX_INLINE float __bfloat162float(__nv_bfloat16 A) { return A; }
KX_INLINE __nv_bfloat16 __float2bfloat16(float A) { return A; }
KX_INLINE __nv_bfloat16 __float2bfloat16_rn(float A) { return A; }
KX_INLINE __nv_bfloat16 __hfma(__nv_bfloat16 A, __nv_bfloat16 B,
                               __nv_bfloat16 C) {
  return fmaf(A, B, C);
}
KX_INLINE float2 __bfloat1622float2(__nv_bfloat162 A) { return {A.x, A.y}; }
KX_INLINE __nv_bfloat162 __floats2bfloat162_rn(float A, float B) {
  return {A, B};
}
