// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::copy_async_zfill: copy_async with a condition, `valid ? *src : 0`,
// without a branch. Knows nothing of groups, stages or other threads.
//
// PTX: cp.async.{ca,cg}.shared.global [dst], [src], cp-size, src-size (sm_80
// and newer); PTX ISA, "Data Movement and Conversion Instructions: cp.async".
// Of the cp-size bytes written at dst the first src-size come from src, the
// others are zero. src-size is a register here: the same instruction serves
// both cases, where a constant per case would need a branch. Order and
// visibility are those of copy_async.
//
// Where valid is false src is not looked at: it may be null, far outside of any
// allocation, or misaligned. Nothing but the address itself has to be computed,
// so that `row < rows ? a[row * n] : 0` needs no clamp. What that rests on:
// - The PTX ISA has an operand for "the source is to be ignored", ignore-src
//   (PTX 7.5), and ptxas makes the same instruction of it as of a src-size that
//   is 0 or all: an LDGSTS whose source has a predicate. The code is the same,
//   byte for byte (CUDA 13.0, sm_80 to sm_120; test/Runtime/zero-fill.test).
//   src-size stands here because older toolkits know it too.
// - A src-size that ptxas cannot tell to be 0 or all becomes LDGSTS.ZFILL,
// which
//   took null, addresses 2^45 and 2^62 bytes outside and misaligned ones with
//   zeros and without a fault (H200, memcheck clean; the same instruction with
//   4 bytes to read from null faults). Other chips were not measured.
//
// Below sm_80 the copy is a plain load or zero and a store, complete at once;
// the load is not made where valid is false.
//
// kpipe-inline: copy_async_zfill
#ifndef KPIPE_RUNTIME_COPY_ASYNC_ZFILL_H
#define KPIPE_RUNTIME_COPY_ASYNC_ZFILL_H

namespace kpipe {

/// Starts to copy the object at __src (global memory) to __dst (shared memory)
/// if
/// __valid, else to fill __dst with zero bytes; then __src may be any address.
template <typename _Tp>
__device__ __forceinline__ void copy_async_zfill(_Tp *__dst, const _Tp *__src,
                                                 bool __valid) {
  static_assert(sizeof(_Tp) == 4 || sizeof(_Tp) == 8 || sizeof(_Tp) == 16,
                "kpipe::copy_async_zfill copies 4, 8 or 16 bytes");
  static_assert(alignof(_Tp) % sizeof(_Tp) == 0,
                "kpipe::copy_async_zfill needs a type aligned to its size");
  // __half2 and its kind are plain structs, yet not trivially copyable.
  static_assert(
      __is_trivially_copyable(_Tp) || __is_standard_layout(_Tp),
      "kpipe::copy_async_zfill copies bytes and runs no copy constructor");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned __shared_address =
      static_cast<unsigned>(__cvta_generic_to_shared(__dst));
  unsigned long long __global_address = __cvta_generic_to_global(__src);
  unsigned __bytes = __valid ? sizeof(_Tp) : 0;
  if (sizeof(_Tp) == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(__shared_address), "l"(__global_address), "r"(__bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(__shared_address), "l"(__global_address),
                   "n"(sizeof(_Tp)), "r"(__bytes)
                 : "memory");
#else
  if (__valid)
    *__dst = *__src;
  else
    memset(static_cast<void *>(__dst), 0, sizeof(_Tp));
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_COPY_ASYNC_ZFILL_H
// kpipe-inline: end
