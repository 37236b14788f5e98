// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few names of the runtime's host API that kernels' files mention outside
// of launches. Nothing here does anything: the harness owns memory.
#pragma once

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
template <typename T>
cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int) {
  return cudaSuccess;
}
