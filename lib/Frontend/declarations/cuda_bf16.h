// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_bf16.h: bfloat16 types, operators and conversions as cuda_bf16.h
// documents them, with its sizes and alignments. Declarations only: functions
// of their arguments alone are const.
#ifndef KPIPE_DECL_CUDA_BF16_H
#define KPIPE_DECL_CUDA_BF16_H
// The toolkit's own guard, for code that asks whether its header came before.
#define __CUDA_BF16_H__

#include "__kpipe_cuda_runtime.h"
#include "cuda_fp16.h"

#define KPIPE_HD __host__ __device__
#define KPIPE_FN __host__ __device__ __attribute__((const))
#define KPIPE_DEV __device__ __attribute__((const))

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
protected:
  unsigned short __x;

public:
  __nv_bfloat16() = default;
  KPIPE_HD constexpr __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
  KPIPE_HD __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r);
  KPIPE_HD operator __nv_bfloat16_raw() const;
  KPIPE_HD operator __nv_bfloat16_raw() const volatile;
  KPIPE_HD __nv_bfloat16(float f);
  KPIPE_HD __nv_bfloat16(double f);
  KPIPE_HD explicit __nv_bfloat16(__half h);
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
  KPIPE_HD __nv_bfloat16(short i);
  KPIPE_HD __nv_bfloat16(unsigned short i);
  KPIPE_HD __nv_bfloat16(int i);
  KPIPE_HD __nv_bfloat16(unsigned int i);
  KPIPE_HD __nv_bfloat16(long i);
  KPIPE_HD __nv_bfloat16(unsigned long i);
  KPIPE_HD __nv_bfloat16(long long i);
  KPIPE_HD __nv_bfloat16(unsigned long long i);
  KPIPE_HD __nv_bfloat16 &operator=(short i);
  KPIPE_HD __nv_bfloat16 &operator=(unsigned short i);
  KPIPE_HD __nv_bfloat16 &operator=(int i);
  KPIPE_HD __nv_bfloat16 &operator=(unsigned int i);
  KPIPE_HD __nv_bfloat16 &operator=(long i);
  KPIPE_HD __nv_bfloat16 &operator=(unsigned long i);
  KPIPE_HD __nv_bfloat16 &operator=(long long i);
  KPIPE_HD __nv_bfloat16 &operator=(unsigned long long i);
  KPIPE_HD __nv_bfloat16 &operator=(float f);
  KPIPE_HD __nv_bfloat16 &operator=(double f);
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

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat162 &) = default;
  __nv_bfloat162(__nv_bfloat162 &&) = default;
  __nv_bfloat162 &operator=(const __nv_bfloat162 &) = default;
  __nv_bfloat162 &operator=(__nv_bfloat162 &&) = default;
  KPIPE_HD constexpr __nv_bfloat162(const __nv_bfloat16 &a,
                                    const __nv_bfloat16 &b)
      : x(a), y(b) {}
  KPIPE_HD __nv_bfloat162(const __nv_bfloat162_raw &r);
  KPIPE_HD __nv_bfloat162 &operator=(const __nv_bfloat162_raw &r);
  KPIPE_HD operator __nv_bfloat162_raw() const;
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
KPIPE_FN __nv_bfloat16 operator+(const __nv_bfloat16 &a,
                                 const __nv_bfloat16 &b);
KPIPE_FN __nv_bfloat16 operator-(const __nv_bfloat16 &a,
                                 const __nv_bfloat16 &b);
KPIPE_FN __nv_bfloat16 operator*(const __nv_bfloat16 &a,
                                 const __nv_bfloat16 &b);
KPIPE_FN __nv_bfloat16 operator/(const __nv_bfloat16 &a,
                                 const __nv_bfloat16 &b);
