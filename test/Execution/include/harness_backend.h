// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The harness on the CPU: buffers and launches are the executor's. See
// Kernels/harness.h, which alone includes this.
#pragma once

#include "executor_abi.h"

#include <cstring>

namespace harness::backend {

inline unsigned stages() { return kx_stages(); }
inline void label(const char *Label) { kx_label(Label); }
inline void *allocate(const char *Name, std::size_t Bytes) {
  return kx_alloc(Name, Bytes);
}
inline void fill(void *Device, const void *Host, std::size_t Bytes) {
  if (Bytes)
    std::memcpy(Device, Host, Bytes);
}
inline void release(void *Device) { kx_release(Device); }
inline void registerCase(const char *Name, void (*Body)()) {
  kx_register_case(Name, Body);
}

template <typename... Params>
void launch(dim3 Grid, dim3 Block, std::size_t Shared,
            void (*Kernel)(Params...), Params... Arguments) {
  auto Thread = [=] { Kernel(Arguments...); };
  kx_launch(
      Grid, Block, Shared,
      [](void *P) { (*static_cast<decltype(Thread) *>(P))(); }, &Thread);
}

} // namespace harness::backend
