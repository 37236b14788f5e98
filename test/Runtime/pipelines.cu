// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pipeline at work on a GPU, with 1 to 5 stages, one and four warps that
// fill and one and four that read: LAUNCHES (600) launches each, whose outputs'
// hashes must be those of a kernel without shared memory. racecheck does not
// understand mbarriers; a launch that went wrong changes the hash. Built for
// the GPU at hand, and from PTX of sm_80, which has no try_wait. A control
// without the two fences is counted, not judged: it shows whether the machine
// would tell. SANITIZE=1 runs one launch of each for memcheck and synccheck.
//
// REQUIRES: nvcc, gpu
// RUN: nvcc -std=c++17 -arch=native %runtime %s -o %t
// RUN: %t | FileCheck %s
// RUN: nvcc -gencode arch=compute_80,code=compute_80 %runtime %s -o %t.80
// RUN: %t.80 | FileCheck %s
//
// CHECK: pipeline_async, each thread: {{[0-9]+}} launches, 0 wrong
// CHECK: {{^}}0 wrong{{$}}
// CHECK-NOT: HANGS
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>
#include <vector>

constexpr int Words = 1024, Bytes = 4 * Words; // of a tile
constexpr int Pool = 512, Tiles = 24, Blocks = 264;

enum Form {
  AsyncThreads,
  AsyncWarps,
  AsyncQuitThreads,
  AsyncQuitWarps,
  CopiesThreads,
  CopiesWarps,
  CopiesBlock,
  OwnCopies,
  TmaWarps,
  TmaThreads,
  TmaWholeWarp,
  TmaCluster,
  TmaBare,
  Forms
};
const char *const Names[Forms] = {"pipeline_async, each thread",
                                  "pipeline_async, a lane a warp",
                                  "pipeline_async, quit by thread",
                                  "pipeline_async, quit by warp",
                                  "pipeline_cp_async, each thread",
                                  "pipeline_cp_async, a lane a warp",
                                  "pipeline_cp_async, of the block",
                                  "thread_pipeline",
                                  "pipeline_tma_async, a lane a warp",
                                  "pipeline_tma_async, each thread",
                                  "pipeline_tma_async, issued by warps",
                                  "pipeline_tma_async_cluster, 2 blocks",
                                  "control: TMA without the fences"};

struct Args {
  const unsigned *in;
  unsigned *out;
  int producers, consumers; // warps
};

/// Which tile a block reads as its t-th.
__device__ int tile_of(int block, int t) { return (block * 7 + t * 5) % Pool; }
/// When the last producer and the last consumer leave, where some do.
constexpr int ProducerQuits = 7, ConsumerQuits = 11;

__device__ void mix(unsigned &sum, unsigned word) {
  sum = (sum ^ word) * 0x01000193u + 0x9e3779b9u;
}
/// Plain reads of the part of a tile that a warp of all takes.
__device__ void read(unsigned &sum, const unsigned *tile, int warp, int warps) {
  for (int p = warp; p < Words / 128; p += warps)
    for (int m = 0; m < 4; ++m)
      mix(sum, tile[p * 128 + m * 32 + threadIdx.x % 32]);
}
/// The same words by ldmatrix, all on their way at once.
template <int Warps>
__device__ void read_matrices(unsigned &sum, const unsigned *tile, int warp) {
  constexpr int Parts = Words / 128 / Warps;
  unsigned words[Parts][4];
#pragma unroll
  for (int i = 0; i < Parts; ++i)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(words[i][0]), "=r"(words[i][1]), "=r"(words[i][2]),
                   "=r"(words[i][3])
                 : "r"(kpipe::ptx::shared_address(
                     tile + (warp + i * Warps) * 128 + threadIdx.x % 32 * 4)));
#pragma unroll
  for (int i = 0; i < Parts; ++i)
