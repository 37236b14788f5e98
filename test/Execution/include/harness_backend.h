// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The harness on the CPU: buffers and launches are the executor's. See
// Kernels/harness.h, which alone includes this.
#pragma once

#include "executor_abi.h"

#include <cstring>
#include <tuple>

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
  struct Closure {
    void (*Kernel)(Params...);
    std::tuple<Params...> Arguments;
  } C{Kernel, {Arguments...}};
  kx_launch(
      Grid, Block, Shared,
      [](void *P) {
        auto *C = static_cast<Closure *>(P);
        std::apply(C->Kernel, C->Arguments);
      },
      &C);
}

} // namespace harness::backend
