// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a launch begin the kernel, whatever the host does: which threads
// come to a barrier is not looked for in the functions that launch it, be they as
// long as containers of strings make them.
//
// RUN: prlimit --cpu=10 %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

#include <cuda_runtime.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

__global__ void __launch_bounds__(64)
    gather(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Timer {
  std::map<std::string, double> begun, spent;
  void start(std::string name) {
    begun[name] = 1;
    if (!spent.count(name))
      spent[name] = 0;
  }
  void stop(std::string name) { spent[name] += 1 - begun[name]; }
};

int main(int argc, char **argv) {
  Timer timer;
  float *x = nullptr, *y = nullptr;
  std::vector<std::thread> others;
  for (int r = 0; r < argc; ++r) {
    timer.start("all");
    timer.start("kernel");
    if (argv[r][0] == 'a') {
      gather<<<1, 64>>>(x, y, argc);
      timer.stop("all");
    } else {
      timer.stop("kernel");
      timer.start("other");
    }
    while (argv[r][1]) {
      timer.stop("all");
      timer.stop("kernel");
      timer.start("more");
      timer.stop("more");
      gather<<<1, 64>>>(x, y, argc);
    }
  }
}
