#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lost_blocks.py [--nvcc=nvcc] [--arch=native] [--rounds=9] [--json=OUT]: what a
# lost block costs, on a machine with a GPU, nvcc and Python 3. Loops over tiles
# of four kinds, as they are and pipelined (through registers, by cp.async), with
# 128, 256 and 512 threads a block, run with 1, 2, … blocks on an SM: dynamic
# shared memory that nobody uses keeps the others out. All take turns; a time is
# the median of the rounds. Prints the speed of each by its number of blocks, and
# rows for lib/Planning/LostBlocks.h. Takes two to three minutes.
import argparse
import collections
import json
import os
import statistics
import subprocess
import tempfile

SOURCE = r'''
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define OK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
  std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

// What the loop does with a tile: 8x8 or 4x4 products a thread, a sum over what
// comes from DRAM, a sum over structs of 32 bytes that lie anywhere.
enum Kind { Fma8, Fma4, Stream, Gather };
enum Route { Plain, Registers, Async };

template <int KIND, int T> struct Shape {
  static constexpr bool Fma = KIND == Fma8 || KIND == Fma4;
  static constexpr int TM = KIND == Fma8 ? 8 : 4;
  static constexpr int BK = KIND == Fma8 ? 16 : 32;
  static constexpr int BM = T / 16 * TM, BN = 16 * TM;
  static constexpr int Parts = Fma ? BK * (BM + BN) / 4 / T : 4;
  static constexpr int Float4s = Parts * T;
};

__device__ void copyAsync(void *to, const void *from) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
}

template <int KIND, int T, int ROUTE>
__global__ void __launch_bounds__(T)
run(const float4 *src, unsigned mask, const int *index, float *out, int steps) {
  using S = Shape<KIND, T>;
  extern __shared__ float4 tiles[];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  constexpr int Sums = S::Fma ? S::TM * S::TM : 1;
  float acc[Sums] = {};
  // Blocks of a product share their tiles, which then come from L2.
  const unsigned first = (S::Fma ? blockIdx.x % 16 : blockIdx.x) * steps;
  auto place = [&](int step, int part) {
    unsigned at = (first + step) * S::Float4s + part * T + tid;
    if constexpr (KIND == Gather)
      at = 2 * unsigned(index[(at / 2) & 0xfffff]) + at % 2;
    return src + (at & mask);
  };
  auto compute = [&](const float4 *tile) {
    if constexpr (S::Fma) {
      const float *a = reinterpret_cast<const float *>(tile);
      const float *b = a + S::BK * S::BM;
#pragma unroll
      for (int k = 0; k < S::BK; ++k) {
        float x[S::TM], y[S::TM];
#pragma unroll
        for (int i = 0; i < S::TM; ++i) {
          x[i] = a[k * S::BM + ty * S::TM + i];
          y[i] = b[k * S::BN + tx * S::TM + i];
        }
#pragma unroll
        for (int i = 0; i < S::TM; ++i)
#pragma unroll
          for (int j = 0; j < S::TM; ++j)
            acc[i * S::TM + j] += x[i] * y[j];
      }
    } else {
#pragma unroll
      for (int i = 0; i < S::Parts; ++i) {
        float4 v = tile[i * T + (tid ^ 1)];
        acc[0] += v.x * v.y + v.z * v.w;
      }
    }
  };
  if constexpr (ROUTE == Plain) {
    for (int s = 0; s < steps; ++s) {
#pragma unroll
      for (int p = 0; p < S::Parts; ++p)
        tiles[p * T + tid] = *place(s, p);
      __syncthreads();
      compute(tiles);
      __syncthreads();
    }
  } else if constexpr (ROUTE == Registers) {
    float4 next[S::Parts];
#pragma unroll
    for (int p = 0; p < S::Parts; ++p)
      next[p] = *place(0, p);
    for (int s = 0; s < steps; ++s) {
      float4 *tile = tiles + s % 2 * S::Float4s;
#pragma unroll
      for (int p = 0; p < S::Parts; ++p)
        tile[p * T + tid] = next[p];
      __syncthreads();
      if (s + 1 < steps)
#pragma unroll
        for (int p = 0; p < S::Parts; ++p)
          next[p] = *place(s + 1, p);
      compute(tile);
    }
  } else {
    auto load = [&](int s) {
#pragma unroll
      for (int p = 0; p < S::Parts; ++p)
        copyAsync(&tiles[s % 2 * S::Float4s + p * T + tid], place(s, p));
      asm volatile("cp.async.commit_group;" ::: "memory");
    };
    load(0);
    for (int s = 0; s < steps; ++s) {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
      if (s + 1 < steps)
        load(s + 1);
      compute(tiles + s % 2 * S::Float4s);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Sums; ++i)
    sum += acc[i];
  out[(blockIdx.x * T + tid) & 0xfffff] = sum;
}

struct Case {
  const char *kind, *route;
  int threads, blocks, registers;
  void (*kernel)(const float4 *, unsigned, const int *, float *, int);
  size_t shared;
  int grid, steps;
};
static std::vector<Case> cases;

template <int KIND, int T, int ROUTE> void add(const char *kind, const char *route) {
  using S = Shape<KIND, T>;
  auto *kernel = run<KIND, T, ROUTE>;
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  cudaFuncAttributes a;
  OK(cudaFuncGetAttributes(&a, kernel));
  const size_t most = p.sharedMemPerBlockOptin;
  OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(most)));
  OK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  const size_t own = (ROUTE == Plain ? 1 : 2) * S::Float4s * sizeof(float4);
  auto fit = [&](size_t bytes) {
    int n = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, T, bytes));
    return n;
  };
  const int natural = fit(own);
  int last = 0;
  for (size_t bytes = most; natural && bytes >= own; bytes -= 1024) {
    const int n = fit(bytes);
    if (n > last && n <= 12) { // the most that keeps so many
      // As many blocks for all, several turns of each.
      cases.push_back({kind, route, T, n, a.numRegs, kernel, bytes,
                       p.multiProcessorCount * 48 / (T / 128), S::Fma ? 48 : 64});
      last = n;
    }
    if (bytes < own + 1024)
      break;
  }
}
template <int KIND, int ROUTE> void addThreads(const char *kind, const char *route) {
  add<KIND, 128, ROUTE>(kind, route);
  add<KIND, 256, ROUTE>(kind, route);
  add<KIND, 512, ROUTE>(kind, route);
}
template <int KIND> void addRoutes(const char *kind) {
  addThreads<KIND, Plain>(kind, "plain");
  addThreads<KIND, Registers>(kind, "registers");
  addThreads<KIND, Async>(kind, "async");
}

int main(int argc, char **argv) {
  const int rounds = std::atoi(argv[1]);
  const unsigned float4s = 1u << 25; // 512 MB
  float4 *src;
  int *index;
  float *out;
  OK(cudaMalloc(&src, float4s * sizeof(float4)));
  OK(cudaMemset(src, 0, float4s * sizeof(float4)));
  OK(cudaMalloc(&out, (1u << 20) * sizeof(float)));
  std::vector<int> host(1u << 20);
  unsigned seed = 1;
  for (int &i : host) {
    seed = seed * 1664525u + 1013904223u;
    i = int(seed >> 8) & int(float4s / 2 - 1);
  }
  OK(cudaMalloc(&index, host.size() * sizeof(int)));
  OK(cudaMemcpy(index, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
  addRoutes<Fma8>("fma8");
  addRoutes<Fma4>("fma4");
  addRoutes<Stream>("stream");
  addRoutes<Gather>("gather");
  cudaEvent_t begin, end;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  for (int r = -1; r < rounds; ++r)
    for (const Case &c : cases) {
      OK(cudaEventRecord(begin));
      c.kernel<<<c.grid, c.threads, c.shared>>>(src, float4s - 1, index, out, c.steps);
      OK(cudaEventRecord(end));
      OK(cudaEventSynchronize(end));
      OK(cudaGetLastError());
      float ms;
      OK(cudaEventElapsedTime(&ms, begin, end));
      if (r >= 0)
        std::printf("%s %s %d %d %d %.5f\n", c.kind, c.route, c.threads, c.blocks,
                    c.registers, ms);
    }
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  std::printf("gpu %s\n", p.name);
}
'''


