// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::opt_in_shared: lets a kernel be launched with more dynamic shared
// memory than the 48 KB that every kernel may have. Host code. Knows nothing of
// what the kernel does with it.
//
// kpipe-inline: opt_in_shared
#ifndef KPIPE_RUNTIME_OPT_IN_SHARED_H
#define KPIPE_RUNTIME_OPT_IN_SHARED_H

// nvrtc has the version as well, and compiles no host code.
#if defined(CUDART_VERSION) && !defined(__CUDACC_RTC__)
namespace kpipe {

/// The third argument of a launch: `k<<<grid, block, kpipe::opt_in_shared(k,
/// bytes)>>>`. \returns bytes. If the device does not have as many, the launch
/// fails with an error that cudaGetLastError() tells.
template <typename... _Parameters>
unsigned opt_in_shared(void (*__kernel)(_Parameters...), unsigned __bytes) {
  cudaFuncSetAttribute(__kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(__bytes));
  return __bytes;
}

} // namespace kpipe
#endif

#endif // KPIPE_RUNTIME_OPT_IN_SHARED_H
// kpipe-inline: end
