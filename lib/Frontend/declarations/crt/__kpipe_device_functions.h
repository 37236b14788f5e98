// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crt/__kpipe_device_functions.h: device functions that Clang's own headers
// leave to the toolkit: barriers, atomics, min and max, conversions, and the
// parts of the C library that run on a device. Declarations only. Those that
// read nothing but their arguments are const, which an analysis may use.
#ifndef KPIPE_DECL_DEVICE_FUNCTIONS_H
#define KPIPE_DECL_DEVICE_FUNCTIONS_H

#define KPIPE_PURE __device__ __attribute__((const))

// The block barrier and the other orders of memory.
extern "C" {
__device__ void __syncthreads(void);
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow))
__attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function,
                             size_t charSize);
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ unsigned int __pm0(void);
__device__ unsigned int __pm1(void);
__device__ unsigned int __pm2(void);
__device__ unsigned int __pm3(void);
}

#ifndef KPIPE_NO_CXX_LIBRARY
namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
} // namespace std
#endif

__device__ unsigned long long __globaltimer(void);

// Address spaces.
__device__ __attribute__((const)) unsigned int __isGlobal(const void *p);
__device__ __attribute__((const)) unsigned int __isShared(const void *p);
__device__ __attribute__((const)) unsigned int __isConstant(const void *p);
__device__ __attribute__((const)) unsigned int __isLocal(const void *p);
KPIPE_PURE size_t __cvta_generic_to_shared(const void *p);
KPIPE_PURE size_t __cvta_generic_to_global(const void *p);
KPIPE_PURE size_t __cvta_generic_to_local(const void *p);
KPIPE_PURE size_t __cvta_generic_to_constant(const void *p);
KPIPE_PURE void *__cvta_shared_to_generic(size_t p);
KPIPE_PURE void *__cvta_global_to_generic(size_t p);
KPIPE_PURE void *__cvta_local_to_generic(size_t p);
KPIPE_PURE void *__cvta_constant_to_generic(size_t p);
KPIPE_PURE unsigned int __isGridConstant(const void *p);
KPIPE_PURE size_t __cvta_generic_to_grid_constant(const void *p);
KPIPE_PURE void *__cvta_grid_constant_to_generic(size_t p);

// Bit casts and small conversions.
KPIPE_PURE int mulhi(int a, int b);
KPIPE_PURE unsigned int umulhi(unsigned int a, unsigned int b);
KPIPE_PURE int mul24(int a, int b);
KPIPE_PURE unsigned int umul24(unsigned int a, unsigned int b);
KPIPE_PURE int float2int(float a);
KPIPE_PURE float int2float(int a);
KPIPE_PURE float saturate(float a);
KPIPE_PURE int __dp4a(int a, int b, int c);
KPIPE_PURE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c);
KPIPE_PURE int __dp4a(char4 a, char4 b, int c);
KPIPE_PURE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c);
KPIPE_PURE int __dp2a_lo(int a, int b, int c);
KPIPE_PURE unsigned int __dp2a_lo(unsigned int a, unsigned int b,
                                  unsigned int c);
KPIPE_PURE int __dp2a_hi(int a, int b, int c);
KPIPE_PURE unsigned int __dp2a_hi(unsigned int a, unsigned int b,
                                  unsigned int c);

KPIPE_PURE int __dp2a_lo(short2 a, char4 b, int c);
KPIPE_PURE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c);
KPIPE_PURE int __dp2a_hi(short2 a, char4 b, int c);
KPIPE_PURE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c);

