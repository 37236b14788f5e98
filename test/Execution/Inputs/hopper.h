// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One PTX instruction a function, in the spellings that authors use, for the
// executor's tests. Not part of kpipe's runtime.
#pragma once

#include <cstdint>

__device__ inline uint32_t shared_of(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void mbar_init(uint64_t *b, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_of(b)), "r"(count)
               : "memory");
}
__device__ inline void mbar_inval(uint64_t *b) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_of(b)) : "memory");
}
__device__ inline void fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void fence_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void arrive(uint64_t *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(b)) : "memory");
}
__device__ inline uint64_t arrive_token(uint64_t *b, int count = 1) {
  uint64_t state;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(shared_of(b)), "r"(count)
               : "memory");
  return state;
}
__device__ inline void arrive_drop(uint64_t *b) {
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(shared_of(b)) : "memory");
}
__device__ inline void arrive_expect(uint64_t *b, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(b)),
               "r"(bytes)
               : "memory");
}
__device__ inline void expect(uint64_t *b, int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_of(b)),
               "r"(bytes)
               : "memory");
}
__device__ inline void arrive_after_copies(uint64_t *b) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_of(b))
               : "memory");
}
__device__ inline void arrive_after_copies_counted(uint64_t *b) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_of(b)) : "memory");
}

__device__ inline bool test_parity(uint64_t *b, unsigned parity) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(shared_of(b)), "r"(parity)
               : "memory");
  return done;
}
__device__ inline bool try_token(uint64_t *b, uint64_t state) {
  uint32_t done;
  asm volatile("{\n\t.reg .pred complete;\n\t"
               "mbarrier.try_wait.shared::cta.b64 complete, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, complete;\n\t}"
               : "=r"(done)
               : "r"(shared_of(b)), "l"(state)
               : "memory");
  return done;
}
__device__ inline void wait_token(uint64_t *b, uint64_t state) {
  while (!try_token(b, state))
    ;
}
// A loop that polls, one that tries, and one within the text.
__device__ inline void poll(uint64_t *b, unsigned parity) {
  while (!test_parity(b, parity))
    asm volatile("nanosleep.u32 %0;" ::"r"(20));
}
__device__ inline void wait(uint64_t *b, unsigned parity) {
  asm volatile("{\n"
               ".reg .pred P1;\n"
               "LAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\n"
               "bra LAB_WAIT;\n"
               "DONE:\n"
               "}" ::"r"(shared_of(b)),
               "r"(parity)
               : "memory");
}

__device__ inline void cp_async16(void *dst, const void *src) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(dst)), "l"(src)
               : "memory");
}
__device__ inline void bulk_load(void *dst, const void *src, int bytes, uint64_t *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(shared_of(dst)),
               "l"(src), "r"(bytes), "r"(shared_of(b))
               : "memory");
}
__device__ inline void bulk_store(void *dst, const void *src, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(dst),
               "r"(shared_of(src)), "r"(bytes)
               : "memory");
}
__device__ inline void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int N> __device__ inline void store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

__device__ inline void named_sync(int id, int count) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__device__ inline void named_arrive(int id, int count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__device__ inline bool elect_one() {
  uint32_t one;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(one));
  return one;
}
