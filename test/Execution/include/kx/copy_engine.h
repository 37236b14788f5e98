// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for cuda::ptx: each function is the instruction of its name, which the
// executor knows. Of the variants that say who sees what, only a relaxed
// arrival differs here.
#pragma once

#include "../cuda_runtime.h"
#include "inline_asm.h"

#include <cstdint>
#include <type_traits>

namespace cuda::ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
template <dot_sem S> using sem_t = std::integral_constant<dot_sem, S>;
using sem_acquire_t = sem_t<dot_sem::acquire>;
using sem_relaxed_t = sem_t<dot_sem::relaxed>;
using sem_release_t = sem_t<dot_sem::release>;
static constexpr sem_acquire_t sem_acquire{};
static constexpr sem_relaxed_t sem_relaxed{};
static constexpr sem_release_t sem_release{};
template <dot_space S> using space_t = std::integral_constant<dot_space, S>;
using space_global_t = space_t<dot_space::global>;
using space_shared_t = space_t<dot_space::shared>;
using space_cluster_t = space_t<dot_space::cluster>;
static constexpr space_global_t space_global{};
static constexpr space_shared_t space_shared{};
static constexpr space_cluster_t space_cluster{};
template <dot_scope S> using scope_t = std::integral_constant<dot_scope, S>;
static constexpr scope_t<dot_scope::cluster> scope_cluster{};
static constexpr scope_t<dot_scope::cta> scope_cta{};

#define KX_ADDRESS(P)                                                          \
  ::kx::in(static_cast<::std::uint32_t>(__cvta_generic_to_shared(P)))

KX_SYNC void mbarrier_init(::std::uint64_t *B, const ::std::uint32_t &Count) {
  ::kx::ptx("mbarrier.init.shared::cta.b64 [%0], %1;", KX_ADDRESS(B),
            ::kx::in(Count));
}

template <dot_sem Sem, dot_scope Scope>
KX_SYNC ::std::uint64_t mbarrier_arrive(sem_t<Sem>, scope_t<Scope>,
                                        space_shared_t, ::std::uint64_t *B,
                                        const ::std::uint32_t &Count = 1) {
  ::std::uint64_t State;
  ::kx::ptx(Sem == dot_sem::relaxed
                ? "mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1], %2;"
                : "mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;",
            ::kx::out(State), KX_ADDRESS(B), ::kx::in(Count));
  return State;
}
KX_SYNC ::std::uint64_t mbarrier_arrive(::std::uint64_t *B,
                                        const ::std::uint32_t &Count = 1) {
  return mbarrier_arrive(sem_release, scope_cta, space_shared, B, Count);
}
template <dot_sem Sem, dot_scope Scope>
KX_SYNC ::std::uint64_t
mbarrier_arrive_expect_tx(sem_t<Sem>, scope_t<Scope>, space_shared_t,
                          ::std::uint64_t *B, const ::std::uint32_t &Bytes) {
  ::std::uint64_t State;
  ::kx::ptx(
      Sem == dot_sem::relaxed
          ? "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 %0, [%1], %2;"
          : "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;",
      ::kx::out(State), KX_ADDRESS(B), ::kx::in(Bytes));
  return State;
}
template <dot_scope Scope>
KX_SYNC void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_shared_t,
                                ::std::uint64_t *B, ::std::uint32_t Bytes) {
  ::kx::ptx("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;",
            KX_ADDRESS(B), ::kx::in(Bytes));
}

#define KX_WAIT(Name, Opcode, Type)                                            \
  KX_SYNC bool Name(::std::uint64_t *B, const Type &Which) {                   \
    ::std::uint32_t Done;                                                      \
    ::kx::ptx("{.reg .pred p; " Opcode ".shared::cta.b64 p, [%1], %2; "        \
              "selp.u32 %0, 1, 0, p;}",                                        \
              ::kx::out(Done), KX_ADDRESS(B), ::kx::in(Which));                \
    return Done;                                                               \
  }                                                                            \
  template <dot_sem Sem, dot_scope Scope>                                      \
  KX_SYNC bool Name(sem_t<Sem>, scope_t<Scope>, ::std::uint64_t *B,            \
                    const Type &Which) {                                       \
    return Name(B, Which);                                                     \
  }
KX_WAIT(mbarrier_test_wait, "mbarrier.test_wait", ::std::uint64_t)
KX_WAIT(mbarrier_try_wait, "mbarrier.try_wait", ::std::uint64_t)
KX_WAIT(mbarrier_test_wait_parity, "mbarrier.test_wait.parity",
        ::std::uint32_t)
KX_WAIT(mbarrier_try_wait_parity, "mbarrier.try_wait.parity", ::std::uint32_t)
#undef KX_WAIT

template <dot_scope Scope>
KX_SYNC void fence_mbarrier_init(sem_release_t, scope_t<Scope>) {
  ::kx::ptx("fence.mbarrier_init.release.cluster;");
}
KX_SYNC void fence_proxy_async() { ::kx::ptx("fence.proxy.async;"); }
template <dot_space Space> KX_SYNC void fence_proxy_async(space_t<Space>) {
  ::kx::ptx(Space == dot_space::global ? "fence.proxy.async.global;"
                                       : "fence.proxy.async.shared::cta;");
}

template <dot_space Space>
KX_SYNC void cp_async_bulk(space_t<Space>, space_global_t, void *To,
                           const void *From, const ::std::uint32_t &Bytes,
                           ::std::uint64_t *B) {
  ::kx::ptx("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1], %2, [%3];",
            KX_ADDRESS(To), ::kx::in(From), ::kx::in(Bytes), KX_ADDRESS(B));
}
#define KX_TENSOR(Rank, Text, ...)                                             \
  template <dot_space Space>                                                   \
  KX_SYNC void cp_async_bulk_tensor(                                           \
      space_t<Space>, space_global_t, void *To, const void *Map,               \
      const ::std::int32_t (&At)[Rank], ::std::uint64_t *B) {                  \
    ::kx::ptx("cp.async.bulk.tensor." #Rank "d.shared::cluster.global.tile"    \
              ".mbarrier::complete_tx::bytes [%0], [%1, {" Text "}], [%2];",   \
              KX_ADDRESS(To), ::kx::in(Map), KX_ADDRESS(B), __VA_ARGS__);      \
  }
KX_TENSOR(1, "%3", ::kx::in(At[0]))
KX_TENSOR(2, "%3, %4", ::kx::in(At[0]), ::kx::in(At[1]))
KX_TENSOR(3, "%3, %4, %5", ::kx::in(At[0]), ::kx::in(At[1]), ::kx::in(At[2]))
#undef KX_TENSOR
#undef KX_ADDRESS

} // namespace cuda::ptx
