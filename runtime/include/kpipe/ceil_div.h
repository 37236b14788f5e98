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

/// a / b rounded up, for a >= 0 and b > 0; never overflows.
template <typename A, typename B>
__host__ __device__ constexpr auto ceil_div(A a, B b) -> decltype(a / b) {
  return a / b + (a % b != 0);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_CEIL_DIV_H
// kpipe-inline: end
