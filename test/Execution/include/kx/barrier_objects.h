// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for cuda::barrier, and the calls that it and cuda::pipeline make
// into the executor: see executor/BarrierObjects.cpp. Copies are those of sm_80, each
// thread its own, but for those that count bytes, which are the copy engine's.
#pragma once

#include "../cuda_runtime.h"
#include "copy_engine.h"

#include <cstdint>
#include <type_traits>
#include <utility>

extern "C" {
void kx_barrier_init(void *Object, unsigned Count);
KX_SYNCHRONISES std::uint64_t kx_barrier_arrive(void *Object, unsigned Count,
                                                int Drops);
// Arrives when the calling thread's copies so far are complete. Counted: the
// barrier's count knows of it.
KX_SYNCHRONISES void kx_barrier_copies(void *Object, int Counted);
KX_SYNCHRONISES bool kx_barrier_test(void *Object, std::uint64_t Which,
                                     int ByParity);
KX_SYNCHRONISES void kx_barrier_wait(void *Object, std::uint64_t Which,
                                     int ByParity);
}

namespace cuda {
namespace std {
using namespace ::std;
struct kx_no_completion {};
} // namespace std

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
enum async_contract_fulfillment { none, async };

template <std::size_t Alignment> struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  explicit constexpr aligned_size_t(std::size_t Size) : value(Size) {}
  constexpr operator std::size_t() const { return value; }
};

template <thread_scope Scope, class Completion = std::kx_no_completion>
class alignas(8) barrier {
  ::std::uint64_t kx_state;

public:
  using arrival_token = ::std::uint64_t;
  barrier() = default;
  KX_INLINE barrier(::std::ptrdiff_t Count) { init(this, Count); }
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  KX_INLINE friend void init(barrier *B, ::std::ptrdiff_t Count) {
    kx_barrier_init(B, unsigned(Count));
  }
  KX_SYNC arrival_token arrive(::std::ptrdiff_t Count = 1) {
    return kx_barrier_arrive(this, unsigned(Count), 0);
  }
  KX_SYNC void wait(arrival_token &&Token) const {
    kx_barrier_wait(const_cast<barrier *>(this), Token, 0);
  }
  KX_SYNC void wait_parity(bool Parity) const {
    kx_barrier_wait(const_cast<barrier *>(this), Parity, 1);
  }
  template <class Duration>
  KX_SYNC bool try_wait_for(arrival_token &&Token, const Duration &) {
    return kx_barrier_test(this, Token, 0);
  }
  template <class Time>
  KX_SYNC bool try_wait_until(arrival_token &&Token, const Time &) {
    return kx_barrier_test(this, Token, 0);
  }
  template <class Duration>
  KX_SYNC bool try_wait_parity_for(bool Parity, const Duration &) {
    return kx_barrier_test(this, Parity, 1);
  }
  template <class Time>
  KX_SYNC bool try_wait_parity_until(bool Parity, const Time &) {
    return kx_barrier_test(this, Parity, 1);
  }
  KX_SYNC void arrive_and_wait() {
    kx_barrier_wait(this, kx_barrier_arrive(this, 1, 0), 0);
  }
  KX_SYNC void arrive_and_drop() { kx_barrier_arrive(this, 1, 1); }
  static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }
};

namespace device {
KX_INLINE ::std::uint64_t *
barrier_native_handle(barrier<thread_scope_block> &B) {
  return reinterpret_cast<::std::uint64_t *>(&B);
}
KX_SYNC barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &B, ::std::ptrdiff_t Count,
                  ::std::ptrdiff_t Bytes) {
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared,
                          barrier_native_handle(B), ::std::uint32_t(Bytes));
  return B.arrive(Count);
}
KX_SYNC void barrier_expect_tx(barrier<thread_scope_block> &B,
                               ::std::ptrdiff_t Bytes) {
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared,
                          barrier_native_handle(B), ::std::uint32_t(Bytes));
}
template <typename T, ::std::size_t Alignment>
KX_SYNC async_contract_fulfillment
memcpy_async_tx(T *To, const T *From, aligned_size_t<Alignment> Bytes,
                barrier<thread_scope_block> &B) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, To, From,
                     ::std::uint32_t(Bytes), barrier_native_handle(B));
  return async;
}

namespace experimental {
KX_SYNC void cp_async_bulk_global_to_shared(void *To, const void *From,
                                            ::std::uint32_t Bytes,
                                            barrier<thread_scope_block> &B) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, To, From, Bytes,
                     barrier_native_handle(B));
}
KX_SYNC void
cp_async_bulk_tensor_1d_global_to_shared(void *To, const void *Map, int C0,
                                         barrier<thread_scope_block> &B) {
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, To, Map,
                            {C0}, barrier_native_handle(B));
}
KX_SYNC void
cp_async_bulk_tensor_2d_global_to_shared(void *To, const void *Map, int C0,
                                         int C1,
                                         barrier<thread_scope_block> &B) {
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, To, Map,
                            {C0, C1}, barrier_native_handle(B));
}
KX_SYNC void
cp_async_bulk_tensor_3d_global_to_shared(void *To, const void *Map, int C0,
                                         int C1, int C2,
                                         barrier<thread_scope_block> &B) {
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, To, Map,
                            {C0, C1, C2}, barrier_native_handle(B));
}
KX_SYNC void fence_proxy_async_shared_cta() {
  ptx::fence_proxy_async(ptx::space_shared);
}
} // namespace experimental
} // namespace device
} // namespace cuda

