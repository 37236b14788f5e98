// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies with every swizzle and beyond the tensor's edges, and wgmma that
// reads what they brought. Each kernel is sound as `Sound`; every other value is
// one defect. See tensors.test.
#include "hopper.h"

#include <cassert>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

enum Defect {
  Sound,
  FenceMissing,
  WaitMissing,
  WaitTooFew,
  CommitMissing,
  TailMissing,
  SumsReadEarly,
  BytesHigh,
  NoMap,
};

// A box of 32 bf16 by 20 rows (or as wide as its swizzle), seen by each thread;
// it goes out again as a box.
template <int Width, bool Swizzled, Defect D>
__global__ void boxes(const __grid_constant__ CUtensorMap from,
                      const __grid_constant__ CUtensorMap to, uint16_t *out) {
  __shared__ alignas(1024) uint16_t box[2][20][Width];
  __shared__ uint64_t full;
  int tid = threadIdx.x;
  if (tid == 0) {
    mbar_init(&full, 1);
    fence_init();
    arrive_expect(&full, int(sizeof box) + (D == BytesHigh));
    tensor_load(box[0], &from, -8, 3, &full);
    tensor_load(box[1], &from, Width - 8, 30, &full);
  }
  __syncthreads();
  wait(&full, 0);
  const uint16_t *all = &box[0][0][0];
  for (int i = tid; i < 2 * 20 * Width; i += 128) {
    // Where it lies, and what the tensor has there: its own numbers, or zeros.
    int box_of = i / Width / 20, row = i / Width % 20, column = i % Width;
    int x = column + (box_of ? Width - 8 : -8), y = row + (box_of ? 30 : 3);
    int line = i * 2 / 128, lines = Width / 8; // swizzled: 8, 4, 2
    int at = Swizzled ? i ^ (line & (lines - 1)) << 3 : i;
    assert(D != Sound || all[at] == (x < 0 || x >= 67 || y >= 44 ? 0 : y * 72 + x));
    out[i] = all[i];
  }
  __syncthreads();
  for (int i = tid; i < 20 * Width; i += 128)
    box[0][0][i] = uint16_t(all[20 * Width + i] + 1);
  if (D != FenceMissing)
    fence_async();
  __syncthreads();
  if (tid == 0) {
    tensor_store(&to, box[0], Width - 8, 30);
    store_commit();
    store_wait_read<0>();
  }
}

__device__ inline float product(const __nv_bfloat16 *a, const __nv_bfloat16 *b, int row,
                                int column, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k)
    sum += __bfloat162float(a[row * count + k]) * __bfloat162float(b[column * count + k]);
  return sum;
}

// C = A B of 64 x 16 x K, A and B with K contiguous, tiles of 64 in a ring of two;
// one group stays under way.
constexpr int Depth = 64;
template <Defect D>
__global__ void multiply(const __grid_constant__ CUtensorMap a,
                         const __grid_constant__ CUtensorMap b, const __nv_bfloat16 *x,
                         const __nv_bfloat16 *y, float *out, int tiles) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto *as = reinterpret_cast<__nv_bfloat16(*)[64][Depth]>(memory);
  auto *bs = reinterpret_cast<__nv_bfloat16(*)[16][Depth]>(memory + 2 * sizeof *as);
  __shared__ uint64_t full[2];
  int tid = threadIdx.x;
  auto load = [&](int t) {
    arrive_expect(&full[t % 2], sizeof *as + sizeof *bs);
    tensor_load(as[t % 2], &a, t * Depth, 0, &full[t % 2]);
    tensor_load(bs[t % 2], &b, t * Depth, 0, &full[t % 2]);
  };
  if (tid == 0) {
    mbar_init(&full[0], 1);
    mbar_init(&full[1], 1);
    fence_init();
  }
  __syncthreads();
  if (tid == 0)
    load(0);
  float d[8] = {};
  for (int t = 0; t < tiles; ++t) {
    wait(&full[t % 2], t / 2 & 1);
    wgmma_fence();
    for (int k = 0; k < Depth; k += 16)
      wgmma_n16<0, 0>(d, descriptor(&as[t % 2][0][k], 16, 1024, 1),
                      descriptor(&bs[t % 2][0][k], 16, 1024, 1), t + k != 0);
    if (D != CommitMissing)
      wgmma_commit();
    if (D == WaitTooFew)
      wgmma_wait<2>();
    else if (D != WaitMissing)
      wgmma_wait<1>();
    __syncthreads(); // all have left the tile before
    if (tid == 0 && t + 1 < tiles)
      load(t + 1);
  }
  if (D == SumsReadEarly)
    out[64 * 16 + tid] = d[0];
  if (D != TailMissing)
    wgmma_wait<0>();
  for (int i = 0; i < 8; ++i) {
    int row = tid / 32 * 16 + tid % 32 / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + tid % 4 * 2 + i % 2;
    assert(D != Sound || d[i] == product(x, y, row, column, tiles * Depth));
    out[row * 16 + column] = d[i];
  }
}

