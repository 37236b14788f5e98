// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels that copy asynchronously name, in all of its forms. nvcc
// compiles it; it means nothing.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/barrier>
#include <cuda/std/chrono>
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>

namespace cg = cooperative_groups;
namespace chrono = cuda::std::chrono;

template <class T, int Stages, cuda::thread_scope Scope>
__global__ void pipelines(T *out, const T *in) {
  __shared__ alignas(16) T tile[2][256];
  __shared__ cuda::pipeline_shared_state<Scope, Stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile[0], in, sizeof(T) * 256, pipe);
  cuda::memcpy_async(block, tile[0], in,
                     cuda::aligned_size_t<16>(sizeof(T) * 256), pipe);
  cuda::memcpy_async(tile[0], in, sizeof(T), pipe);
  cuda::memcpy_async((void *)tile[0], in, cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  if (!pipe.consumer_wait_for(chrono::nanoseconds(10)))
    out[0] = 0;
  (void)pipe.consumer_wait_until(chrono::system_clock::time_point());
  out[threadIdx.x] = tile[0][threadIdx.x];
  pipe.consumer_release();
  pipe.quit();
}
__global__ void roles(float *out, const float *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state,
      other;
  auto block = cg::this_thread_block();
  auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer
                               : cuda::pipeline_role::consumer;
  cuda::pipeline<cuda::thread_scope_block> pipe =
      cuda::make_pipeline(block, &state, role);
  auto counted = cuda::make_pipeline(block, &other, 32);
  pipe.producer_acquire();
  counted.producer_commit();
}
struct Stage {
  float tile[64];
  cuda::barrier<cuda::thread_scope_block> full;
};
__global__ void barriers(float *out, const float *in) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar, more[2];
  __shared__ Stage stage;
  using wide = cuda::barrier<cuda::thread_scope_device>;
  __shared__ wide w;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&bar, block.size());
    init(&stage.full, blockDim.x);
    init(more, 1);
    init(&w, 1);
  }
  block.sync();
  cuda::memcpy_async(block, stage.tile, in,
                     cuda::aligned_size_t<16>(sizeof stage.tile), stage.full);
  cuda::memcpy_async(stage.tile, in, sizeof(float), bar);
  cuda::barrier<cuda::thread_scope_block>::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  bar.arrive_and_wait();
  auto t2 = more[1].arrive(2);
  while (!more[1].try_wait_for(std::move(t2), chrono::nanoseconds(5)))
    ;
  bar.wait_parity(false);
  bar.arrive_and_drop();
  uint64_t *handle = cuda::device::barrier_native_handle(bar);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
      unsigned(__cvta_generic_to_shared(handle))));
  uint64_t left = bar.arrive();
  out[threadIdx.x] = stage.tile[threadIdx.x] + left;
}
__global__ void groups(half *out, const half *in) {
  __shared__ alignas(16) half tile[256];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, tile, in, sizeof(half) * 256);
  cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(512));
  cg::memcpy_async(block, tile, 256, in, 256);
  cg::memcpy_async(warp, tile, cuda::aligned_size_t<16>(256), in,
                   cuda::aligned_size_t<16>(256));
  cg::memcpy_async(cg::this_thread(), tile, in, 16);
  cg::wait_prior<1>(block);
  cg::wait(warp);
  cg::wait(block);
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void primitives(float *out, const float *in) {
  __shared__ float tile[64];
  __shared__ __mbarrier_t bar;
  __mbarrier_init(&bar, 64);
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float),
                          threadIdx.x ? 0 : 4);
  __pipeline_arrive_on(&bar);
  __mbarrier_token_t t = __mbarrier_arrive(&bar);
  while (!__mbarrier_try_wait(&bar, t, 100)) {
  }
  while (!__mbarrier_test_wait_parity(&bar, 0)) {
  }
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(tile[0], in[0], pipe);
  pipe.commit_and_wait();
}
// The variables are valid: loops beside them are seen.
template <class Barrier, int Tile>
__global__ void beside(float *out, const float *in, int n) {
  __shared__ Barrier bar;
  __shared__ float tile[Tile];
  float sum = 0;
  for (int i = 0; i < n; i += Tile) {
    tile[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tile[k];
    __syncthreads();
  }
  bar.arrive_and_wait();
  out[threadIdx.x] = sum;
}

void go(float *out, float *in) {
  pipelines<float, 2, cuda::thread_scope_block><<<1, 256>>>(out, in);
  pipelines<int, 3, cuda::thread_scope_block>
      <<<1, 256>>>((int *)out, (int *)in);
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  beside<barrier, 64><<<1, 64>>>(out, in, 640);
}
