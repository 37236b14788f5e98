// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that calls what it is given.
#pragma once
#pragma GCC system_header

namespace library {
template <typename L>
__device__ float drive(const L &l, float *xs, const float *x, int n) {
  return l.run(xs, x, n);
}
template <typename F>
__device__ float apply(const F &f, float *xs, const float *x, int n) {
  return f(xs, x, n);
}
template <typename P> struct Driver {
  static __device__ float go(float *xs, const float *x, int n) {
    return P::run(xs, x, n);
  }
};
} // namespace library
