// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for each class of pipeline_async.h, as small as its machine code is
// to be read: classes-nvcc.test. Names of kernels say from which architecture
// on they exist; in host code all do.
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>

#if defined(__CUDA_ARCH__)
#define HAS_90 (__CUDA_ARCH__ >= 900)
#define HAS_100A KPIPE_HAS_TCGEN05
#define HAS_90A (KPIPE_HAS_SETMAXNREG && (__CUDA_ARCH__ < 1200))
#else
#define HAS_90 1
#define HAS_100A 1
#define HAS_90A 1
#endif

constexpr int S = 3;

template <class Arrivals>
__device__ void handoff(const int *in, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ int buffer[S][32];
  kpipe::pipeline_async<S, Arrivals> pipe(storage, kpipe::warps(1),
                                          kpipe::warps(1));
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    auto s = kpipe::producer_start<S>();
    for (int t = 0; t < n; ++t, s.advance()) {
      pipe.producer_acquire(s, pipe.producer_try_acquire(s));
      buffer[s.index()][lane] = in[t * 32 + lane];
      pipe.producer_commit(s);
    }
    pipe.producer_tail(s);
  } else {
    kpipe::pipeline_state_simple<S> s(0);
    for (int t = 0; t < n; ++t, s.advance()) {
      pipe.consumer_wait(s, pipe.consumer_try_wait(s, 8));
      out[t * 32 + lane] = buffer[s.index()][31 - lane];
      pipe.consumer_release(s);
    }
  }
}
__global__ void threads_80(const int *in, int *out, int n) {
  handoff<kpipe::thread_arrivals>(in, out, n);
}
__global__ void warps_80(const int *in, int *out, int n) {
  handoff<kpipe::warp_arrivals>(in, out, n);
}

__global__ void cp_async_80(const int *in, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ int buffer[S][32];
  kpipe::pipeline_cp_async<S> pipe(storage, kpipe::warps(1), kpipe::warps(1));
  auto both = pipe.make_participants();
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int t = 0; t < n; ++t) {
      auto stage = both.producer.acquire_and_advance();
      kpipe::copy_async(&buffer[stage.index()][lane], &in[t * 32 + lane]);
      stage.commit();
    }
    both.producer.tail();
  } else {
    for (int t = 0; t < n; ++t) {
      auto stage = both.consumer.wait_and_advance();
      out[t * 32 + lane] = buffer[stage.index()][31 - lane];
      stage.release();
    }
  }
}

__global__ void quit_80(const int *in, int *out, int n, int first) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ int buffer[S];
  kpipe::pipeline_async<S> pipe(storage, kpipe::threads(2), kpipe::threads(30));
  auto both = kpipe::make_participants(pipe);
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 2) {
      if (threadIdx.x == 0 && t == first)
        return both.producer.quit();
      both.producer.acquire();
      if (threadIdx.x == 1)
        buffer[both.producer.state().index()] = in[t];
      both.producer.commit();
      both.producer.advance();
    } else {
      if (threadIdx.x == 2 && t == first)
        return both.consumer.quit();
      both.consumer.wait();
      out[t * 30 + threadIdx.x - 2] = buffer[both.consumer.state().index()];
      both.consumer.release();
      both.consumer.advance();
    }
  }
}

__global__ void own_80(const int *in, int *out, int n) {
  __shared__ int buffer[S][32];
  kpipe::thread_pipeline<S> pipe;
  for (int t = 0; t < n + S - 1; ++t) {
    pipe.producer_acquire();
    if (t < n)
      kpipe::copy_async(&buffer[t % S][threadIdx.x], &in[t * 32 + threadIdx.x]);
    pipe.producer_commit();
    if (t < S - 1)
      continue;
    pipe.consumer_wait();
    int done = t - (S - 1);
    out[done * 32 + threadIdx.x] = buffer[done % S][threadIdx.x];
    pipe.consumer_release();
  }
}

#if HAS_90
template <class Arrivals>
__device__ void bulk(const int *in, const int *more, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ alignas(16) int buffer[S][64];
  kpipe::pipeline_tma_async<S, Arrivals> pipe(storage, 128, kpipe::warps(1));
  auto both = pipe.make_participants();
  if (threadIdx.x < (Arrivals::elect_commit ? 32 : 1)) {
    for (int t = 0; t < n; ++t) {
      auto stage = both.producer.acquire_and_advance(
          both.producer.try_acquire(), more ? 128 : 0);
      if (!Arrivals::elect_commit || kpipe::ptx::elect_one()) {
        int *to = buffer[stage.index()];
        kpipe::ptx::copy_bulk(to, in + t * 32, 128, stage.barrier());
        if (more)
          kpipe::ptx::copy_bulk(to + 32, more, 128, stage.barrier());
      }
      stage.commit();
    }
    both.producer.tail();
  } else if (threadIdx.x >= 32) {
    for (int t = 0; t < n; ++t) {
      auto stage = both.consumer.wait_and_advance();
      out[t * 32 + threadIdx.x - 32] = buffer[stage.index()][63 - threadIdx.x];
      stage.release();
    }
  }
}
__global__ void tma_90(const int *in, const int *more, int *out, int n) {
  bulk<kpipe::arrivals<false, true, true, true>>(in, more, out, n);
}
__global__ void tma_threads_90(const int *in, const int *more, int *out,
                               int n) {
  bulk<kpipe::thread_arrivals>(in, more, out, n);
}
__global__ void tma_warp_90(const int *in, const int *more, int *out, int n) {
  bulk<kpipe::warp_arrivals>(in, more, out, n);
}

