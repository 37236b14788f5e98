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
namespace detail {

/// The times of the program, printed when it ends.
class time_log {
public:
  static time_log &get() {
    static time_log log;
    return log;
  }

  void add(const char *name, float milliseconds) {
    std::lock_guard<std::mutex> lock(mutex);
    times[name].push_back(milliseconds);
  }

  /// No time is better than a wrong one.
  void fail(const char *name, cudaError_t why) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!failed)
      std::fprintf(stderr, "kpipe::timed: error: %s: %s\n", name,
                   cudaGetErrorString(why));
    failed = true;
  }

  ~time_log() {
    if (failed)
      return;
    for (auto &entry : times)
      std::printf("kpipe-time: %s %.6g\n", entry.first.c_str(),
                  median(entry.second));
  }

private:
  std::map<std::string, std::vector<float>> times;
  std::mutex mutex;
  bool failed = false;

  time_log() = default;

  /// The first call warms up, unless it is the only one.
  static double median(std::vector<float> &all) {
    if (all.size() > 1)
      all.erase(all.begin());
    std::sort(all.begin(), all.end());
    std::size_t half = all.size() / 2;
    return all.size() % 2 ? all[half] : (all[half - 1] + all[half]) / 2.0;
  }
};

} // namespace detail

/// Calls launch, which starts work on stream, and waits for its end. The time
/// between is kept under name, in milliseconds. Calls with different names add
/// up for `kpipe tune`. The first error of CUDA's, also one of a launch, goes
/// to standard error; the program then prints no times.
template <typename Launch>
void timed(const char *name, Launch &&launch, cudaStream_t stream = nullptr) {
  detail::time_log &log = detail::time_log::get();
  cudaEvent_t begin = nullptr, end = nullptr;
  float milliseconds = 0;
  cudaError_t error = cudaEventCreate(&begin);
  if (error == cudaSuccess)
    error = cudaEventCreate(&end);
  if (error == cudaSuccess)
    error = cudaEventRecord(begin, stream);
  if (error == cudaSuccess) {
    launch();
    error = cudaGetLastError();
  }
  if (error == cudaSuccess)
    error = cudaEventRecord(end, stream);
  if (error == cudaSuccess)
    error = cudaEventSynchronize(end);
  if (error == cudaSuccess)
    error = cudaEventElapsedTime(&milliseconds, begin, end);
  if (begin)
    cudaEventDestroy(begin);
  if (end)
    cudaEventDestroy(end);
  if (error == cudaSuccess)
    log.add(name, milliseconds);
  else
    log.fail(name, error);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TIMING_H
