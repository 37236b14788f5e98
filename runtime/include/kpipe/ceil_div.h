// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::ceil_div: division that rounds up. The extent of the register array
// that stages a copy loop's elements of one thread is the usual caller:
// `float a_reg[kpipe::ceil_div(BM * BK, THREADS)];`.
//
// kpipe-inline: ceil_div
#ifndef KPIPE_RUNTIME_CEIL_DIV_H
#define KPIPE_RUNTIME_CEIL_DIV_H

namespace kpipe {

/// __a / __b rounded up, for __a >= 0 and __b > 0; never overflows.
template <typename _Ap, typename _Bp>
__host__ __device__ constexpr auto ceil_div(_Ap __a, _Bp __b)
    -> decltype(__a / __b) {
  return __a / __b + (__a % __b != 0);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_CEIL_DIV_H
// kpipe-inline: end
