// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuComplex.h: complex numbers as float2 and double2, with the arithmetic that
// the toolkit's header gives to host and device.
// The guard is the toolkit's: a library's own header may bring the toolkit's
// file first.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "__kpipe_cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define KPIPE_FN __host__ __device__ static __inline__
#define KPIPE_COMPLEX(C, R, F)                                                 \
  KPIPE_FN R cuCreal##F(C x) { return x.x; }                                   \
  KPIPE_FN R cuCimag##F(C x) { return x.y; }                                   \
  KPIPE_FN C cuConj##F(C x) { return {x.x, -x.y}; }                            \
  KPIPE_FN C cuCadd##F(C x, C y) { return {x.x + y.x, x.y + y.y}; }            \
  KPIPE_FN C cuCsub##F(C x, C y) { return {x.x - y.x, x.y - y.y}; }            \
  KPIPE_FN C cuCmul##F(C x, C y) {                                             \
    return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                     \
  }                                                                            \
  __host__ __device__ __attribute__((const)) C cuCdiv##F(C x, C y);            \
  __host__ __device__ __attribute__((const)) R cuCabs##F(C x);                 \
  __host__ __device__ __attribute__((const)) C cuCfma##F(C x, C y, C d);
KPIPE_COMPLEX(cuFloatComplex, float, f)
KPIPE_COMPLEX(cuDoubleComplex, double, )
#undef KPIPE_COMPLEX

KPIPE_FN cuFloatComplex make_cuFloatComplex(float r, float i) { return {r, i}; }
KPIPE_FN cuComplex make_cuComplex(float r, float i) { return {r, i}; }
KPIPE_FN cuDoubleComplex make_cuDoubleComplex(double r, double i) {
  return {r, i};
}
KPIPE_FN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
  return {c.x, c.y};
}
KPIPE_FN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return {(float)c.x, (float)c.y};
}
#undef KPIPE_FN

#endif // CU_COMPLEX_H_
