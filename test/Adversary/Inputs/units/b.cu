// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define FEEDBACK
#include "kernels.cuh"
struct Back {
  float *p;
  __device__ void operator()(int i, float v) { p[i] = v; }
};
void launch_b(float *x, float *y, int n) {
  by_argument<true><<<1, T>>>(x, y, n);
  by_class<Back><<<1, T>>>(x, y, n);
  by_macro<<<1, T>>>(x, y, n);
  by_number<3><<<1, T>>>(x, y, n);
}
#ifdef KPIPE_HARNESS
#include "adversary.h"
#define UNIT_B(K, Kernel)                                                      \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + T), y = out<float>("y", T);                  \
      launch({1, T}, Kernel, x, y, n);                                         \
    }                                                                          \
  }
UNIT_B(by_argument, by_argument<true>)
UNIT_B(by_class, by_class<Back>)
UNIT_B(by_macro, by_macro)
UNIT_B(by_number, by_number<3>)
#endif
