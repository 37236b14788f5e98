// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Electrostatic potential on a grid without a cut-off: all atoms, 256 a tile
// (x, y, z, charge), four grid points along x a thread, blocks of 128.
#include "bench.h"

#define ATOMS_PER_TILE 256
#define POINTS 4
#define BX 16
#define BY 8

__global__ void direct_coulomb(const float4 *__restrict__ atoms, int natoms,
                               float *__restrict__ grid, int nx, int ny, float spacing) {
  __shared__ float4 atom[ATOMS_PER_TILE];
  const int tid = threadIdx.y * BX + threadIdx.x;
  const int ix = blockIdx.x * BX * POINTS + threadIdx.x;
  const int iy = blockIdx.y * BY + threadIdx.y;
  const int iz = blockIdx.z;
  const float x0 = spacing * ix, y = spacing * iy, z = spacing * iz;
  const float step = spacing * BX;

  float e0 = 0.f, e1 = 0.f, e2 = 0.f, e3 = 0.f;
  for (int start = 0; start < natoms; start += ATOMS_PER_TILE) {
    atom[tid] = atoms[start + tid];
    atom[tid + BX * BY] = atoms[start + tid + BX * BY];
    __syncthreads();
    for (int i = 0; i < ATOMS_PER_TILE; i++) {
      const float4 a = atom[i];
      const float dy = y - a.y, dz = z - a.z;
      const float dyz2 = dy * dy + dz * dz + 1e-6f;
      const float dx0 = x0 - a.x, dx1 = dx0 + step, dx2 = dx1 + step, dx3 = dx2 + step;
      e0 += a.w * rsqrtf(dx0 * dx0 + dyz2);
      e1 += a.w * rsqrtf(dx1 * dx1 + dyz2);
      e2 += a.w * rsqrtf(dx2 * dx2 + dyz2);
      e3 += a.w * rsqrtf(dx3 * dx3 + dyz2);
    }
    __syncthreads();
  }

  float *out = grid + (size_t(iz) * ny + iy) * nx + ix;
  out[0] = e0;
  out[BX] = e1;
  out[2 * BX] = e2;
  out[3 * BX] = e3;
}

int main() {
  const int nx = 128, ny = 128, nz = bench::size(128), natoms = bench::tiled(4096, ATOMS_PER_TILE);
  float *atoms = bench::random<float>(size_t(natoms) * 4, 1);
  float *grid = bench::output<float>(size_t(nx) * ny * nz);
  bench::run("coulomb_grid", [&] {
    direct_coulomb<<<dim3(nx / (BX * POINTS), ny / BY, nz), dim3(BX, BY)>>>(
        (const float4 *)atoms, natoms, grid, nx, ny, 1.f / 64);
  });
  bench::report("grid", grid, size_t(nx) * ny * nz);
}
