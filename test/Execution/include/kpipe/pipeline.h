// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for the runtime header of kpipe: the same names, but copies are the
// executor's, which completes them late or early and checks every use. What is
// plain arithmetic is the runtime's own.
#pragma once

#include "../cuda_runtime.h"

#include <kpipe/advance_bytes.h>
#include <kpipe/ceil_div.h>
#include <kpipe/next_stage.h>
#include <kpipe/opt_in_shared.h>
#include <kpipe/previous_stage.h>
#include <kpipe/staged_bytes.h>
#include <kpipe/swizzled.h>
#include <kpipe/trip_count.h>
#include <kpipe/with_producer.h>
#include "../kx/to_first_stage.h"

namespace kpipe {

template <typename T> KX_INLINE void copy_async(T *Dst, const T *Src) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "cp.async copies 4, 8 or 16 bytes");
  kx_copy_async(Dst, Src, sizeof(T), sizeof(T));
}

template <typename T>
KX_INLINE void copy_async_zfill(T *Dst, const T *Src, bool Valid) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "cp.async copies 4, 8 or 16 bytes");
  kx_copy_async(Dst, Src, sizeof(T), Valid ? sizeof(T) : 0);
}

KX_INLINE void commit() { kx_commit(); }

template <int S, int Multiple = 128> KX_INLINE int bytes_per_stage() {
  unsigned Bytes = 0;
  kx::ptx("mov.u32 %0, %%dynamic_smem_size;", kx::out(Bytes));
  return int(Bytes / (Multiple * S) * Multiple);
}

template <int Groups> KX_INLINE void wait_prior() {
  static_assert(Groups >= 0, "leaves 0 or more groups pending");
  kx_wait_prior(Groups);
}

// Of a tile that the copy engine brings.
template <typename T> KX_INLINE void init_full(T &Barrier) {
  static_assert(sizeof(T) == 8, "an mbarrier");
  kx::ptx("mbarrier.init.shared::cta.b64 [%0], %1;",
          kx::in(unsigned(__cvta_generic_to_shared(&Barrier))), kx::in(1));
}
template <typename T> KX_INLINE void expect_tile(T &Barrier, unsigned Bytes) {
  static_assert(sizeof(T) == 8, "an mbarrier");
  kx::ptx("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;",
          kx::in(unsigned(__cvta_generic_to_shared(&Barrier))),
          kx::in(Bytes));
}
template <typename T, int Rows, int Columns, typename M, typename B>
KX_INLINE void load_box(T (&Tile)[Rows][Columns], const M &Map, int Column,
                        int Row, B &Barrier) {
  static_assert(sizeof(M) == 128 && sizeof(B) == 8, "a map, an mbarrier");
  kx::ptx("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
          ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];",
          kx::in(unsigned(__cvta_generic_to_shared(&Tile))), kx::in(&Map),
          kx::in(Column), kx::in(Row),
          kx::in(unsigned(__cvta_generic_to_shared(&Barrier))));
}
template <typename T, typename F, typename B>
KX_INLINE void load_row(T &To, const F *From, unsigned Bytes, B &Barrier) {
  static_assert(sizeof(B) == 8, "an mbarrier");
  if (reinterpret_cast<size_t>(From) % 16 == 0)
    kx::ptx("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1], %2, [%3];",
            kx::in(unsigned(__cvta_generic_to_shared(&To))), kx::in(From),
            kx::in(Bytes),
            kx::in(unsigned(__cvta_generic_to_shared(&Barrier))));
  else
    kx::ptx("mbarrier.complete_tx.shared::cta.b64 [%0], %1;",
            kx::in(unsigned(__cvta_generic_to_shared(&Barrier))),
            kx::in(Bytes));
}
template <typename T> KX_INLINE void wait_full(T &Barrier, unsigned Parity) {
  static_assert(sizeof(T) == 8, "an mbarrier");
  unsigned Done = 0;
  do
    kx::ptx("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], "
            "%2; selp.u32 %0, 1, 0, p;}",
            kx::out(Done), kx::in(unsigned(__cvta_generic_to_shared(&Barrier))),
            kx::in(Parity));
  while (!Done);
}
KX_INLINE void fence_proxy_async() {
  kx::ptx("fence.proxy.async.shared::cta;");
}
template <int Groups> KX_INLINE void matrix_wait() {
  kx::ptx("wgmma.wait_group.sync.aligned %0;", kx::in(Groups));
}
KX_INLINE void release_tile() { __threadfence_block(); }

// Of one that a producer's warp has it bring.
template <int Threads, typename T, int Stages>
KX_INLINE void start_stages(T (&Empty)[Stages]) {
  static_assert(sizeof(T) == 8 && Threads % 32 == 0, "mbarriers, whole warps");
  if (threadIdx.x == 0) {
    for (T &Stage : Empty)
      kx::ptx("mbarrier.init.shared::cta.b64 [%0], %1;",
              kx::in(unsigned(__cvta_generic_to_shared(&Stage))),
              kx::in(Threads / 32));
    kx::ptx("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
}
template <typename T> KX_INLINE void wait_empty(T &Barrier, unsigned Parity) {
  wait_full(Barrier, Parity);
}
template <typename T> KX_INLINE void free_stage(T &Barrier) {
  static_assert(sizeof(T) == 8, "an mbarrier");
  __threadfence_block();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    kx::ptx("mbarrier.arrive.shared::cta.b64 _, [%0];",
            kx::in(unsigned(__cvta_generic_to_shared(&Barrier))));
}
template <int Registers> KX_INLINE void give_registers() {
  kx::ptx("setmaxnreg.dec.sync.aligned.u32 %0;", kx::in(Registers));
}
template <int Registers> KX_INLINE void take_registers() {
  kx::ptx("setmaxnreg.inc.sync.aligned.u32 %0;", kx::in(Registers));
}
template <int Threads> KX_INLINE void sync_threads() {
  static_assert(Threads % 32 == 0, "whole warps");
  kx::ptx("bar.sync 1, %0;", kx::in(Threads));
}

} // namespace kpipe
