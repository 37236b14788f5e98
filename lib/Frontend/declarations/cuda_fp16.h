// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_fp16.h: half types, operators and conversions as cuda_fp16.h documents
// them, with its sizes and alignments. Declarations only: functions of their
// arguments alone are const.
#ifndef KPIPE_DECL_CUDA_HALF_H
#define KPIPE_DECL_CUDA_HALF_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_FP16_H__

#include "__kpipe_cuda_runtime.h"

#define KPIPE_HD __host__ __device__
#define KPIPE_FN __host__ __device__ __attribute__((const))
#define KPIPE_DEV __device__ __attribute__((const))

struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) __half {
protected:
  unsigned short __x;

public:
  __half() = default;
  KPIPE_HD constexpr __half(const __half_raw &r) : __x(r.x) {}
  KPIPE_HD __half &operator=(const __half_raw &r);
  KPIPE_HD operator __half_raw() const;
  KPIPE_HD operator __half_raw() const volatile;
  KPIPE_HD __half(float f);
  KPIPE_HD __half(double f);
  KPIPE_HD explicit __half(struct __nv_bfloat16 b);
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
  KPIPE_HD __half(short i);
  KPIPE_HD __half(unsigned short i);
  KPIPE_HD __half(int i);
  KPIPE_HD __half(unsigned int i);
  KPIPE_HD __half(long i);
  KPIPE_HD __half(unsigned long i);
  KPIPE_HD __half(long long i);
  KPIPE_HD __half(unsigned long long i);
  KPIPE_HD __half &operator=(short i);
  KPIPE_HD __half &operator=(unsigned short i);
  KPIPE_HD __half &operator=(int i);
  KPIPE_HD __half &operator=(unsigned int i);
  KPIPE_HD __half &operator=(long i);
  KPIPE_HD __half &operator=(unsigned long i);
  KPIPE_HD __half &operator=(long long i);
  KPIPE_HD __half &operator=(unsigned long long i);
  KPIPE_HD __half &operator=(float f);
  KPIPE_HD __half &operator=(double f);
  KPIPE_HD operator float() const;
  KPIPE_HD constexpr operator bool() const { return (__x & 0x7fff) != 0; }
  KPIPE_HD operator signed char() const;
  KPIPE_HD operator unsigned char() const;
  KPIPE_HD operator char() const;
  KPIPE_HD operator short() const;
  KPIPE_HD operator unsigned short() const;
  KPIPE_HD operator int() const;
  KPIPE_HD operator unsigned int() const;
  KPIPE_HD operator long() const;
  KPIPE_HD operator unsigned long() const;
  KPIPE_HD operator long long() const;
  KPIPE_HD operator unsigned long long() const;
#endif
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __half2(const __half2 &) = default;
  __half2(__half2 &&) = default;
  __half2 &operator=(const __half2 &) = default;
  __half2 &operator=(__half2 &&) = default;
  KPIPE_HD constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
  KPIPE_HD __half2(const __half2_raw &r);
  KPIPE_HD __half2 &operator=(const __half2_raw &r);
  KPIPE_HD operator __half2_raw() const;
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#if !defined(__CUDA_NO_HALF_OPERATORS__)
KPIPE_FN __half operator+(const __half &a, const __half &b);
KPIPE_FN __half operator-(const __half &a, const __half &b);
KPIPE_FN __half operator*(const __half &a, const __half &b);
KPIPE_FN __half operator/(const __half &a, const __half &b);
KPIPE_HD __half &operator+=(__half &a, const __half &b);
KPIPE_HD __half &operator-=(__half &a, const __half &b);
KPIPE_HD __half &operator*=(__half &a, const __half &b);
KPIPE_HD __half &operator/=(__half &a, const __half &b);
KPIPE_HD __half &operator++(__half &a);
KPIPE_HD __half operator++(__half &a, int);
KPIPE_HD __half &operator--(__half &a);
KPIPE_HD __half operator--(__half &a, int);
KPIPE_FN __half operator+(const __half &a);
KPIPE_FN __half operator-(const __half &a);
KPIPE_FN bool operator==(const __half &a, const __half &b);
KPIPE_FN bool operator!=(const __half &a, const __half &b);
KPIPE_FN bool operator<(const __half &a, const __half &b);
KPIPE_FN bool operator>(const __half &a, const __half &b);
KPIPE_FN bool operator<=(const __half &a, const __half &b);
KPIPE_FN bool operator>=(const __half &a, const __half &b);
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
KPIPE_FN __half2 operator+(const __half2 &a, const __half2 &b);
KPIPE_FN __half2 operator-(const __half2 &a, const __half2 &b);
KPIPE_FN __half2 operator*(const __half2 &a, const __half2 &b);
KPIPE_FN __half2 operator/(const __half2 &a, const __half2 &b);
KPIPE_HD __half2 &operator+=(__half2 &a, const __half2 &b);
KPIPE_HD __half2 &operator-=(__half2 &a, const __half2 &b);
KPIPE_HD __half2 &operator*=(__half2 &a, const __half2 &b);
KPIPE_HD __half2 &operator/=(__half2 &a, const __half2 &b);
KPIPE_FN __half2 operator+(const __half2 &a);
KPIPE_FN __half2 operator-(const __half2 &a);
KPIPE_FN bool operator==(const __half2 &a, const __half2 &b);
KPIPE_FN bool operator!=(const __half2 &a, const __half2 &b);
KPIPE_FN bool operator<(const __half2 &a, const __half2 &b);
KPIPE_FN bool operator>(const __half2 &a, const __half2 &b);
KPIPE_FN bool operator<=(const __half2 &a, const __half2 &b);
KPIPE_FN bool operator>=(const __half2 &a, const __half2 &b);
#endif

// Arithmetic.
KPIPE_FN __half __hadd(__half a, __half b);
KPIPE_FN __half __hsub(__half a, __half b);
KPIPE_FN __half __hmul(__half a, __half b);
KPIPE_FN __half __hdiv(__half a, __half b);
KPIPE_FN __half __hmax(__half a, __half b);
KPIPE_FN __half __hmin(__half a, __half b);
KPIPE_FN __half __hmax_nan(__half a, __half b);
KPIPE_FN __half __hmin_nan(__half a, __half b);
KPIPE_FN __half __hadd_sat(__half a, __half b);
KPIPE_FN __half __hsub_sat(__half a, __half b);
KPIPE_FN __half __hmul_sat(__half a, __half b);
KPIPE_FN __half __hadd_rn(__half a, __half b);
KPIPE_FN __half __hsub_rn(__half a, __half b);
KPIPE_FN __half __hmul_rn(__half a, __half b);
KPIPE_FN __half2 __hadd2(__half2 a, __half2 b);
KPIPE_FN __half2 __hsub2(__half2 a, __half2 b);
KPIPE_FN __half2 __hmul2(__half2 a, __half2 b);
KPIPE_FN __half2 __h2div(__half2 a, __half2 b);
KPIPE_FN __half2 __hmax2(__half2 a, __half2 b);
KPIPE_FN __half2 __hmin2(__half2 a, __half2 b);
KPIPE_FN __half2 __hmax2_nan(__half2 a, __half2 b);
KPIPE_FN __half2 __hmin2_nan(__half2 a, __half2 b);
KPIPE_FN __half2 __hadd2_sat(__half2 a, __half2 b);
KPIPE_FN __half2 __hsub2_sat(__half2 a, __half2 b);
KPIPE_FN __half2 __hmul2_sat(__half2 a, __half2 b);
KPIPE_FN __half2 __hadd2_rn(__half2 a, __half2 b);
KPIPE_FN __half2 __hsub2_rn(__half2 a, __half2 b);
KPIPE_FN __half2 __hmul2_rn(__half2 a, __half2 b);
KPIPE_FN __half __hfma(__half a, __half b, __half c);
KPIPE_FN __half __hfma_sat(__half a, __half b, __half c);
KPIPE_DEV __half __hfma_relu(__half a, __half b, __half c);
KPIPE_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c);
KPIPE_FN __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c);
KPIPE_FN __half2 __hcmadd(__half2 a, __half2 b, __half2 c);
KPIPE_DEV __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c);
KPIPE_FN __half __hneg(__half a);
KPIPE_FN __half __habs(__half a);
KPIPE_FN __half2 __hneg2(__half2 a);
KPIPE_FN __half2 __habs2(__half2 a);