// Operands that threads store: without a swizzle, transposed, A in registers.
template <Defect D>
__global__ void by_hand(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *out) {
  __shared__ alignas(1024) __nv_bfloat16 plain_a[64 * 16], along_b[16 * 16], across_b[16 * 16],
      along_a[16 * 64];
  int tid = threadIdx.x;
  for (int i = tid; i < 64 * 16; i += 128) {
    int m = i / 16, k = i % 16;
    plain_a[m / 8 * 128 + k / 8 * 64 + m % 8 * 8 + k % 8] = a[i];
    // Swizzled by 128 bytes, m contiguous: a row of 64 for each k.
    along_a[k * 64 + ((m / 8) ^ (k % 8)) * 8 + m % 8] = a[i];
  }
  for (int i = tid; i < 16 * 16; i += 128) {
    int n = i / 16, k = i % 16;
    along_b[n / 8 * 128 + k / 8 * 64 + n % 8 * 8 + k % 8] = b[i];
    across_b[k / 8 * 128 + n / 8 * 64 + k % 8 * 8 + n % 8] = b[i]; // n contiguous
  }
  if (D != FenceMissing)
    fence_async();
  __syncthreads();
  float d[3][8];
  uint32_t registers[4];
  int row = tid / 32 * 16 + tid % 32 / 4, k = tid % 4 * 2;
  for (int r = 0; r < 4; ++r)
    registers[r] = *reinterpret_cast<const uint32_t *>(&a[(row + r % 2 * 8) * 16 + k + r / 2 * 8]);
  for (int i = 0; i < 8; ++i)
    d[1][i] = 0;
  wgmma_fence();
  wgmma_n16<0, 1>(d[0], descriptor(plain_a, 128, 256, 0), descriptor(across_b, 256, 128, 0), 0);
  wgmma_n16_registers(d[1], registers, descriptor(along_b, 128, 256, 0));
  wgmma_n16<1, 0>(d[2], descriptor(along_a, 1024, 1024, 1), descriptor(along_b, 128, 256, 0), 0);
  wgmma_commit();
  wgmma_wait<0>();
  for (int way = 0; way < 3; ++way)
    for (int i = 0; i < 8; ++i) {
      int m = row + i / 2 % 2 * 8, n = i / 4 * 8 + tid % 4 * 2 + i % 2;
      assert(D != Sound || d[way][i] == product(a, b, m, n, 16));
      out[way * 1024 + m * 16 + n] = d[way][i];
    }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
// A row-major tensor of bf16; swizzle in bytes, 0: none.
static CUtensorMap map(void *data, int columns, int rows, int pitch, int wide, int high,
                       int swizzle) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                   &found);
  CUtensorMap m = {};
  cuuint64_t size[] = {cuuint64_t(columns), cuuint64_t(rows)}, pitches[] = {cuuint64_t(pitch) * 2};
  cuuint32_t box[] = {cuuint32_t(wide), cuuint32_t(high)}, step[] = {1, 1};
  auto kind = swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
              : swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
              : swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                              : CU_TENSOR_MAP_SWIZZLE_NONE;
  auto result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
      &m, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, size, pitches, box, step,
      CU_TENSOR_MAP_INTERLEAVE_NONE, kind, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    std::printf("no map: %d\n", int(result));
  return m;
}
template <int Width, Defect D> static void run_boxes(int swizzle) {
  auto x = in<uint16_t>("x", 72 * 44, [](std::size_t i) { return uint16_t(i); });
  auto y = out<uint16_t>("y", 72 * 44);
  auto z = out<uint16_t>("z", 2 * 20 * Width);
  auto from = map(x, 67, 44, 72, Width, 20, swizzle), to = map(y, 67, 44, 72, Width, 20, swizzle);
  if (D == NoMap)
    from = {};
  if (swizzle)
    launch({1, 128}, boxes<Width, true, D>, from, to, z);
  else
    launch({1, 128}, boxes<Width, false, D>, from, to, z);
}
template <Defect D> static void run_multiply() {
  auto a = in<__nv_bfloat16>("A", 64 * 5 * Depth), b = in<__nv_bfloat16>("B", 16 * 5 * Depth);
  auto c = out<float>("C", 64 * 16 + 128);
  launch({1, 128, 1024 + 2 * (64 + 16) * Depth * 2}, multiply<D>,
         map(a.template as<void>(), 5 * Depth, 64, 5 * Depth, Depth, 64, 128),
         map(b.template as<void>(), 5 * Depth, 16, 5 * Depth, Depth, 16, 128), a, b, c, 5);
}
#define RING(Name, ...) CASE(Name) { __VA_ARGS__; }
RING(boxes_plain, run_boxes<32, Sound>(0))
RING(boxes_32, run_boxes<16, Sound>(32))
RING(boxes_64, run_boxes<32, Sound>(64))
RING(boxes_128, run_boxes<64, Sound>(128))
RING(boxes_fence_missing, run_boxes<32, FenceMissing>(0))
RING(boxes_bytes_high, run_boxes<32, BytesHigh>(64))
RING(boxes_no_map, run_boxes<32, NoMap>(64))
RING(multiply_sound, run_multiply<Sound>())
RING(multiply_wait_missing, run_multiply<WaitMissing>())
RING(multiply_wait_too_few, run_multiply<WaitTooFew>())
RING(multiply_commit_missing, run_multiply<CommitMissing>())
RING(multiply_tail_missing, run_multiply<TailMissing>())
RING(multiply_sums_read_early, run_multiply<SumsReadEarly>())
template <Defect D> static void run_by_hand() {
  auto a = in<__nv_bfloat16>("A", 64 * 16), b = in<__nv_bfloat16>("B", 16 * 16);
  auto c = out<float>("C", 3 * 64 * 16);
  launch({1, 128}, by_hand<D>, a, b, c);
}
RING(by_hand_sound, run_by_hand<Sound>())
RING(by_hand_fence_missing, run_by_hand<FenceMissing>())
#endif