namespace kx {
struct OneThread {
  KX_INLINE static void sync() {}
  KX_INLINE static constexpr unsigned size() { return 1; }
  KX_INLINE static constexpr unsigned thread_rank() { return 0; }
};

template <typename Size> struct AlignOfSize {
  static constexpr std::size_t Value = 1;
};
template <std::size_t N> struct AlignOfSize<cuda::aligned_size_t<N>> {
  static constexpr std::size_t Value = N;
};

// The threads of a group take turns at pieces of Align bytes, 16 at most, which
// are asynchronous from 4 on. Returns whether they are.
template <std::size_t Align, typename Group>
KX_INLINE bool copyByGroup(const Group &G, char *Dst, const char *Src,
                           std::size_t Bytes) {
  constexpr std::size_t Piece = Align > 16 ? 16 : Align;
  for (std::size_t At = G.thread_rank() * Piece; At < Bytes;
       At += G.size() * Piece)
    if constexpr (Piece >= 4) {
      kx_copy_async(Dst + At, Src + At, Piece, Piece);
    } else {
      kx_read(Src + At, Piece);
      kx_write(Dst + At, Piece);
      __builtin_memcpy_inline(Dst + At, Src + At, Piece);
    }
  return Piece >= 4;
}

template <typename T> struct AlignOf {
  static constexpr std::size_t Value = alignof(T);
};
template <> struct AlignOf<void> {
  static constexpr std::size_t Value = 1;
};
template <typename T, typename Size>
constexpr std::size_t CommonAlign =
    AlignOf<T>::Value < AlignOfSize<Size>::Value ? AlignOfSize<Size>::Value
                                                 : AlignOf<T>::Value;

template <std::size_t Align, typename Group, cuda::thread_scope S, typename C>
KX_SYNC cuda::async_contract_fulfillment
copyInto(const Group &G, void *Dst, const void *Src, std::size_t Bytes,
         cuda::barrier<S, C> &B) {
  if (!copyByGroup<Align>(G, static_cast<char *>(Dst),
                          static_cast<const char *>(Src), Bytes))
    return cuda::none;
  kx_barrier_copies(&B, 0);
  return cuda::async;
}
} // namespace kx

// Into a barrier and into a pipeline alike. Object has copyInto.
#define KX_MEMCPY_ASYNC(Params, Object)                                        \
  template <typename T, typename Size, Params>                                 \
  KX_SYNC async_contract_fulfillment memcpy_async(T *D, const T *S, Size N,    \
                                                  Object &O) {                 \
    return kx::copyInto<kx::CommonAlign<T, Size>>(kx::OneThread(), D, S, N,    \
                                                  O);                          \
  }                                                                            \
  template <typename Size, Params>                                             \
  KX_SYNC async_contract_fulfillment memcpy_async(void *D, const void *S,      \
                                                  Size N, Object &O) {         \
    return kx::copyInto<kx::CommonAlign<void, Size>>(kx::OneThread(), D, S, N, \
                                                     O);                       \
  }                                                                            \
  template <typename Group, typename T, Params>                                \
  KX_SYNC async_contract_fulfillment memcpy_async(                             \
      const Group &G, T *D, const T *S, ::std::size_t N, Object &O) {          \
    return kx::copyInto<alignof(T)>(G, D, S, N, O);                            \
  }                                                                            \
  template <typename Group, typename T, ::std::size_t A, Params>               \
  KX_SYNC async_contract_fulfillment memcpy_async(                             \
      const Group &G, T *D, const T *S, aligned_size_t<A> N, Object &O) {      \
    return kx::copyInto<kx::CommonAlign<T, aligned_size_t<A>>>(G, D, S, N, O); \
  }                                                                            \
  template <typename Group, Params>                                            \
  KX_SYNC async_contract_fulfillment memcpy_async(                             \
      const Group &G, void *D, const void *S, ::std::size_t N, Object &O) {    \
    return kx::copyInto<1>(G, D, S, N, O);                                     \
  }                                                                            \
  template <typename Group, ::std::size_t A, Params>                           \
  KX_SYNC async_contract_fulfillment memcpy_async(                             \
      const Group &G, void *D, const void *S, aligned_size_t<A> N,             \
      Object &O) {                                                             \
    return kx::copyInto<A>(G, D, S, N, O);                                     \
  }

#define KX_COMMA ,
namespace cuda {
KX_MEMCPY_ASYNC(thread_scope KX_SCOPE KX_COMMA typename KX_C,
                barrier<KX_SCOPE KX_COMMA KX_C>)
} // namespace cuda
