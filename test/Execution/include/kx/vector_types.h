// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int2, float4 and the rest, dim3, with CUDA's sizes and alignments.
#pragma once

#include "qualifiers.h"

#define KX_VECTORS(Name, Type)                                                 \
  struct Name##1 {                                                             \
    Type x;                                                                    \
  };                                                                           \
  struct alignas(2 * sizeof(Type)) Name##2 {                                   \
    Type x, y;                                                                 \
  };                                                                           \
  KX_VECTOR3(Name, Type)                                                       \
  struct alignas(sizeof(Type) < 8 ? 4 * sizeof(Type) : 16) Name##4 {           \
    Type x, y, z, w;                                                           \
  };                                                                           \
  KX_INLINE Name##1 make_##Name##1(Type x) { return {x}; }                     \
  KX_INLINE Name##2 make_##Name##2(Type x, Type y) { return {x, y}; }          \
  KX_INLINE Name##3 make_##Name##3(Type x, Type y, Type z) {                   \
    return {x, y, z};                                                          \
  }                                                                            \
  KX_INLINE Name##4 make_##Name##4(Type x, Type y, Type z, Type w) {           \
    return {x, y, z, w};                                                       \
  }
#define KX_VECTOR3(Name, Type)                                                 \
  struct Name##3 {                                                             \
    Type x, y, z;                                                              \
  };
KX_VECTORS(char, signed char)
KX_VECTORS(uchar, unsigned char)
KX_VECTORS(short, short)
KX_VECTORS(ushort, unsigned short)
KX_VECTORS(int, int)
KX_VECTORS(long, long)
KX_VECTORS(ulong, unsigned long)
KX_VECTORS(longlong, long long)
KX_VECTORS(ulonglong, unsigned long long)
KX_VECTORS(float, float)
KX_VECTORS(double, double)
#undef KX_VECTOR3
#define KX_VECTOR3(Name, Type) // uint3 comes from executor_abi.h
KX_VECTORS(uint, unsigned)
#undef KX_VECTOR3
#undef KX_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
  constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