def measure(args):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'lost_blocks.cu')
        with open(source, 'w') as file:
            file.write(SOURCE)
        program = os.path.join(folder, 'lost_blocks')
        subprocess.run([args.nvcc, '-std=c++17', '-O3', '-arch=' + args.arch, source,
                        '-o', program], check=True)
        if args.compile_only:
            return {}, 'none'
        printed = subprocess.run([program, str(args.rounds)], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
    times, gpu = collections.defaultdict(list), ''
    for line in printed.splitlines():
        if line.startswith('gpu '):
            gpu = line[4:]
            continue
        kind, route, threads, blocks, registers, ms = line.split()
        times[kind, route, int(threads), int(registers), int(blocks)].append(float(ms))
    return {key: statistics.median(all_) for key, all_ in times.items()}, gpu


def by_loop(times):
    """Of each loop the time by its number of blocks."""
    loops = collections.defaultdict(dict)
    for (kind, route, threads, registers, blocks), ms in times.items():
        loops[kind, route, threads, registers][blocks] = ms
    return loops


def rows(loops, key_of):
    """Speed of pipelined loops with so many blocks or warps, the most being 1."""
    found = collections.defaultdict(list)
    for (kind, route, threads, _), speeds in loops.items():
        if route == 'plain' or len(speeds) < 2:
            continue
        best = min(speeds.values())
        for blocks, ms in speeds.items():
            found[key_of(threads, blocks)].append(best / ms)
    return sorted(found.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--nvcc', default='nvcc')
    parser.add_argument('--arch', default='native')
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--compile-only', action='store_true')
    parser.add_argument('--json')
    args = parser.parse_args()
    times, gpu = measure(args)
    loops = by_loop(times)
    print(f'{gpu}: speed by blocks per SM, of the most that fit (x: time in ms there)')
    for (kind, route, threads, registers), speeds in loops.items():
        most = max(speeds)
        line = ' '.join(f'{blocks}:{speeds[most] / ms:.2f}'
                        for blocks, ms in sorted(speeds.items()))
        print(f'{kind:7}{route:10}{threads:4} threads {registers:3} regs '
              f'x{speeds[most]:8.3f}  {line}')
    for name, key_of in (('Blocks', lambda threads, blocks: blocks),
                         ('Warps', lambda threads, blocks: blocks * threads // 32)):
        print(f'SpeedBy{name}: number, least, median and most of pipelined loops')
        for number, speeds in rows(loops, key_of):
            print(f'  {{{number}, {statistics.median(speeds):.2f}, true}}, // '
                  f'{min(speeds):.2f} to {max(speeds):.2f}, {len(speeds)} loops')
    if args.json:
        with open(args.json, 'w') as file:
            json.dump({'gpu': gpu, 'times': [[*key, ms] for key, ms in times.items()]},
                      file, indent=1)


if __name__ == '__main__':
    main()
