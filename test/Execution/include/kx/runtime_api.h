// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few names of the runtime's host API that kernels' files mention, and
// launches, which the front turns from
//   k<<<grid, block, bytes>>>(x, y)
// into k->*::kx::on(grid, block, bytes)(x, y). Memory is the harness's.
#pragma once

#include "builtins.h"

#include <cstddef>
#include <map>
#include <tuple>

// What the toolkit says that the stand-ins are like.
#define CUDART_VERSION 13000

using cudaError_t = int;
using cudaStream_t = void *;
constexpr cudaError_t cudaSuccess = 0;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncAttributePreferredSharedMemoryCarveout
};
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline const char *cudaGetErrorString(cudaError_t) { return "no error"; }

namespace kx {
/// Dynamic shared memory that kernels may be launched with, beyond 48 KB.
inline std::map<const void *, std::size_t> &optedIn() {
  static std::map<const void *, std::size_t> Bytes;
  return Bytes;
}

template <typename... Args> struct Launch {
  dim3 Grid, Block;
  std::size_t Shared;
  std::tuple<Args...> Arguments;
};

struct Configuration {
  dim3 Grid, Block;
  std::size_t Shared;
  template <typename... Args> Launch<Args...> operator()(Args... A) const {
    return {Grid, Block, Shared, {A...}};
  }
};
inline Configuration on(dim3 Grid, dim3 Block, std::size_t Shared = 0,
                        cudaStream_t = nullptr) {
  return {Grid, Block, Shared};
}

/// A launch that asks for too much fails: the kernel does not run.
template <typename... Params, typename... Args>
void operator->*(void (*Kernel)(Params...), Launch<Args...> L) {
  auto Most = optedIn().find(reinterpret_cast<const void *>(Kernel));
  if (L.Shared > (Most == optedIn().end() ? 48 << 10 : Most->second))
    return;
  struct Closure {
    void (*Kernel)(Params...);
    std::tuple<Params...> Arguments;
  } C{Kernel, L.Arguments};
  kx_launch(
      L.Grid, L.Block, L.Shared,
      [](void *P) {
        auto *C = static_cast<Closure *>(P);
        std::apply(C->Kernel, C->Arguments);
      },
      &C);
}
} // namespace kx

template <typename T>
cudaError_t cudaFuncSetAttribute(T *Kernel, cudaFuncAttribute A, int Value) {
  if (A == cudaFuncAttributeMaxDynamicSharedMemorySize)
    kx::optedIn()[reinterpret_cast<const void *>(Kernel)] = Value;
  return cudaSuccess;
}

// Launches in the words of the runtime, of which attributes change nothing
// here.
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributePriority = 8
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  union {
    int cooperative, priority;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 kx_gridDim, kx_blockDim; // as prepare.py spells them
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
template <typename... Params, typename... Args>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *C,
                               void (*Kernel)(Params...), Args &&...A) {
  Kernel->*kx::on(C->kx_gridDim, C->kx_blockDim,
                  C->dynamicSmemBytes)(static_cast<Params>(A)...);
  return cudaSuccess;
}
