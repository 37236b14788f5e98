// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star of 13 points on a grid, float: a block marches along z, 32 x 8 points
// at a time, with a rim of two; what is before and behind it stays in registers.
#include "bench.h"

constexpr int W = 32, H = 8, Rim = 2, Threads = W * H;
constexpr int Wide = W + 2 * Rim, High = H + 2 * Rim;

/// The grid has a rim of two on each side in x and y, and in z.
__global__ void __launch_bounds__(Threads)
stencil(const float *__restrict__ in, float *__restrict__ out, int width,
        int height, int depth) {
  __shared__ float plane[High][Wide];
  const int tid = threadIdx.x, tx = tid % W, ty = tid / W;
  const int row = width + 2 * Rim, page = row * (height + 2 * Rim);
  const float *from = in + blockIdx.y * H * row + blockIdx.x * W;
  const float *own = from + (ty + Rim) * row + tx + Rim;
  float *to = out + (blockIdx.y * H + ty) * width + blockIdx.x * W + tx;

  float below2 = own[0], below1 = own[page], here = own[2 * page],
        above1 = own[3 * page];
  for (int z = 0; z < depth; ++z) {
    for (int i = tid; i < High * Wide; i += Threads)
      plane[i / Wide][i % Wide] =
          from[(z + Rim) * page + i / Wide * row + i % Wide];
    __syncthreads();
    const float above2 = own[(z + 2 * Rim) * page];
    float sum = 0.5f * here;
    sum += 0.07f * (below1 + above1);
    sum += 0.02f * (below2 + above2);
    for (int d = 1; d <= Rim; ++d)
      sum += (d == 1 ? 0.06f : 0.01f) *
             (plane[ty + Rim][tx + Rim - d] + plane[ty + Rim][tx + Rim + d] +
              plane[ty + Rim - d][tx + Rim] + plane[ty + Rim + d][tx + Rim]);
    to[z * width * height] = sum;
    below2 = below1;
    below1 = here;
    here = above1;
    above1 = above2;
    __syncthreads();
  }
}

int main() {
  const int width = bench::size(1024), height = bench::size(1024);
  const int depth = bench::tiled(128, 1);
  const size_t rimmed = size_t(width + 2 * Rim) * (height + 2 * Rim);
  float *in = bench::random<float>(rimmed * (depth + 2 * Rim), 1);
  float *out = bench::output<float>(size_t(width) * height * (depth + 1));
  bench::run("stencil_march", [&] {
    stencil<<<dim3(width / W, height / H), Threads>>>(in, out, width, height,
                                                      depth);
  });
  bench::report("out", out, size_t(width) * height * depth);
}
