#include "no_such_file.h"
__global__ void good(const float *__restrict__ A, float *__restrict__ C) {
  __shared__ float S[32];
  float s = 0;
  for (int t = 0; t < 128; t += 32) {
    S[threadIdx.x] = A[t + threadIdx.x];
    __syncthreads();
    s += S[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = s;
}
__global__ void bad(const float *A) {
  __shared__ float S[32;
  for (int t = 0; t < 128; t += 32) {
    S[threadIdx.x] = A[t + threadIdx.x]
    __syncthreads();
    undeclared(S[0]);
    __syncthreads();
  }
}
#if 0
