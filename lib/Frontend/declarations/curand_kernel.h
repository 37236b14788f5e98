// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// curand_kernel.h: cuRAND's device interface. The states are opaque and their
// sizes are ours: kernels keep them in registers or global memory, where a size
// does not enter a budget. Declarations only.
#ifndef KPIPE_DECL_CURAND_KERNEL_H
#define KPIPE_DECL_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#include "curand.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define KPIPE_RAND(S)                                                          \
  __device__ void curand_init(unsigned long long seed,                         \
                              unsigned long long sequence,                     \
                              unsigned long long offset, S *state);            \
  __device__ unsigned int curand(S *state);                                    \
  __device__ float curand_uniform(S *state);                                   \
  __device__ double curand_uniform_double(S *state);                           \
  __device__ float curand_normal(S *state);                                    \
  __device__ double curand_normal_double(S *state);                            \
  __device__ float2 curand_normal2(S *state);                                  \
  __device__ double2 curand_normal2_double(S *state);                          \
  __device__ float curand_log_normal(S *state, float mean, float stddev);      \
  __device__ unsigned int curand_poisson(S *state, double lambda);             \
  __device__ void skipahead(unsigned long long n, S *state);
KPIPE_RAND(curandStateXORWOW)
KPIPE_RAND(curandStatePhilox4_32_10)
KPIPE_RAND(curandStateMRG32k3a)
#undef KPIPE_RAND
__device__ uint4 curand4(curandStatePhilox4_32_10 *state);
__device__ float4 curand_uniform4(curandStatePhilox4_32_10 *state);
__device__ float4 curand_normal4(curandStatePhilox4_32_10 *state);
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10 *state);

#endif // KPIPE_DECL_CURAND_KERNEL_H
