// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::copy_async: one thread's asynchronous copy of 4, 8 or 16 bytes from
// global to shared memory. Knows nothing of groups, stages or other threads.
//
// PTX: cp.async.{ca,cg}.shared.global [dst], [src], cp-size (sm_80 and newer);
// PTX ISA, "Data Movement and Conversion Instructions: cp.async". cp-size is 4,
// 8 or 16 and both addresses are aligned to it; .cg, which leaves L1 alone, is
// 16 bytes only. The copy is weak and unordered: until it has completed,
// reading or writing dst and writing src are undefined, also for the thread
// that issued it. It completes when that thread has passed a wait_prior that
// covers its group; other threads need a barrier after that.
//
// Below sm_80 the copy is a plain load and store, complete at once.
//
// kpipe-inline: copy_async
#ifndef KPIPE_RUNTIME_COPY_ASYNC_H
#define KPIPE_RUNTIME_COPY_ASYNC_H

namespace kpipe {

/// Starts to copy the object at __src (global memory) to __dst (shared memory).
template <typename _Tp>
__device__ __forceinline__ void copy_async(_Tp *__dst, const _Tp *__src) {
  static_assert(sizeof(_Tp) == 4 || sizeof(_Tp) == 8 || sizeof(_Tp) == 16,
                "kpipe::copy_async copies 4, 8 or 16 bytes");
  static_assert(alignof(_Tp) % sizeof(_Tp) == 0,
                "kpipe::copy_async needs a type aligned to its size");
  // __half2 and its kind are plain structs, yet not trivially copyable.
  static_assert(__is_trivially_copyable(_Tp) || __is_standard_layout(_Tp),
                "kpipe::copy_async copies bytes and runs no copy constructor");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned __shared_address =
      static_cast<unsigned>(__cvta_generic_to_shared(__dst));
  unsigned long long __global_address = __cvta_generic_to_global(__src);
  if (sizeof(_Tp) == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"(__shared_address), "l"(__global_address)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"(__shared_address), "l"(__global_address),
                   "n"(sizeof(_Tp))
                 : "memory");
#else
  *__dst = *__src;
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_COPY_ASYNC_H
// kpipe-inline: end
