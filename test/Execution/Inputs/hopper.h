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

// ---- tensor copies and wgmma ----
__device__ inline void tensor_load(void *dst, const void *map, int x, int y, uint64_t *b) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_of(dst)),
               "l"(map), "r"(x), "r"(y), "r"(shared_of(b))
               : "memory");
}
__device__ inline void tensor_store(const void *map, const void *src, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
               "r"(x), "r"(y), "r"(shared_of(src))
               : "memory");
}
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
// Swizzle: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes.
__device__ inline uint64_t descriptor(const void *p, int leading, int stride, int swizzle) {
  return uint64_t((shared_of(p) & 0x3ffff) >> 4) | uint64_t(leading >> 4) << 16 |
         uint64_t(stride >> 4) << 32 | uint64_t(swizzle) << 62;
}
// m64n16k16, operands of bf16; TransB: B's rows are contiguous.
template <int TransA, int TransB>
__device__ inline void wgmma_n16(float (&d)[8], uint64_t a, uint64_t b, int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, %11, %12;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b), "r"(adds), "n"(TransA), "n"(TransB));
}
__device__ inline void wgmma_n16_registers(float (&d)[8], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