#if HAS_90A // plain sm_90: ptxas advises against multicast
__global__ void __cluster_dims__(2, 1, 1)
    cluster_90a(const int *in, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ alignas(128) int buffer[S][64];
  unsigned rank = blockIdx.x % 2;
  kpipe::pipeline_tma_async_cluster<S> pipe(storage, 256, {kpipe::warps(1), 3},
                                            kpipe::cluster_sync());
  auto both = pipe.make_participants();
  if (threadIdx.x == 0) {
    for (int t = 0; t < n; ++t) {
      auto stage = both.producer.acquire_and_advance();
      kpipe::ptx::copy_bulk_multicast(&buffer[stage.index()][32 * rank],
                                      in + t * 64 + rank * 32, 128,
                                      stage.barrier(), 3);
      stage.commit();
    }
    both.producer.tail();
  } else if (threadIdx.x >= 32) {
    for (int t = 0; t < n; ++t) {
      auto stage = both.consumer.wait_and_advance();
      out[(blockIdx.x * n + t) * 32 + threadIdx.x - 32] =
          buffer[stage.index()][63 - threadIdx.x] -
          buffer[stage.index()][threadIdx.x];
      stage.release();
    }
  }
}
#endif

struct Map {
  alignas(64) unsigned char bytes[128];
};
__global__ void tensor_90(const __grid_constant__ Map map, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> storage;
  __shared__ alignas(128) int buffer[S][2][256];
  kpipe::pipeline_tma_async<S> pipe(storage, sizeof buffer[0], kpipe::warps(1));
  if (threadIdx.x == 32) {
    auto s = kpipe::producer_start<S>();
    for (int t = 0; t < n; ++t, s.advance()) {
      pipe.producer_acquire(s.index(), s.phase());
      kpipe::ptx::copy_tensor_2d(buffer[s.index()][0], &map, 16 * t, 0,
                                 pipe.producer_barrier(s));
      kpipe::ptx::copy_tensor_3d(buffer[s.index()][1], &map, 16 * t, 0, 1,
                                 pipe.producer_barrier(s));
      pipe.producer_commit(s.index());
    }
    pipe.producer_tail(s);
  } else if (threadIdx.x < 32) {
    auto s = kpipe::consumer_start<S>();
    for (int t = 0; t < n; ++t, s.advance()) {
      pipe.consumer_wait(s.index(), s.phase());
      out[t * 32 + threadIdx.x] = buffer[s.index()][1][threadIdx.x];
      pipe.consumer_release(s.index());
    }
  }
}
#endif

#if HAS_90A
__global__ void __launch_bounds__(256, 1) registers_90a(int *out) {
  if (threadIdx.x < 128) {
    kpipe::ptx::decrease_registers<40>();
    kpipe::ptx::named_barrier_arrive<1, 256>();
  } else {
    kpipe::ptx::increase_registers<232>();
    kpipe::ptx::named_barrier_sync<1, 256>();
    out[threadIdx.x] = 1;
  }
}
#endif

#if HAS_100A
// Who says what to whom around tcgen05.mma, which stands in umma.cu.
__global__ void umma_100a(const int *in, int *out, int n) {
  __shared__ kpipe::pipeline_storage<S> loaded;
  __shared__ kpipe::pipeline_storage<1> summed;
  __shared__ alignas(128) int buffer[S][32];
  kpipe::pipeline_tma_umma<S> load(loaded, sizeof buffer[0]);
  kpipe::pipeline_umma_async<1> sum(summed, {}, kpipe::warps(4));
  auto load_sides = load.make_participants();
  auto sum_sides = sum.make_participants();
  if (threadIdx.x == 128) {
    for (int t = 0; t < n; ++t) {
      auto stage = load_sides.producer.acquire_and_advance();
      kpipe::ptx::copy_bulk(buffer[stage.index()], in + t * 32, 128,
                            stage.barrier());
      stage.commit();
    }
    load_sides.producer.tail();
  } else if (threadIdx.x == 160) {
    auto result = sum_sides.producer.acquire_and_advance();
    for (int t = 0; t < n; ++t)
      load_sides.consumer.wait_and_advance().release();
    result.commit();
  } else if (threadIdx.x < 128) {
    auto result = sum_sides.consumer.wait_and_advance();
    out[threadIdx.x] = 1;
    result.release();
  }
}
#endif
