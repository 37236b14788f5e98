// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that nobody's name tells of: made by constructors, destructors, through
// pointers and in other files. They may be in flight where a loop begins that
// waits for all that there is. Each is refused by the rule, not by the check
// behind it; the last kernel is their legal twin.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='check of that' \
// RUN:       --implicit-check-not='pipelined K-loop'

#include <cuda/std/functional>
#include <cuda_pipeline.h>

struct Prefetch {
  int lines;
  __device__ Prefetch(float *to, const float *from) : lines(0) {
    __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);
    __pipeline_commit();
  }
};
struct Drains {
  float *to;
  const float *from;
  __device__ ~Drains() {
    __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);
    __pipeline_commit();
  }
};
struct Loads {
  __device__ virtual void load(float *to, const float *from) const = 0;
};
__device__ void elsewhere(float *to, const float *from);
struct Holds {
  Prefetch first;
  __device__ Holds(float *to, const float *from) : first(to, from) {}
};

__shared__ float ahead[64];
__device__ const float *source;
__device__ int prefetch(float *to, const float *from) {
  __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);
  __pipeline_commit();
  return 1;
}
struct ByDefault {
  float *to;
  const float *from;
  int begun = prefetch(to, from);
};
struct Inherits : Prefetch {
  using Prefetch::Prefetch;
};
struct Deleted {
  int lines;
  static __device__ void operator delete(void *) { prefetch(ahead, source); }
};
struct HoldsDrains {
  Drains last;
  __device__ ~HoldsDrains() {}
};
struct Made {
  int lines;
  static __device__ void *operator new(size_t, float *at) {
    prefetch(at, source);
    return at;
  }
};
__device__ int nothing(int begun = prefetch(ahead, source)) { return begun; }

__device__ float sum_of(const float *tile, const float *first) {
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tile[k] * first[k ^ threadIdx.x];
  return sum;
}

__global__ void by_constructor(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  Prefetch now(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_member(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  Holds now(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_destructor(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  { Drains then{first, x}; }
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A temporary that ends at once, and that no constructor makes.
__global__ void by_temporary(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  Drains{first, x};
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_pointer(const float *x, float *out, int n, void (*load)(float *, const float *)) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  load(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_virtual(const float *x, float *out, int n, const Loads *loads) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  loads->load(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_other_file(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  elsewhere(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_default_member(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  ByDefault now{first, x};
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_default_argument(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  nothing();
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_inherited(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  Inherits now(first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_delete(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  delete reinterpret_cast<Deleted *>(&first[threadIdx.x]);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_new(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  new (first) Made;
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_end_of_member(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  {
    HoldsDrains now;
    now.last.to = first;
  }
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_end_called(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  reinterpret_cast<HoldsDrains *>(first)->~HoldsDrains();
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_invoke(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  cuda::std::invoke(prefetch, first, x);
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void by_nobody(const float *x, float *out, int n) {
  __shared__ float tile[64], first[64];
  float sum = 0;
  first[threadIdx.x] = x[threadIdx.x];
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: unseen.cu:[[#@LINE-1]]:3: remark: pipelined K-loop
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile, first);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