// Comparison.
KPIPE_FN bool __heq(__half a, __half b);
KPIPE_FN __half2 __heq2(__half2 a, __half2 b);
KPIPE_FN bool __hbeq2(__half2 a, __half2 b);
KPIPE_FN unsigned int __heq2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hequ(__half a, __half b);
KPIPE_FN __half2 __hequ2(__half2 a, __half2 b);
KPIPE_FN bool __hbequ2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hequ2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hne(__half a, __half b);
KPIPE_FN __half2 __hne2(__half2 a, __half2 b);
KPIPE_FN bool __hbne2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hne2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hneu(__half a, __half b);
KPIPE_FN __half2 __hneu2(__half2 a, __half2 b);
KPIPE_FN bool __hbneu2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hneu2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hlt(__half a, __half b);
KPIPE_FN __half2 __hlt2(__half2 a, __half2 b);
KPIPE_FN bool __hblt2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hlt2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hltu(__half a, __half b);
KPIPE_FN __half2 __hltu2(__half2 a, __half2 b);
KPIPE_FN bool __hbltu2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hltu2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hle(__half a, __half b);
KPIPE_FN __half2 __hle2(__half2 a, __half2 b);
KPIPE_FN bool __hble2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hle2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hleu(__half a, __half b);
KPIPE_FN __half2 __hleu2(__half2 a, __half2 b);
KPIPE_FN bool __hbleu2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hleu2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hgt(__half a, __half b);
KPIPE_FN __half2 __hgt2(__half2 a, __half2 b);
KPIPE_FN bool __hbgt2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hgt2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hgtu(__half a, __half b);
KPIPE_FN __half2 __hgtu2(__half2 a, __half2 b);
KPIPE_FN bool __hbgtu2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hgtu2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hge(__half a, __half b);
KPIPE_FN __half2 __hge2(__half2 a, __half2 b);
KPIPE_FN bool __hbge2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hge2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hgeu(__half a, __half b);
KPIPE_FN __half2 __hgeu2(__half2 a, __half2 b);
KPIPE_FN bool __hbgeu2(__half2 a, __half2 b);
KPIPE_FN unsigned int __hgeu2_mask(__half2 a, __half2 b);
KPIPE_FN bool __hisnan(__half a);
KPIPE_FN int __hisinf(__half a);
KPIPE_FN __half2 __hisnan2(__half2 a);