KPIPE_PURE double fma(double a, double b, double c, cudaRoundMode mode);
KPIPE_PURE double dmul(double a, double b,
                       cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double dadd(double a, double b,
                       cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double dsub(double a, double b,
                       cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE int double2int(double a, cudaRoundMode mode = cudaRoundZero);
KPIPE_PURE unsigned int double2uint(double a,
                                    cudaRoundMode mode = cudaRoundZero);
KPIPE_PURE long long double2ll(double a, cudaRoundMode mode = cudaRoundZero);
KPIPE_PURE unsigned long long double2ull(double a,
                                         cudaRoundMode mode = cudaRoundZero);
KPIPE_PURE double ll2double(long long a, cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double ull2double(unsigned long long a,
                             cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double int2double(int a, cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double uint2double(unsigned int a,
                              cudaRoundMode mode = cudaRoundNearest);
KPIPE_PURE double float2double(float a, cudaRoundMode mode = cudaRoundNearest);

// Names of the first CUDA, which its headers still have.
__device__ bool any(bool predicate);
__device__ bool all(bool predicate);
__device__ unsigned int ballot(bool predicate);
__device__ int syncthreads_count(bool predicate);
__device__ bool syncthreads_and(bool predicate);
__device__ bool syncthreads_or(bool predicate);

KPIPE_PURE int __viaddmax_s32(int a, int b, int c);
KPIPE_PURE int __viaddmin_s32(int a, int b, int c);
KPIPE_PURE int __viaddmax_s32_relu(int a, int b, int c);
KPIPE_PURE int __viaddmin_s32_relu(int a, int b, int c);
KPIPE_PURE int __vimax3_s32(int a, int b, int c);
KPIPE_PURE int __vimin3_s32(int a, int b, int c);
KPIPE_PURE int __vimax3_s32_relu(int a, int b, int c);
KPIPE_PURE int __vimin3_s32_relu(int a, int b, int c);
KPIPE_PURE int __vimax_s32_relu(int a, int b);
KPIPE_PURE int __vimin_s32_relu(int a, int b);
KPIPE_PURE unsigned int __viaddmax_u32(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __viaddmin_u32(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __vimax3_u32(unsigned int a, unsigned int b,
                                     unsigned int c);
KPIPE_PURE unsigned int __vimin3_u32(unsigned int a, unsigned int b,
                                     unsigned int c);
KPIPE_PURE unsigned int __viaddmax_s16x2(unsigned int a, unsigned int b,
                                         unsigned int c);
KPIPE_PURE unsigned int __viaddmin_s16x2(unsigned int a, unsigned int b,
                                         unsigned int c);
KPIPE_PURE unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b,
                                              unsigned int c);
KPIPE_PURE unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b,
                                              unsigned int c);
KPIPE_PURE unsigned int __viaddmax_u16x2(unsigned int a, unsigned int b,
                                         unsigned int c);
KPIPE_PURE unsigned int __viaddmin_u16x2(unsigned int a, unsigned int b,
                                         unsigned int c);
KPIPE_PURE unsigned int __vimax3_s16x2(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __vimin3_s16x2(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b,
                                            unsigned int c);
KPIPE_PURE unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b,
                                            unsigned int c);
KPIPE_PURE unsigned int __vimax3_u16x2(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __vimin3_u16x2(unsigned int a, unsigned int b,
                                       unsigned int c);
KPIPE_PURE unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b);
KPIPE_PURE unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b);
__device__ int __vibmax_s32(int a, int b, bool *pred);
__device__ unsigned int __vibmax_u32(unsigned int a, unsigned int b,
                                     bool *pred);
__device__ unsigned int __vibmax_s16x2(unsigned int a, unsigned int b,
                                       bool *predHi, bool *predLo);
__device__ unsigned int __vibmax_u16x2(unsigned int a, unsigned int b,
                                       bool *predHi, bool *predLo);
__device__ int __vibmin_s32(int a, int b, bool *pred);
__device__ unsigned int __vibmin_u32(unsigned int a, unsigned int b,
                                     bool *pred);
__device__ unsigned int __vibmin_s16x2(unsigned int a, unsigned int b,
                                       bool *predHi, bool *predLo);
__device__ unsigned int __vibmin_u16x2(unsigned int a, unsigned int b,
                                       bool *predHi, bool *predLo);

// Minimum and maximum: Clang declares those of one integer type; the mixed ones
// and the host's are here.
__host__ int min(int a, int b);
__host__ unsigned int min(unsigned int a, unsigned int b);
__host__ long min(long a, long b);
__host__ unsigned long min(unsigned long a, unsigned long b);
__host__ long long min(long long a, long long b);
__host__ unsigned long long min(unsigned long long a, unsigned long long b);
__host__ float min(float a, float b);
__host__ double min(double a, double b);
KPIPE_PURE unsigned int min(unsigned int a, unsigned int b);
KPIPE_PURE long min(long a, long b);
KPIPE_PURE unsigned long min(unsigned long a, unsigned long b);
KPIPE_PURE long long min(long long a, long long b);
KPIPE_PURE unsigned long long min(unsigned long long a, unsigned long long b);
KPIPE_PURE float min(float a, float b);
KPIPE_PURE double min(double a, double b);
__host__ unsigned int min(int a, unsigned int b);
KPIPE_PURE unsigned int min(int a, unsigned int b);
__host__ unsigned int min(unsigned int a, int b);
KPIPE_PURE unsigned int min(unsigned int a, int b);
__host__ unsigned long min(long a, unsigned long b);
KPIPE_PURE unsigned long min(long a, unsigned long b);
__host__ unsigned long min(unsigned long a, long b);
KPIPE_PURE unsigned long min(unsigned long a, long b);
__host__ unsigned long long min(long long a, unsigned long long b);
KPIPE_PURE unsigned long long min(long long a, unsigned long long b);
__host__ unsigned long long min(unsigned long long a, long long b);
KPIPE_PURE unsigned long long min(unsigned long long a, long long b);
__host__ double min(float a, double b);
KPIPE_PURE double min(float a, double b);
__host__ double min(double a, float b);
KPIPE_PURE double min(double a, float b);
__host__ int max(int a, int b);
__host__ unsigned int max(unsigned int a, unsigned int b);
__host__ long max(long a, long b);
__host__ unsigned long max(unsigned long a, unsigned long b);
__host__ long long max(long long a, long long b);
__host__ unsigned long long max(unsigned long long a, unsigned long long b);
__host__ float max(float a, float b);
__host__ double max(double a, double b);
KPIPE_PURE unsigned int max(unsigned int a, unsigned int b);
KPIPE_PURE long max(long a, long b);
KPIPE_PURE unsigned long max(unsigned long a, unsigned long b);
KPIPE_PURE long long max(long long a, long long b);
KPIPE_PURE unsigned long long max(unsigned long long a, unsigned long long b);
KPIPE_PURE float max(float a, float b);
KPIPE_PURE double max(double a, double b);
__host__ unsigned int max(int a, unsigned int b);
KPIPE_PURE unsigned int max(int a, unsigned int b);
__host__ unsigned int max(unsigned int a, int b);
KPIPE_PURE unsigned int max(unsigned int a, int b);
__host__ unsigned long max(long a, unsigned long b);
KPIPE_PURE unsigned long max(long a, unsigned long b);
__host__ unsigned long max(unsigned long a, long b);
KPIPE_PURE unsigned long max(unsigned long a, long b);
__host__ unsigned long long max(long long a, unsigned long long b);
KPIPE_PURE unsigned long long max(long long a, unsigned long long b);
__host__ unsigned long long max(unsigned long long a, long long b);
KPIPE_PURE unsigned long long max(unsigned long long a, long long b);
__host__ double max(float a, double b);
KPIPE_PURE double max(float a, double b);
__host__ double max(double a, float b);
KPIPE_PURE double max(double a, float b);

// Mathematics that CUDA gives to the host as well.
__host__ double rsqrt(double x);
__host__ float rsqrtf(float x);
__host__ float rsqrt(float x);
KPIPE_PURE float rsqrt(float x);
__host__ double rcbrt(double x);
__host__ float rcbrtf(float x);
__host__ float rcbrt(float x);
KPIPE_PURE float rcbrt(float x);
__host__ double sinpi(double x);
__host__ float sinpif(float x);
__host__ float sinpi(float x);
KPIPE_PURE float sinpi(float x);
__host__ double cospi(double x);
__host__ float cospif(float x);
__host__ float cospi(float x);
KPIPE_PURE float cospi(float x);
__host__ double erfinv(double x);
__host__ float erfinvf(float x);
__host__ float erfinv(float x);
KPIPE_PURE float erfinv(float x);
__host__ double erfcinv(double x);
__host__ float erfcinvf(float x);
__host__ float erfcinv(float x);
KPIPE_PURE float erfcinv(float x);
__host__ double normcdf(double x);
__host__ float normcdff(float x);
__host__ float normcdf(float x);
KPIPE_PURE float normcdf(float x);
__host__ double normcdfinv(double x);
__host__ float normcdfinvf(float x);
__host__ float normcdfinv(float x);
KPIPE_PURE float normcdfinv(float x);
__host__ double erfcx(double x);
__host__ float erfcxf(float x);
__host__ float erfcx(float x);
KPIPE_PURE float erfcx(float x);
__host__ float exp10(float x);
KPIPE_PURE float exp10(float x);
__host__ double cyl_bessel_i0(double x);
__host__ float cyl_bessel_i0f(float x);
__host__ float cyl_bessel_i0(float x);
KPIPE_PURE float cyl_bessel_i0(float x);
__host__ double cyl_bessel_i1(double x);
__host__ float cyl_bessel_i1f(float x);
__host__ float cyl_bessel_i1(float x);
KPIPE_PURE float cyl_bessel_i1(float x);
__host__ void sincospi(double x, double *s, double *c);
__host__ void sincospif(float x, float *s, float *c);
__host__ double norm3d(double a, double b, double c);
__host__ float norm3df(float a, float b, float c);
__host__ double rhypot(double a, double b);
__host__ float rhypotf(float a, float b);
__device__ void sincos(float x, float *s, float *c);
__device__ void sincospi(float x, float *s, float *c);
KPIPE_PURE float fdivide(float a, float b);
__host__ float fdividef(float a, float b);

// Atomics. The result is the value before.
__device__ int atomicAdd(int *address, int value);
__device__ int atomicAdd_block(int *address, int value);
__device__ int atomicAdd_system(int *address, int value);
__device__ unsigned int atomicAdd(unsigned int *address, unsigned int value);
__device__ unsigned int atomicAdd_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicAdd_system(unsigned int *address,
                                         unsigned int value);
__device__ unsigned long long atomicAdd(unsigned long long *address,
                                        unsigned long long value);
__device__ unsigned long long atomicAdd_block(unsigned long long *address,
                                              unsigned long long value);
__device__ unsigned long long atomicAdd_system(unsigned long long *address,
                                               unsigned long long value);
__device__ float atomicAdd(float *address, float value);
__device__ float atomicAdd_block(float *address, float value);
__device__ float atomicAdd_system(float *address, float value);
__device__ double atomicAdd(double *address, double value);
__device__ double atomicAdd_block(double *address, double value);
__device__ double atomicAdd_system(double *address, double value);
__device__ float2 atomicAdd(float2 *address, float2 value);
__device__ float4 atomicAdd(float4 *address, float4 value);
__device__ int atomicSub(int *address, int value);
__device__ int atomicSub_block(int *address, int value);
__device__ int atomicSub_system(int *address, int value);
__device__ unsigned int atomicSub(unsigned int *address, unsigned int value);
__device__ unsigned int atomicSub_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicSub_system(unsigned int *address,
                                         unsigned int value);
__device__ int atomicExch(int *address, int value);
__device__ int atomicExch_block(int *address, int value);
__device__ int atomicExch_system(int *address, int value);
__device__ unsigned int atomicExch(unsigned int *address, unsigned int value);
__device__ unsigned int atomicExch_block(unsigned int *address,
                                         unsigned int value);
__device__ unsigned int atomicExch_system(unsigned int *address,
                                          unsigned int value);
__device__ unsigned long long atomicExch(unsigned long long *address,
                                         unsigned long long value);
__device__ unsigned long long atomicExch_block(unsigned long long *address,
                                               unsigned long long value);
__device__ unsigned long long atomicExch_system(unsigned long long *address,
                                                unsigned long long value);
__device__ float atomicExch(float *address, float value);
__device__ float atomicExch_block(float *address, float value);
__device__ float atomicExch_system(float *address, float value);
__device__ int atomicMin(int *address, int value);
__device__ int atomicMin_block(int *address, int value);
__device__ int atomicMin_system(int *address, int value);
__device__ unsigned int atomicMin(unsigned int *address, unsigned int value);
__device__ unsigned int atomicMin_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicMin_system(unsigned int *address,
                                         unsigned int value);
__device__ long long atomicMin(long long *address, long long value);
__device__ long long atomicMin_block(long long *address, long long value);
__device__ long long atomicMin_system(long long *address, long long value);
__device__ unsigned long long atomicMin(unsigned long long *address,
                                        unsigned long long value);
__device__ unsigned long long atomicMin_block(unsigned long long *address,
                                              unsigned long long value);
__device__ unsigned long long atomicMin_system(unsigned long long *address,
                                               unsigned long long value);
__device__ int atomicMax(int *address, int value);
__device__ int atomicMax_block(int *address, int value);
__device__ int atomicMax_system(int *address, int value);
__device__ unsigned int atomicMax(unsigned int *address, unsigned int value);
__device__ unsigned int atomicMax_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicMax_system(unsigned int *address,
                                         unsigned int value);
__device__ long long atomicMax(long long *address, long long value);
__device__ long long atomicMax_block(long long *address, long long value);
__device__ long long atomicMax_system(long long *address, long long value);
__device__ unsigned long long atomicMax(unsigned long long *address,
                                        unsigned long long value);
__device__ unsigned long long atomicMax_block(unsigned long long *address,
                                              unsigned long long value);
__device__ unsigned long long atomicMax_system(unsigned long long *address,
                                               unsigned long long value);
__device__ unsigned int atomicInc(unsigned int *address, unsigned int value);
__device__ unsigned int atomicInc_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicInc_system(unsigned int *address,
                                         unsigned int value);
__device__ unsigned int atomicDec(unsigned int *address, unsigned int value);
__device__ unsigned int atomicDec_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicDec_system(unsigned int *address,
                                         unsigned int value);
__device__ int atomicAnd(int *address, int value);
__device__ int atomicAnd_block(int *address, int value);
__device__ int atomicAnd_system(int *address, int value);
__device__ unsigned int atomicAnd(unsigned int *address, unsigned int value);
__device__ unsigned int atomicAnd_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicAnd_system(unsigned int *address,
                                         unsigned int value);
__device__ unsigned long long atomicAnd(unsigned long long *address,
                                        unsigned long long value);
__device__ unsigned long long atomicAnd_block(unsigned long long *address,
                                              unsigned long long value);
__device__ unsigned long long atomicAnd_system(unsigned long long *address,
                                               unsigned long long value);
__device__ int atomicOr(int *address, int value);
__device__ int atomicOr_block(int *address, int value);
__device__ int atomicOr_system(int *address, int value);
__device__ unsigned int atomicOr(unsigned int *address, unsigned int value);
__device__ unsigned int atomicOr_block(unsigned int *address,
                                       unsigned int value);
__device__ unsigned int atomicOr_system(unsigned int *address,
                                        unsigned int value);
__device__ unsigned long long atomicOr(unsigned long long *address,
                                       unsigned long long value);
__device__ unsigned long long atomicOr_block(unsigned long long *address,
                                             unsigned long long value);
__device__ unsigned long long atomicOr_system(unsigned long long *address,
                                              unsigned long long value);
__device__ int atomicXor(int *address, int value);
__device__ int atomicXor_block(int *address, int value);
__device__ int atomicXor_system(int *address, int value);
__device__ unsigned int atomicXor(unsigned int *address, unsigned int value);
__device__ unsigned int atomicXor_block(unsigned int *address,
                                        unsigned int value);
__device__ unsigned int atomicXor_system(unsigned int *address,
                                         unsigned int value);
__device__ unsigned long long atomicXor(unsigned long long *address,
                                        unsigned long long value);
__device__ unsigned long long atomicXor_block(unsigned long long *address,
                                              unsigned long long value);
__device__ unsigned long long atomicXor_system(unsigned long long *address,
                                               unsigned long long value);
__device__ int atomicCAS(int *address, int compare, int value);
__device__ int atomicCAS_block(int *address, int compare, int value);
__device__ int atomicCAS_system(int *address, int compare, int value);
__device__ unsigned int atomicCAS(unsigned int *address, unsigned int compare,
                                  unsigned int value);
__device__ unsigned int atomicCAS_block(unsigned int *address,
                                        unsigned int compare,
                                        unsigned int value);
__device__ unsigned int atomicCAS_system(unsigned int *address,
                                         unsigned int compare,
                                         unsigned int value);
__device__ unsigned long long atomicCAS(unsigned long long *address,
                                        unsigned long long compare,
                                        unsigned long long value);
__device__ unsigned long long atomicCAS_block(unsigned long long *address,
                                              unsigned long long compare,
                                              unsigned long long value);
__device__ unsigned long long atomicCAS_system(unsigned long long *address,
                                               unsigned long long compare,
                                               unsigned long long value);
__device__ unsigned short atomicCAS_block(unsigned short *address,
                                          unsigned short compare,
                                          unsigned short value);
__device__ unsigned short atomicCAS_system(unsigned short *address,
                                           unsigned short compare,
                                           unsigned short value);

__device__ long long atomicAnd(long long *address, long long value);
__device__ long long atomicAnd_block(long long *address, long long value);
__device__ long long atomicAnd_system(long long *address, long long value);
__device__ long long atomicOr(long long *address, long long value);
__device__ long long atomicOr_block(long long *address, long long value);
__device__ long long atomicOr_system(long long *address, long long value);
__device__ long long atomicXor(long long *address, long long value);
__device__ long long atomicXor_block(long long *address, long long value);
__device__ long long atomicXor_system(long long *address, long long value);

// Generic compiler atomics that nvcc knows under these names.
template <class _Tp>
__device__ void __nv_atomic_load(const _Tp *p, _Tp *result, int order,
                                 int scope = 0);
template <class _Tp>
__device__ _Tp __nv_atomic_load_n(const _Tp *p, int order, int scope = 0);
template <class _Tp>
__device__ void __nv_atomic_store_n(_Tp *p, _Tp value, int order,
                                    int scope = 0);
template <class _Tp>
__device__ _Tp __nv_atomic_fetch_add(_Tp *p, _Tp value, int order,
                                     int scope = 0);
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_DEVICE 4
#define __NV_THREAD_SCOPE_SYSTEM 5

// Programmatic dependent launch and launches from the device.
__device__ void cudaTriggerProgrammaticLaunchCompletion(void);
__device__ void cudaGridDependencySynchronize(void);

#undef KPIPE_PURE

#endif // KPIPE_DECL_DEVICE_FUNCTIONS_H
