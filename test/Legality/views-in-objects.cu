// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that are members of the kernel's object, and what the loop writes by
// another of them, or by a name that the view got meanwhile. The legal ones are
// in Kernels/views_in_objects.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='pipelined K-loop'

constexpr int T = 64;

template <class V> struct View {
  V *data;
  __device__ V &operator()(int i) const { return data[i]; }
};

// The next tile may be what this one writes.
struct Writes {
  View<const float> from;
  View<float> to;
  int n;
  __device__ void operator()() const {
    __shared__ float s[T];
    for (int t = 0; t < n; t += T) {
      s[threadIdx.x] = from(t + threadIdx.x);
      __syncthreads();
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: the loop stores to memory reached through 'to', which may alias memory reached through 'from' [kpipe-may-alias]
      to(t + threadIdx.x + T) = s[T - 1 - threadIdx.x];
      __syncthreads();
    }
  }
};

// The view was turned to shared memory.
struct Turned {
  View<float> from;
  float *out;
  int n;
  __device__ void operator()() {
    __shared__ float s[T], other[T];
    from.data = other;
    other[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < n; t += T) {
      // CHECK: warning: not pipelined:
      s[threadIdx.x] = from(threadIdx.x);
      __syncthreads();
      for (int j = 0; j < T; ++j) sum += s[j];
      other[threadIdx.x] = sum;
      __syncthreads();
    }
    out[threadIdx.x] = sum;
  }
};

// The kernel makes the object, of its tile.
struct Made {
  View<float> from;
  float *scratch;
  int n;
  __device__ float operator()() const {
    __shared__ float s[T];
    float sum = 0;
    for (int t = 0; t < n; t += T) {
      // CHECK: warning: not pipelined:
      s[threadIdx.x] = from(threadIdx.x);
      __syncthreads();
      for (int j = 0; j < T; ++j) sum += s[j];
      scratch[threadIdx.x] = sum;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void makes(float *out, int n) {
  __shared__ float mine[T];
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  Made all{{mine}, mine, n};
  out[threadIdx.x] = all();
}

template <class Body> __global__ void run(Body body) { body(); }
template __global__ void run(Writes);
template __global__ void run(Turned);