#pragma unroll
    for (int m = 0; m < 4; ++m)
      mix(sum, words[i][m]);
}
__device__ void read_matrices(unsigned &sum, const unsigned *tile, int warp,
                              int warps) {
  if (warps == 1)
    read_matrices<1>(sum, tile, warp);
  else
    read_matrices<4>(sum, tile, warp);
}

/// What all must give. shift: how many blocks share their tiles, as log2.
__global__ void plain(Args a, int shift, bool quits) {
  int warp = threadIdx.x / 32;
  unsigned sum = 0;
  bool leaves = quits && a.consumers > 1 && warp == a.consumers - 1;
  for (int t = 0; t < (leaves ? ConsumerQuits : Tiles); ++t)
    read(sum, a.in + tile_of(blockIdx.x >> shift, t) * Words, warp,
         a.consumers);
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

/// No fence on either side.
class bare_producer {
  unsigned bytes, issuers;

public:
  static constexpr bool counts_bytes = true, may_quit = false;
  __device__ bare_producer(unsigned b, unsigned i) : bytes(b), issuers(i) {}
  __device__ unsigned arrivals() const { return issuers; }
  __device__ void acquired(std::uint64_t *full, unsigned extra) const {
    kpipe::ptx::mbarrier_arrive_expect_tx(full, bytes + extra);
  }
  __device__ void commit(std::uint64_t *) const {}
};
template <int S>
using pipeline_bare = kpipe::basic_pipeline<
    S, bare_producer, kpipe::thread_consumer<kpipe::thread_arrivals, false>>;

template <Form F, int S> struct Pipe {
  static constexpr bool Elects =
      F == AsyncWarps || F == AsyncQuitWarps || F == CopiesWarps;
  using who = std::conditional_t<
      F == CopiesWarps || F == TmaWarps,
      kpipe::arrivals<false, true, true, true>,
      std::conditional_t<Elects || F == TmaWholeWarp, kpipe::warp_arrivals,
                         kpipe::thread_arrivals>>;
};

/// Threads write, by tokens and states or by handles.
template <Form F, int S> __device__ void threads_fill(Args a, unsigned *ring) {
  __shared__ kpipe::pipeline_storage<S> storage;
  constexpr bool Quits = F == AsyncQuitThreads || F == AsyncQuitWarps;
  kpipe::pipeline_async<S, typename Pipe<F, S>::who> pipe(
      storage, kpipe::warps(a.producers), kpipe::warps(a.consumers));
  int warp = threadIdx.x / 32;
  if (warp >= a.consumers) {
    int self = threadIdx.x - 32 * a.consumers, writers = 32 * a.producers;
    auto s = kpipe::producer_start<S>();
    for (int t = 0; t < Tiles; ++t, s.advance()) {
      if (Quits && t == ProducerQuits && a.producers > 1) {
        writers -= 32;
        if (self >= writers)
          return pipe.producer_quit(s);
      }
      kpipe::token known = pipe.producer_try_acquire(s, t % 3);
      pipe.producer_acquire(s, known);
      const unsigned *from = a.in + tile_of(blockIdx.x, t) * Words;
      for (int i = self; i < Words; i += writers)
        ring[s.index() * Words + i] = from[i];
      pipe.producer_commit(s);
    }
    pipe.producer_tail(s);
    return;
  }
  unsigned sum = 0;
  bool leaves = Quits && a.consumers > 1 && warp == a.consumers - 1;
  kpipe::pipeline_state_simple<S> s(0);
  for (int t = 0; t < Tiles; ++t, s.advance()) {
    if (leaves && t == ConsumerQuits) {
      pipe.consumer_quit(s);
      break;
    }
    kpipe::token known = pipe.consumer_try_wait(s, t % 3);
    pipe.consumer_wait(s, known);
    read(sum, ring + s.index() * Words, warp, a.consumers);
    pipe.consumer_release(s);
  }
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__device__ void copy_part(unsigned *to, const unsigned *from, int self,
                          int copiers) {
  for (int i = self; i < Words / 4; i += copiers)
    kpipe::copy_async(reinterpret_cast<uint4 *>(to) + i,
                      reinterpret_cast<const uint4 *>(from) + i);
}

template <Form F, int S> __device__ void copies_fill(Args a, unsigned *ring) {
  __shared__ kpipe::pipeline_storage<S> storage;
  kpipe::pipeline_cp_async<S, typename Pipe<F, S>::who> pipe(
      storage, kpipe::warps(a.producers), kpipe::warps(a.consumers));
  auto sides = pipe.make_participants();
  int warp = threadIdx.x / 32;
  if (warp >= a.consumers) {
    for (int t = 0; t < Tiles; ++t) {
      auto stage = sides.producer.acquire_and_advance();
      copy_part(ring + stage.index() * Words,
                a.in + tile_of(blockIdx.x, t) * Words,
                threadIdx.x - 32 * a.consumers, 32 * a.producers);
      stage.commit();
    }
    sides.producer.tail();
    return;
  }
  unsigned sum = 0;
  for (int t = 0; t < Tiles; ++t) {
    auto stage = sides.consumer.wait_and_advance(sides.consumer.try_wait());
    read_matrices(sum, ring + stage.index() * Words, warp, a.consumers);
    stage.release();
  }
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

/// All threads copy and read.
template <int S> __device__ void block_fills(Args a, unsigned *ring) {
  __shared__ kpipe::pipeline_storage<S> storage;
  kpipe::pipeline_cp_async<S> pipe(storage, kpipe::whole_block(),
                                   kpipe::whole_block());
  auto sides = kpipe::make_participants(pipe);
  unsigned sum = 0;
  for (int t = 0, ahead = 0; t < Tiles; ++t) {
    for (; ahead < Tiles && ahead < t + S; ++ahead) {
      sides.producer.acquire();
      copy_part(ring + sides.producer.state().index() * Words,
                a.in + tile_of(blockIdx.x, ahead) * Words, threadIdx.x,
                blockDim.x);
      sides.producer.commit();
      sides.producer.advance();
    }
    sides.consumer.wait();
    read_matrices(sum, ring + sides.consumer.state().index() * Words,
                  threadIdx.x / 32, a.consumers);
    sides.consumer.release();
    sides.consumer.advance();
  }
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

template <int S> __device__ void own_copies(Args a, unsigned *ring) {
  kpipe::thread_pipeline<S> pipe;
  auto load = [&](int t) {
    pipe.producer_acquire();
    if (t < Tiles)
      copy_part(ring + t % S * Words, a.in + tile_of(blockIdx.x, t) * Words,
                threadIdx.x, blockDim.x);
    pipe.producer_commit();
  };
  for (int t = 0; t < S; ++t)
    load(t);
  unsigned sum = 0;
  for (int t = 0; t < Tiles; ++t) {
    pipe.consumer_wait();
    __syncthreads();
    read(sum, ring + t % S * Words, threadIdx.x / 32, a.consumers);
    pipe.consumer_release();
    __syncthreads();
    load(t + S);
  }
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <Form F, int S, class P>
__device__ void tma_sides(Args a, unsigned *ring, const P &pipe) {
  int warp = threadIdx.x / 32, block = blockIdx.x;
  if (F == TmaCluster)
    block /= 2;
  auto sides = pipe.make_participants();
  if (warp >= a.consumers) {
    if (F != TmaWholeWarp && threadIdx.x % 32 != 0)
      return;
    int issuer = warp - a.consumers, part = Words / a.producers;
    for (int t = 0; t < Tiles; ++t) {
      // Every fourth tile comes with 64 bytes more, onto themselves.
      bool more = F != TmaCluster && t % 4 == 1;
      auto stage = sides.producer.acquire_and_advance(
          sides.producer.try_acquire(), more ? 64 : 0);
      unsigned *to = ring + stage.index() * Words + issuer * part;
      const unsigned *from = a.in + tile_of(block, t) * Words + issuer * part;
      if (F == TmaCluster) {
        int half = part / 2, own = blockIdx.x % 2 * half;
        kpipe::ptx::copy_bulk_multicast(to + own, from + own, 4 * half,
                                        stage.barrier(), 3);
      } else if (F != TmaWholeWarp || kpipe::ptx::elect_one()) {
        kpipe::ptx::copy_bulk(to, from, 4 * part, stage.barrier());
        if (more)
          kpipe::ptx::copy_bulk(to, from, 64, stage.barrier());
      }
      stage.commit();
    }
    sides.producer.tail();
    return;
  }
  unsigned sum = 0;
  for (int t = 0; t < Tiles; ++t) {
    auto stage = sides.consumer.wait_and_advance();
    read_matrices(sum, ring + stage.index() * Words, warp, a.consumers);
    stage.release();
  }
  a.out[blockIdx.x * 128 + threadIdx.x] = sum;
}

template <Form F, int S> __device__ void tma_fills(Args a, unsigned *ring) {
  __shared__ kpipe::pipeline_storage<S> storage;
  unsigned each = Bytes / a.producers, issuers = a.producers;
  if constexpr (F == TmaCluster) {
    kpipe::pipeline_tma_async_cluster<S> pipe(storage, {each, issuers},
                                              {kpipe::warps(a.consumers), 3},
                                              kpipe::cluster_sync());
    tma_sides<F, S>(a, ring, pipe);
  } else if constexpr (F == TmaBare) {
    pipeline_bare<S> pipe(storage, {each, issuers}, kpipe::warps(a.consumers));
    tma_sides<F, S>(a, ring, pipe);
  } else {
    kpipe::pipeline_tma_async<S, typename Pipe<F, S>::who> pipe(
        storage, {each, issuers}, kpipe::warps(a.consumers));
    tma_sides<F, S>(a, ring, pipe);
  }
}
#else
template <Form F, int S> __device__ void tma_fills(Args, unsigned *) {}
#endif

template <Form F, int S> __device__ void work(Args a) {
  __shared__ alignas(128) unsigned ring[S * Words];
  if constexpr (F <= AsyncQuitWarps)
    threads_fill<F, S>(a, ring);
  else if constexpr (F <= CopiesWarps)
    copies_fill<F, S>(a, ring);
  else if constexpr (F == CopiesBlock)
    block_fills<S>(a, ring);
  else if constexpr (F == OwnCopies)
    own_copies<S>(a, ring);
  else
    tma_fills<F, S>(a, ring);
}
template <Form F, int S> __global__ void __launch_bounds__(256) kernel(Args a) {
  work<F, S>(a);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define TWO_BLOCKS __cluster_dims__(2, 1, 1)
#else
#define TWO_BLOCKS
#endif
template <int S>
__global__ void TWO_BLOCKS __launch_bounds__(256) cluster_kernel(Args a) {
  work<TmaCluster, S>(a);
}

/// Adds up what the output's words hash to.
__global__ void hash(const unsigned *out, int words, unsigned long long *sum) {
  unsigned long long own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x) {
    unsigned long long x =
        (out[i] + 1ull) * (2 * i + 1) * 0x9e3779b97f4a7c15ull;
    own += (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
  }
  atomicAdd(sum, own);
}

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::printf("error: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Bench {
  unsigned *in, *out;
  unsigned long long *sums;
  int launches;
  std::vector<unsigned long long> found;

  /// Launches that often, and waits, but not for ever.
  template <typename Launch> void run(const char *what, Launch &&launch) {
    check(cudaMemset(sums, 0, launches * sizeof *sums), "cudaMemset");
    for (int i = 0; i < launches; ++i) {
      check(cudaMemsetAsync(out, 0xcd, Blocks * 128 * 4), "cudaMemsetAsync");
      launch();
      hash<<<32, 256>>>(out, Blocks * 128, sums + i);
    }
    check(cudaGetLastError(), what);
    auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady)
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60)) {
        std::printf("%s HANGS\n", what);
        std::fflush(stdout);
        std::_Exit(1);
      }
    check(cudaDeviceSynchronize(), what);
    found.resize(launches);
    check(cudaMemcpy(found.data(), sums, launches * sizeof *sums,
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
  }

  template <Form F, int S> int count_wrong(int producers, int consumers) {
    Args a{in, out, producers, consumers};
    int keep = launches;
    launches = 1;
    run("plain", [&] {
      plain<<<Blocks, 32 * consumers>>>(
          a, F == TmaCluster, F == AsyncQuitThreads || F == AsyncQuitWarps);
    });
    unsigned long long right = found[0];
    launches = keep;
    bool own = F == CopiesBlock || F == OwnCopies;
    int threads = 32 * (consumers + (own ? 0 : producers));
    char what[100];
    std::snprintf(what, sizeof what, "%s, %d stages, %d and %d warps", Names[F],
                  S, producers, consumers);
    run(what, [&] {
      if constexpr (F == TmaCluster)
        cluster_kernel<S><<<Blocks, threads>>>(a);
      else
        kernel<F, S><<<Blocks, threads>>>(a);
    });
    int wrong = 0;
    for (unsigned long long sum : found)
      wrong += sum != right;
    if (wrong)
      std::printf("%s: %d of %d launches wrong\n", what, wrong, launches);
    return wrong;
  }

  template <Form F> int form() {
    int wrong = 0, kinds = 0;
    for (int producers : {1, 4})
      for (int consumers : {1, 4}) {
        if ((F == CopiesBlock || F == OwnCopies) && producers > 1)
          continue;
        wrong += count_wrong<F, 1>(producers, consumers);
        wrong += count_wrong<F, 2>(producers, consumers);
        wrong += count_wrong<F, 3>(producers, consumers);
        wrong += count_wrong<F, 4>(producers, consumers);
        wrong += count_wrong<F, 5>(producers, consumers);
        kinds += 5;
      }
    std::printf("%s: %d launches, %d wrong\n", Names[F], kinds * launches,
                wrong);
    return F == TmaBare ? 0 : wrong;
  }
};

__global__ void fill(unsigned *in) {
  for (int i = threadIdx.x; i < Words; i += blockDim.x)
    in[blockIdx.x * Words + i] = (blockIdx.x * Words + i) * 2654435761u;
}

int main() {
  const char *asked = std::getenv("LAUNCHES");
  bool sanitize = std::getenv("SANITIZE");
  Bench b{};
  b.launches = sanitize ? 1 : asked ? std::atoi(asked) : 600;
  cudaDeviceProp prop;
  check(cudaGetDeviceProperties(&prop, 0), "cudaGetDeviceProperties");
  std::printf("%s\n", prop.name);
  check(cudaMalloc(&b.in, Pool * Bytes), "cudaMalloc");
  check(cudaMalloc(&b.out, Blocks * 128 * 4), "cudaMalloc");
  check(cudaMalloc(&b.sums, b.launches * sizeof *b.sums), "cudaMalloc");
  fill<<<Pool, 256>>>(b.in);
  int wrong = b.form<AsyncThreads>() + b.form<AsyncWarps>() +
              b.form<AsyncQuitThreads>() + b.form<AsyncQuitWarps>() +
              b.form<CopiesThreads>() + b.form<CopiesWarps>() +
              b.form<CopiesBlock>() + b.form<OwnCopies>();
  cudaFuncAttributes built;
  check(cudaFuncGetAttributes(&built, kernel<TmaWarps, 1>),
        "cudaFuncGetAttributes");
  if (built.ptxVersion >= 90) {
    wrong += b.form<TmaWarps>() + b.form<TmaThreads>() +
             b.form<TmaWholeWarp>() + b.form<TmaCluster>();
    if (!sanitize) // its races are what it is for
      b.form<TmaBare>();
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