// Mathematics.
KPIPE_DEV __half hexp(__half a);
KPIPE_DEV __half2 h2exp(__half2 a);
KPIPE_DEV __half hexp2(__half a);
KPIPE_DEV __half2 h2exp2(__half2 a);
KPIPE_DEV __half hexp10(__half a);
KPIPE_DEV __half2 h2exp10(__half2 a);
KPIPE_DEV __half hlog(__half a);
KPIPE_DEV __half2 h2log(__half2 a);
KPIPE_DEV __half hlog2(__half a);
KPIPE_DEV __half2 h2log2(__half2 a);
KPIPE_DEV __half hlog10(__half a);
KPIPE_DEV __half2 h2log10(__half2 a);
KPIPE_DEV __half hsin(__half a);
KPIPE_DEV __half2 h2sin(__half2 a);
KPIPE_DEV __half hcos(__half a);
KPIPE_DEV __half2 h2cos(__half2 a);
KPIPE_DEV __half hsqrt(__half a);
KPIPE_DEV __half2 h2sqrt(__half2 a);
KPIPE_DEV __half hrsqrt(__half a);
KPIPE_DEV __half2 h2rsqrt(__half2 a);
KPIPE_DEV __half hrcp(__half a);
KPIPE_DEV __half2 h2rcp(__half2 a);
KPIPE_DEV __half hceil(__half a);
KPIPE_DEV __half2 h2ceil(__half2 a);
KPIPE_DEV __half hfloor(__half a);
KPIPE_DEV __half2 h2floor(__half2 a);
KPIPE_DEV __half htrunc(__half a);
KPIPE_DEV __half2 h2trunc(__half2 a);
KPIPE_DEV __half hrint(__half a);
KPIPE_DEV __half2 h2rint(__half2 a);
KPIPE_DEV __half htanh(__half a);
KPIPE_DEV __half2 h2tanh(__half2 a);
KPIPE_DEV __half htanh_approx(__half a);
KPIPE_DEV __half2 h2tanh_approx(__half2 a);

