// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One use of each group of names that kernel files expect of CUDA's headers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;
namespace cg = cooperative_groups;

__constant__ float Weights[16];

template <typename T, int N>
__global__ void __launch_bounds__(128, 2)
    scalar(const T *__restrict__ a, T *b, int n) {
  __shared__ T tile[N][N + 1];
  extern __shared__ float4 dynamic[];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 where = blockIdx;
  tile[threadIdx.y][threadIdx.x] = __ldg(a + x) + __ldcs(&a[x]);
  __syncthreads();
  if (__syncthreads_or(x > n) || __any_sync(~0u, x))
    __threadfence_block();
  T v = max(tile[0][0], tile[1][0]) + Weights[where.x & 15];
  v += __shfl_down_sync(0xffffffffu, v, warpSize / 2);
  v += fmaxf(v, sqrtf(v)) + rsqrtf(v) + __expf(v) + std::fma(v, v, v);
  v += abs(v) + min(n, 3u) + pow(v, 2.0f) + __int_as_float(x) + dynamic[0].w;
  unsigned shared = (unsigned)__cvta_generic_to_shared(&tile[0][0]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(shared),
               "l"(a));
  atomicAdd(b, v);
  atomicCAS((unsigned *)b, 1u, 2u);
  if (n < 0)
    printf("%d %f\n", x, (double)v);
}

__global__ void vectors(const float4 *a, int4 *b, cudaTextureObject_t texture) {
  float4 v = __ldg(a);
  v = make_float4(v.x, v.y, tex2D<float>(texture, 1.0f, 2.0f), 0.0f);
  b[threadIdx.x] =
      make_int4(v.x, __float2int_rn(v.y), __popc(3), __dp4a(1, 2, 3));
  reinterpret_cast<float2 *>(b)[0] = make_float2(v.z, v.w);
}

__global__ void halves(const half *a, half *b, nv_bfloat16 *c, float *d) {
  __shared__ half tile[16 * 16];
  __shared__ half2 pairs[4];
  __shared__ nv_bfloat16 narrow[8];
  half h = __hadd(a[0], a[1]) * a[2] + __float2half(1.0f);
  h += a[3];
  tile[threadIdx.x] = h;
  pairs[0] = __hfma2(__halves2half2(h, h), __float2half2_rn(2.0f), pairs[1]);
  float2 wide = __half22float2(pairs[0]);
  narrow[0] = __float2bfloat16(wide.x);
  c[0] = __hmax(narrow[0], narrow[1]);
  d[0] = __bfloat162float(narrow[2]) + (float)h + __half2float(hexp(h));
  b[0] = h > a[4] ? h : a[4];
  b[1] = 0.0f;
  __nv_fp8_e4m3 tiny = __nv_fp8_e4m3(d[0]);
  d[1] = float(tiny);
}

__global__ void fragments(const half *a, float *d) {
  __shared__ half tile[16 * 16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, tile, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

__global__ void groups(const float *a, float *b) {
  __shared__ float tile[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  tile[block.thread_rank()] = a[block.group_index().x];
  cg::sync(block);
  block.sync();
  warp.sync();
  cg::this_grid().sync();
  cg::memcpy_async(block, tile, a, sizeof(float) * 128);
  cg::wait(block);
  b[0] = cg::reduce(warp, tile[warp.thread_rank()], cg::plus<float>());
}

__global__ void pipelines(const float *a, float *b) {
  __shared__ float tile[128];
  __pipeline_memcpy_async(&tile[threadIdx.x], &a[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0], a, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  pipe.consumer_release();
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  init(&barrier, blockDim.x);
  barrier.arrive_and_wait();
  b[0] = tile[1];
}

int main() {
  float *a = nullptr, host[4] = {};
  cudaStream_t stream;
  cudaEvent_t event;
  cudaDeviceProp prop;
  if (cudaMalloc(&a, 1024) != cudaSuccess ||
      cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaMemcpyToSymbol(Weights, host, sizeof(host));
  cudaFuncSetAttribute(groups, cudaFuncAttributeMaxDynamicSharedMemorySize, 64);
  dim3 grid(1, 2), block(32, 8);
  scalar<float, 32><<<grid, block, 1024, stream>>>(a, a, prop.warpSize);
  groups<<<1, 128>>>(a, a);
  void *args[] = {&a, &a};
  cudaLaunchCooperativeKernel((void *)groups, grid, block, args, 0, stream);
  cudaEventRecord(event, stream);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFree(a);
}
