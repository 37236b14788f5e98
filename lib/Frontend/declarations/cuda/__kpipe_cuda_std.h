// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda/__kpipe_cuda_std.h: cuda::std as another name of the C++ library's std.
// libcu++ gives these to device code; their constexpr functions are host and
// device functions in Clang anyway.
#ifndef KPIPE_DECL_CUDA_STD_H
#define KPIPE_DECL_CUDA_STD_H

#include "__kpipe_cuda_runtime.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

// A size in bytes that both pointers of a copy are aligned to.
template <::std::size_t _Alignment> struct aligned_size_t {
  static constexpr ::std::size_t align = _Alignment;
  ::std::size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(::std::size_t size)
      : value(size) {}
  __host__ __device__ constexpr operator ::std::size_t() const { return value; }
};
} // namespace cuda

#endif // KPIPE_DECL_CUDA_STD_H