KPIPE_HD __nv_bfloat16 &operator+=(__nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_HD __nv_bfloat16 &operator-=(__nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_HD __nv_bfloat16 &operator*=(__nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_HD __nv_bfloat16 &operator/=(__nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_HD __nv_bfloat16 &operator++(__nv_bfloat16 &a);
KPIPE_HD __nv_bfloat16 operator++(__nv_bfloat16 &a, int);
KPIPE_HD __nv_bfloat16 &operator--(__nv_bfloat16 &a);
KPIPE_HD __nv_bfloat16 operator--(__nv_bfloat16 &a, int);
KPIPE_FN __nv_bfloat16 operator+(const __nv_bfloat16 &a);
KPIPE_FN __nv_bfloat16 operator-(const __nv_bfloat16 &a);
KPIPE_FN bool operator==(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_FN bool operator!=(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_FN bool operator<(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_FN bool operator>(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_FN bool operator<=(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
KPIPE_FN bool operator>=(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
KPIPE_FN __nv_bfloat162 operator+(const __nv_bfloat162 &a,
                                  const __nv_bfloat162 &b);
KPIPE_FN __nv_bfloat162 operator-(const __nv_bfloat162 &a,
                                  const __nv_bfloat162 &b);
KPIPE_FN __nv_bfloat162 operator*(const __nv_bfloat162 &a,
                                  const __nv_bfloat162 &b);
KPIPE_FN __nv_bfloat162 operator/(const __nv_bfloat162 &a,
                                  const __nv_bfloat162 &b);
KPIPE_HD __nv_bfloat162 &operator+=(__nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_HD __nv_bfloat162 &operator-=(__nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_HD __nv_bfloat162 &operator*=(__nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_HD __nv_bfloat162 &operator/=(__nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN __nv_bfloat162 operator+(const __nv_bfloat162 &a);
KPIPE_FN __nv_bfloat162 operator-(const __nv_bfloat162 &a);
KPIPE_FN bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN bool operator<(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN bool operator>(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN bool operator<=(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
KPIPE_FN bool operator>=(const __nv_bfloat162 &a, const __nv_bfloat162 &b);
#endif

// Arithmetic.
KPIPE_FN __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmax2_nan(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmin2_nan(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hadd2_sat(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hsub2_sat(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmul2_sat(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                              __nv_bfloat16 c);
KPIPE_FN __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b,
                                  __nv_bfloat16 c);
KPIPE_DEV __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b,
                                    __nv_bfloat16 c);
KPIPE_FN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                __nv_bfloat162 c);
KPIPE_FN __nv_bfloat162 __hfma2_sat(__nv_bfloat162 a, __nv_bfloat162 b,
                                    __nv_bfloat162 c);
KPIPE_FN __nv_bfloat162 __hcmadd(__nv_bfloat162 a, __nv_bfloat162 b,
                                 __nv_bfloat162 c);
KPIPE_DEV __nv_bfloat162 __hfma2_relu(__nv_bfloat162 a, __nv_bfloat162 b,
                                      __nv_bfloat162 c);
KPIPE_FN __nv_bfloat16 __hneg(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __habs(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat162 __hneg2(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat162 __habs2(__nv_bfloat162 a);

// Comparison.
KPIPE_FN bool __heq(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbeq2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __heq2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hequ(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hequ2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbequ2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hequ2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hne(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbne2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hne2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hneu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbneu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hneu2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hblt2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hlt2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hltu(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hltu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbltu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hltu2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hle(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hble2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hle2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hleu(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hleu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbleu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hleu2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbgt2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hgt2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hgtu(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hgtu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbgtu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hgtu2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hge(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbge2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hge2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hgeu(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __hgeu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hbgeu2(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN unsigned int __hgeu2_mask(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN bool __hisnan(__nv_bfloat16 a);
KPIPE_FN int __hisinf(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat162 __hisnan2(__nv_bfloat162 a);

// Mathematics.
KPIPE_DEV __nv_bfloat16 hexp(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2exp(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hexp2(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2exp2(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hexp10(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2exp10(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hlog(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2log(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hlog2(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2log2(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hlog10(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2log10(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hsin(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2sin(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hcos(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2cos(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hsqrt(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2sqrt(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hrsqrt(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2rsqrt(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hrcp(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2rcp(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hceil(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2ceil(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hfloor(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2floor(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 htrunc(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2trunc(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 hrint(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2rint(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 htanh(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2tanh(__nv_bfloat162 a);
KPIPE_DEV __nv_bfloat16 htanh_approx(__nv_bfloat16 a);
KPIPE_DEV __nv_bfloat162 h2tanh_approx(__nv_bfloat162 a);

// Conversion.
KPIPE_FN __nv_bfloat16 __float2bfloat16(float a);
KPIPE_FN __nv_bfloat16 __float2bfloat16_rn(float a);
KPIPE_FN __nv_bfloat16 __float2bfloat16_rz(float a);
KPIPE_FN __nv_bfloat16 __float2bfloat16_rd(float a);
KPIPE_FN __nv_bfloat16 __float2bfloat16_ru(float a);
KPIPE_FN __nv_bfloat16 __double2bfloat16(double a);
KPIPE_FN float __bfloat162float(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat162 __float2bfloat162_rn(float a);
KPIPE_FN __nv_bfloat162 __floats2bfloat162_rn(float a, float b);
KPIPE_FN __nv_bfloat162 __float22bfloat162_rn(float2 a);
KPIPE_FN float2 __bfloat1622float2(__nv_bfloat162 a);
KPIPE_FN float __low2float(__nv_bfloat162 a);
KPIPE_FN float __high2float(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b);
KPIPE_FN __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a);
KPIPE_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
KPIPE_FN signed char __bfloat162char_rz(__nv_bfloat16 a);
KPIPE_FN unsigned char __bfloat162uchar_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __short2bfloat16_rn(short a);
KPIPE_FN short __bfloat162short_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __short2bfloat16_rz(short a);
KPIPE_FN short __bfloat162short_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __short2bfloat16_rd(short a);
KPIPE_FN short __bfloat162short_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __short2bfloat16_ru(short a);
KPIPE_FN short __bfloat162short_ru(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a);
KPIPE_FN unsigned short __bfloat162ushort_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ushort2bfloat16_rz(unsigned short a);
KPIPE_FN unsigned short __bfloat162ushort_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ushort2bfloat16_rd(unsigned short a);
KPIPE_FN unsigned short __bfloat162ushort_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ushort2bfloat16_ru(unsigned short a);
KPIPE_FN unsigned short __bfloat162ushort_ru(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __int2bfloat16_rn(int a);
KPIPE_FN int __bfloat162int_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __int2bfloat16_rz(int a);
KPIPE_FN int __bfloat162int_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __int2bfloat16_rd(int a);
KPIPE_FN int __bfloat162int_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __int2bfloat16_ru(int a);
KPIPE_FN int __bfloat162int_ru(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __uint2bfloat16_rn(unsigned int a);
KPIPE_FN unsigned int __bfloat162uint_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __uint2bfloat16_rz(unsigned int a);
KPIPE_FN unsigned int __bfloat162uint_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __uint2bfloat16_rd(unsigned int a);
KPIPE_FN unsigned int __bfloat162uint_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __uint2bfloat16_ru(unsigned int a);
KPIPE_FN unsigned int __bfloat162uint_ru(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ll2bfloat16_rn(long long a);
KPIPE_FN long long __bfloat162ll_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ll2bfloat16_rz(long long a);
KPIPE_FN long long __bfloat162ll_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ll2bfloat16_rd(long long a);
KPIPE_FN long long __bfloat162ll_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ll2bfloat16_ru(long long a);
KPIPE_FN long long __bfloat162ll_ru(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a);
KPIPE_FN unsigned long long __bfloat162ull_rn(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ull2bfloat16_rz(unsigned long long a);
KPIPE_FN unsigned long long __bfloat162ull_rz(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ull2bfloat16_rd(unsigned long long a);
KPIPE_FN unsigned long long __bfloat162ull_rd(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __ull2bfloat16_ru(unsigned long long a);
KPIPE_FN unsigned long long __bfloat162ull_ru(__nv_bfloat16 a);
KPIPE_FN short __bfloat16_as_short(__nv_bfloat16 a);
KPIPE_FN unsigned short __bfloat16_as_ushort(__nv_bfloat16 a);
KPIPE_FN __nv_bfloat16 __short_as_bfloat16(short a);
KPIPE_FN __nv_bfloat16 __ushort_as_bfloat16(unsigned short a);

// Warp shuffles, atomics and loads with a cache hint.
__device__ __nv_bfloat16 __shfl_sync(unsigned mask, __nv_bfloat16 v, int lane,
                                     int width = warpSize);
__device__ __nv_bfloat16 __shfl_up_sync(unsigned mask, __nv_bfloat16 v,
                                        unsigned delta, int width = warpSize);
__device__ __nv_bfloat16 __shfl_down_sync(unsigned mask, __nv_bfloat16 v,
                                          unsigned delta, int width = warpSize);
__device__ __nv_bfloat16 __shfl_xor_sync(unsigned mask, __nv_bfloat16 v,
                                         int lane, int width = warpSize);
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value);
__device__ __nv_bfloat16 __ldg(const __nv_bfloat16 *p);
__device__ __nv_bfloat16 __ldcg(const __nv_bfloat16 *p);
__device__ __nv_bfloat16 __ldca(const __nv_bfloat16 *p);
__device__ __nv_bfloat16 __ldcs(const __nv_bfloat16 *p);
__device__ __nv_bfloat16 __ldlu(const __nv_bfloat16 *p);
__device__ __nv_bfloat16 __ldcv(const __nv_bfloat16 *p);
__device__ void __stwb(__nv_bfloat16 *p, __nv_bfloat16 value);
__device__ void __stcg(__nv_bfloat16 *p, __nv_bfloat16 value);
__device__ void __stcs(__nv_bfloat16 *p, __nv_bfloat16 value);
__device__ void __stwt(__nv_bfloat16 *p, __nv_bfloat16 value);
__device__ __nv_bfloat162 __shfl_sync(unsigned mask, __nv_bfloat162 v, int lane,
                                      int width = warpSize);
__device__ __nv_bfloat162 __shfl_up_sync(unsigned mask, __nv_bfloat162 v,
                                         unsigned delta, int width = warpSize);
__device__ __nv_bfloat162 __shfl_down_sync(unsigned mask, __nv_bfloat162 v,
                                           unsigned delta,
                                           int width = warpSize);
__device__ __nv_bfloat162 __shfl_xor_sync(unsigned mask, __nv_bfloat162 v,
                                          int lane, int width = warpSize);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *address,
                                    __nv_bfloat162 value);
__device__ __nv_bfloat162 __ldg(const __nv_bfloat162 *p);
__device__ __nv_bfloat162 __ldcg(const __nv_bfloat162 *p);
__device__ __nv_bfloat162 __ldca(const __nv_bfloat162 *p);
__device__ __nv_bfloat162 __ldcs(const __nv_bfloat162 *p);
__device__ __nv_bfloat162 __ldlu(const __nv_bfloat162 *p);
__device__ __nv_bfloat162 __ldcv(const __nv_bfloat162 *p);
__device__ void __stwb(__nv_bfloat162 *p, __nv_bfloat162 value);
__device__ void __stcg(__nv_bfloat162 *p, __nv_bfloat162 value);
__device__ void __stcs(__nv_bfloat162 *p, __nv_bfloat162 value);
__device__ void __stwt(__nv_bfloat162 *p, __nv_bfloat162 value);

#undef KPIPE_HD
#undef KPIPE_FN
#undef KPIPE_DEV

#endif // KPIPE_DECL_CUDA_BF16_H