// Conversion.
KPIPE_FN __half __float2half(float a);
KPIPE_FN __half __float2half_rn(float a);
KPIPE_FN __half __float2half_rz(float a);
KPIPE_FN __half __float2half_rd(float a);
KPIPE_FN __half __float2half_ru(float a);
KPIPE_FN __half __double2half(double a);
KPIPE_FN float __half2float(__half a);
KPIPE_FN __half2 __float2half2_rn(float a);
KPIPE_FN __half2 __floats2half2_rn(float a, float b);
KPIPE_FN __half2 __float22half2_rn(float2 a);
KPIPE_FN float2 __half22float2(__half2 a);
KPIPE_FN float __low2float(__half2 a);
KPIPE_FN float __high2float(__half2 a);
KPIPE_FN __half __low2half(__half2 a);
KPIPE_FN __half __high2half(__half2 a);
KPIPE_FN __half2 __half2half2(__half a);
KPIPE_FN __half2 __halves2half2(__half a, __half b);
KPIPE_FN __half2 __lows2half2(__half2 a, __half2 b);
KPIPE_FN __half2 __highs2half2(__half2 a, __half2 b);
KPIPE_FN __half2 __lowhigh2highlow(__half2 a);
KPIPE_FN __half2 __low2half2(__half2 a);
KPIPE_FN __half2 __high2half2(__half2 a);
KPIPE_FN __half2 make_half2(__half a, __half b);
KPIPE_FN signed char __half2char_rz(__half a);
KPIPE_FN unsigned char __half2uchar_rz(__half a);
KPIPE_FN __half __short2half_rn(short a);
KPIPE_FN short __half2short_rn(__half a);
KPIPE_FN __half __short2half_rz(short a);
KPIPE_FN short __half2short_rz(__half a);
KPIPE_FN __half __short2half_rd(short a);
KPIPE_FN short __half2short_rd(__half a);
KPIPE_FN __half __short2half_ru(short a);
KPIPE_FN short __half2short_ru(__half a);
KPIPE_FN __half __ushort2half_rn(unsigned short a);
KPIPE_FN unsigned short __half2ushort_rn(__half a);
KPIPE_FN __half __ushort2half_rz(unsigned short a);
KPIPE_FN unsigned short __half2ushort_rz(__half a);
KPIPE_FN __half __ushort2half_rd(unsigned short a);
KPIPE_FN unsigned short __half2ushort_rd(__half a);
KPIPE_FN __half __ushort2half_ru(unsigned short a);
KPIPE_FN unsigned short __half2ushort_ru(__half a);
KPIPE_FN __half __int2half_rn(int a);
KPIPE_FN int __half2int_rn(__half a);
KPIPE_FN __half __int2half_rz(int a);
KPIPE_FN int __half2int_rz(__half a);
KPIPE_FN __half __int2half_rd(int a);
KPIPE_FN int __half2int_rd(__half a);
KPIPE_FN __half __int2half_ru(int a);
KPIPE_FN int __half2int_ru(__half a);
KPIPE_FN __half __uint2half_rn(unsigned int a);
KPIPE_FN unsigned int __half2uint_rn(__half a);
KPIPE_FN __half __uint2half_rz(unsigned int a);
KPIPE_FN unsigned int __half2uint_rz(__half a);
KPIPE_FN __half __uint2half_rd(unsigned int a);
KPIPE_FN unsigned int __half2uint_rd(__half a);
KPIPE_FN __half __uint2half_ru(unsigned int a);
KPIPE_FN unsigned int __half2uint_ru(__half a);
KPIPE_FN __half __ll2half_rn(long long a);
KPIPE_FN long long __half2ll_rn(__half a);
KPIPE_FN __half __ll2half_rz(long long a);
KPIPE_FN long long __half2ll_rz(__half a);
KPIPE_FN __half __ll2half_rd(long long a);
KPIPE_FN long long __half2ll_rd(__half a);
KPIPE_FN __half __ll2half_ru(long long a);
KPIPE_FN long long __half2ll_ru(__half a);
KPIPE_FN __half __ull2half_rn(unsigned long long a);
KPIPE_FN unsigned long long __half2ull_rn(__half a);
KPIPE_FN __half __ull2half_rz(unsigned long long a);
KPIPE_FN unsigned long long __half2ull_rz(__half a);
KPIPE_FN __half __ull2half_rd(unsigned long long a);
KPIPE_FN unsigned long long __half2ull_rd(__half a);
KPIPE_FN __half __ull2half_ru(unsigned long long a);
KPIPE_FN unsigned long long __half2ull_ru(__half a);
KPIPE_FN short __half_as_short(__half a);
KPIPE_FN unsigned short __half_as_ushort(__half a);
KPIPE_FN __half __short_as_half(short a);
KPIPE_FN __half __ushort_as_half(unsigned short a);

