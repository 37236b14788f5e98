// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of one floating-point format of 8, 6 or 4 bits, alone, in pairs
// and in fours: they have the same members whatever the format.
#ifndef KPIPE_DECL_CRT_NARROW_FLOATS_H
#define KPIPE_DECL_CRT_NARROW_FLOATS_H

// \param Size fp8, fp6 or fp4.
// \param Kind the bits of exponent and mantissa, such as e4m3.
#define KPIPE_NARROW_FLOAT(Size, Kind) \
  struct __nv_##Size##_##Kind { \
    __nv_##Size##_storage_t __x; \
    __nv_##Size##_##Kind() = default; \
    __host__ __device__ explicit __nv_##Size##_##Kind(__half v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(__nv_bfloat16 v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(float v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(double v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(unsigned short v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(unsigned int v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(unsigned long v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(unsigned long long v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(short v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(int v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(long v); \
    __host__ __device__ explicit __nv_##Size##_##Kind(long long v); \
    __host__ __device__ explicit operator __half() const; \
    __host__ __device__ explicit operator __nv_bfloat16() const; \
    __host__ __device__ explicit operator float() const; \
    __host__ __device__ explicit operator double() const; \
    __host__ __device__ explicit operator unsigned char() const; \
    __host__ __device__ explicit operator signed char() const; \
    __host__ __device__ explicit operator char() const; \
    __host__ __device__ explicit operator bool() const; \
    __host__ __device__ explicit operator unsigned short() const; \
    __host__ __device__ explicit operator unsigned int() const; \
    __host__ __device__ explicit operator unsigned long() const; \
    __host__ __device__ explicit operator unsigned long long() const; \
    __host__ __device__ explicit operator short() const; \
    __host__ __device__ explicit operator int() const; \
    __host__ __device__ explicit operator long() const; \
    __host__ __device__ explicit operator long long() const; \
  }; \
  struct __nv_##Size##x2_##Kind { \
    __nv_##Size##x2_storage_t __x; \
    __nv_##Size##x2_##Kind() = default; \
    __host__ __device__ explicit __nv_##Size##x2_##Kind(__half2 v); \
    __host__ __device__ explicit __nv_##Size##x2_##Kind(__nv_bfloat162 v); \
    __host__ __device__ explicit __nv_##Size##x2_##Kind(float2 v); \
    __host__ __device__ explicit __nv_##Size##x2_##Kind(double2 v); \
    __host__ __device__ explicit operator __half2() const; \
    __host__ __device__ explicit operator float2() const; \
  }; \
  struct __nv_##Size##x4_##Kind { \
    __nv_##Size##x4_storage_t __x; \
    __nv_##Size##x4_##Kind() = default; \
    __host__ __device__ explicit __nv_##Size##x4_##Kind(float4 v); \
    __host__ __device__ explicit __nv_##Size##x4_##Kind(double4_16a v); \
    __host__ __device__ explicit __nv_##Size##x4_##Kind(__half2 lo, __half2 hi); \
    __host__ __device__ explicit __nv_##Size##x4_##Kind(__nv_bfloat162 lo, __nv_bfloat162 hi); \
    __host__ __device__ explicit operator float4() const; \
  }

#endif // KPIPE_DECL_CRT_NARROW_FLOATS_H
