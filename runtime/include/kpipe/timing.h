// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::timed: what a kernel takes on the GPU, as a line that `kpipe tune`
// and scripts read. Host code for a program that measures; rewritten kernels do
// not need it, and pipeline.h does not include it. CUDA C++14 and newer.
//
//   for (int i = 0; i < 10; ++i)
//     kpipe::timed("gemm", [&] { gemm<<<grid, block>>>(A, B, C, n); });
//
// prints when the program ends, with the median of all calls but the first:
//
//   kpipe-time: gemm 1.2345
#ifndef KPIPE_RUNTIME_TIMING_H
#define KPIPE_RUNTIME_TIMING_H

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace kpipe {
namespace __detail {

/// The times of the program, printed when it ends.
class __time_log {
public:
  static __time_log &__get() {
    static __time_log __log;
    return __log;
  }

  void __add(const char *__name, float __milliseconds) {
    std::lock_guard<std::mutex> __lock(__mutex);
    __times[__name].push_back(__milliseconds);
  }

  /// No time is better than a wrong one.
  void __fail(const char *__name, cudaError_t __why) {
    std::lock_guard<std::mutex> __lock(__mutex);
    if (!__failed)
      std::fprintf(stderr, "kpipe::timed: error: %s: %s\n", __name,
                   cudaGetErrorString(__why));
    __failed = true;
  }

  ~__time_log() {
    if (__failed)
      return;
    for (auto &__entry : __times)
      std::printf("kpipe-time: %s %.6g\n", __entry.first.c_str(),
                  __median(__entry.second));
  }

private:
  std::map<std::string, std::vector<float>> __times;
  std::mutex __mutex;
  bool __failed = false;

  __time_log() = default;

  /// The first call warms up, unless it is the only one.
  static double __median(std::vector<float> &__all) {
    if (__all.size() > 1)
      __all.erase(__all.begin());
    std::sort(__all.begin(), __all.end());
    std::size_t __half_of_all = __all.size() / 2;
    return __all.size() % 2
               ? __all[__half_of_all]
               : (__all[__half_of_all - 1] + __all[__half_of_all]) / 2.0;
  }
};

} // namespace __detail

/// Calls launch, which starts work on stream, and waits for its end. The time
/// between is kept under name, in milliseconds. Calls with different names add
/// up for `kpipe tune`. The first error of CUDA's, also one of a launch, goes
/// to standard error; the program then prints no times.
template <typename _Launch>
void timed(const char *__name, _Launch &&__launch,
           cudaStream_t __stream = nullptr) {
  __detail::__time_log &__log = __detail::__time_log::__get();
  cudaEvent_t __begin = nullptr, __end = nullptr;
  float __milliseconds = 0;
  cudaError_t __error = cudaEventCreate(&__begin);
  if (__error == cudaSuccess)
    __error = cudaEventCreate(&__end);
  if (__error == cudaSuccess)
    __error = cudaEventRecord(__begin, __stream);
  if (__error == cudaSuccess) {
    __launch();
    __error = cudaGetLastError();
  }
  if (__error == cudaSuccess)
    __error = cudaEventRecord(__end, __stream);
  if (__error == cudaSuccess)
    __error = cudaEventSynchronize(__end);
  if (__error == cudaSuccess)
    __error = cudaEventElapsedTime(&__milliseconds, __begin, __end);
  if (__begin)
    cudaEventDestroy(__begin);
  if (__end)
    cudaEventDestroy(__end);
  if (__error == cudaSuccess)
    __log.__add(__name, __milliseconds);
  else
    __log.__fail(__name, __error);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TIMING_H