// Warp shuffles, atomics and loads with a cache hint.
__device__ __half __shfl_sync(unsigned mask, __half v, int lane,
                              int width = warpSize);
__device__ __half __shfl_up_sync(unsigned mask, __half v, unsigned delta,
                                 int width = warpSize);
__device__ __half __shfl_down_sync(unsigned mask, __half v, unsigned delta,
                                   int width = warpSize);
__device__ __half __shfl_xor_sync(unsigned mask, __half v, int lane,
                                  int width = warpSize);
__device__ __half atomicAdd(__half *address, __half value);
__device__ __half __ldg(const __half *p);
__device__ __half __ldcg(const __half *p);
__device__ __half __ldca(const __half *p);
__device__ __half __ldcs(const __half *p);
__device__ __half __ldlu(const __half *p);
__device__ __half __ldcv(const __half *p);
__device__ void __stwb(__half *p, __half value);
__device__ void __stcg(__half *p, __half value);
__device__ void __stcs(__half *p, __half value);
__device__ void __stwt(__half *p, __half value);
__device__ __half2 __shfl_sync(unsigned mask, __half2 v, int lane,
                               int width = warpSize);
__device__ __half2 __shfl_up_sync(unsigned mask, __half2 v, unsigned delta,
                                  int width = warpSize);
__device__ __half2 __shfl_down_sync(unsigned mask, __half2 v, unsigned delta,
                                    int width = warpSize);
__device__ __half2 __shfl_xor_sync(unsigned mask, __half2 v, int lane,
                                   int width = warpSize);
__device__ __half2 atomicAdd(__half2 *address, __half2 value);
__device__ __half2 __ldg(const __half2 *p);
__device__ __half2 __ldcg(const __half2 *p);
__device__ __half2 __ldca(const __half2 *p);
__device__ __half2 __ldcs(const __half2 *p);
__device__ __half2 __ldlu(const __half2 *p);
__device__ __half2 __ldcv(const __half2 *p);
__device__ void __stwb(__half2 *p, __half2 value);
__device__ void __stcg(__half2 *p, __half2 value);
__device__ void __stcs(__half2 *p, __half2 value);
__device__ void __stwt(__half2 *p, __half2 value);

#undef KPIPE_HD
#undef KPIPE_FN
#undef KPIPE_DEV

#endif // KPIPE_DECL_CUDA_HALF_H
