// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in variables, barriers, fences, cached loads, bit casts and integer
// intrinsics of device code.
#pragma once

#include "vector_types.h"

#include <cstring>

#define threadIdx (::kx_thread_index())
#define blockIdx (::kx_block_index())
#define blockDim (::dim3(::kx_block_dim()))
#define gridDim (::dim3(::kx_grid_dim()))
constexpr int warpSize = 32;

KX_SYNC void __syncthreads() { kx_barrier(0, KxCount); }
KX_SYNC int __syncthreads_count(int P) { return kx_barrier(P, KxCount); }
KX_SYNC int __syncthreads_and(int P) { return kx_barrier(P, KxAnd); }
KX_SYNC int __syncthreads_or(int P) { return kx_barrier(P, KxOr); }
KX_INLINE void __threadfence_block() {}
KX_INLINE void __threadfence() {}
KX_INLINE void __threadfence_system() {}
KX_INLINE void __nanosleep(unsigned) {}
KX_INLINE long long clock64() { return 0; }
KX_INLINE int clock() { return 0; }
[[noreturn]] KX_INLINE void __trap() { kx_unsupported("__trap()"); }

#define KX_LOAD(Name)                                                          \
  template <typename T> KX_INLINE T Name(const T *P) { return *P; }
KX_LOAD(__ldg)
KX_LOAD(__ldca)
KX_LOAD(__ldcg)
KX_LOAD(__ldcs)
KX_LOAD(__ldcv)
KX_LOAD(__ldlu)
#undef KX_LOAD
// A texture object is the address of its first element.
typedef unsigned long long cudaTextureObject_t;
template <typename T>
KX_INLINE T tex1Dfetch(cudaTextureObject_t Texture, int X) {
  return reinterpret_cast<const T *>(Texture)[X];
}
template <typename T> KX_INLINE T tex1D(cudaTextureObject_t Texture, float X) {
  return reinterpret_cast<const T *>(Texture)[int(X)];
}
#define KX_STORE(Name)                                                         \
  template <typename T> KX_INLINE void Name(T *P, T V) { *P = V; }
KX_STORE(__stcg)
KX_STORE(__stcs)
KX_STORE(__stwb)
KX_STORE(__stwt)
#undef KX_STORE

template <typename To, typename From> KX_INLINE To kx_bits(From F) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  return __builtin_bit_cast(To, F);
}
KX_INLINE int __float_as_int(float F) { return kx_bits<int>(F); }
KX_INLINE unsigned __float_as_uint(float F) { return kx_bits<unsigned>(F); }
KX_INLINE float __int_as_float(int I) { return kx_bits<float>(I); }
KX_INLINE float __uint_as_float(unsigned I) { return kx_bits<float>(I); }
KX_INLINE long long __double_as_longlong(double D) {
  return kx_bits<long long>(D);
}
KX_INLINE double __longlong_as_double(long long I) {
  return kx_bits<double>(I);
}

KX_INLINE int __popc(unsigned V) { return __builtin_popcount(V); }
KX_INLINE int __popcll(unsigned long long V) {
  return __builtin_popcountll(V);
}
KX_INLINE int __clz(int V) { return V ? __builtin_clz(unsigned(V)) : 32; }
KX_INLINE int __ffs(int V) { return __builtin_ffs(V); }
KX_INLINE unsigned __brev(unsigned V) { return __builtin_bitreverse32(V); }
KX_INLINE int __mul24(int A, int B) { return A * B; }
KX_INLINE unsigned __umul24(unsigned A, unsigned B) { return A * B; }
KX_INLINE int __mulhi(int A, int B) { return int((long long)A * B >> 32); }
KX_INLINE unsigned __umulhi(unsigned A, unsigned B) {
  return unsigned((unsigned long long)A * B >> 32);
}
KX_INLINE int __dp4a(int A, int B, int C) {
  for (int I = 0; I < 32; I += 8)
    C += int((signed char)(A >> I)) * int((signed char)(B >> I));
  return C;
}
KX_INLINE unsigned __dp4a(unsigned A, unsigned B, unsigned C) {
  for (int I = 0; I < 32; I += 8)
    C += (A >> I & 255) * (B >> I & 255);
  return C;
}

KX_INLINE std::size_t __cvta_generic_to_shared(const void *P) {
  return kx_shared_address(P);
}
KX_INLINE std::size_t __cvta_generic_to_global(const void *P) {
  return reinterpret_cast<std::size_t>(P);
}
