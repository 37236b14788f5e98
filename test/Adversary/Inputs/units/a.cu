// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.cuh"
struct Nowhere {
  float *p;
  __device__ void operator()(int, float) {}
};
void launch_a(float *x, float *y, int n) {
  by_argument<false><<<1, T>>>(x, y, n);
  by_class<Nowhere><<<1, T>>>(x, y, n);
  by_macro<<<1, T>>>(x, y, n);
  by_number<1><<<1, T>>>(x, y, n);
}
