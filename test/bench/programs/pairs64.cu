// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlap of each of 16384 boxes with all others, 64 bytes a box, four copies a
// thread: a box a thread, 128 boxes a tile.
#include "bench.h"

struct alignas(16) Box {
  float4 center, half_size, axis, weight;
};

constexpr int Tile = 128;

__global__ void __launch_bounds__(Tile)
overlap(const Box *__restrict__ boxes, float *__restrict__ out, int count) {
  __shared__ Box others[Tile];
  const int own = blockIdx.x * Tile + threadIdx.x;
  const Box mine = boxes[own];

  float sum = 0.0f;
  for (int first = 0; first < count; first += Tile) {
    others[threadIdx.x] = boxes[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < Tile; ++i) {
      const Box &b = others[i];
      float x = fabsf(b.center.x - mine.center.x) - b.half_size.x;
      float y = fabsf(b.center.y - mine.center.y) - b.half_size.y;
      float z = fabsf(b.center.z - mine.center.z) - b.half_size.z;
      float along = b.axis.x * mine.axis.x + b.axis.y * mine.axis.y +
                    b.axis.z * mine.axis.z;
      float apart = fmaxf(x, fmaxf(y, z));
      sum += apart < mine.half_size.w ? b.weight.x * along : b.weight.y;
    }
    __syncthreads();
  }
  out[own] = sum;
}

int main() {
  const int count = bench::size(16384);
  Box *boxes = reinterpret_cast<Box *>(bench::random<float>(count * 16, 1));
  float *out = bench::output<float>(count);
  bench::run("pairs64", [&] {
    overlap<<<count / Tile, Tile>>>(boxes, out, count);
  });
  bench::report("out", out, count);
}
