// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose dynamic shared memory hangs on the threads of their blocks, and
// neighbours of which that cannot be said.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

// The launch itself names a variable that changes.
__global__ void named_in_launch(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: 2 stages of tile
void run_named_in_launch(const float *x, float *y, int n) {
  for (int threads = 32; threads <= 1024; threads *= 2)
    named_in_launch<<<1, threads, threads * sizeof(float)>>>(x, y, n);
}

// Another variable was made of one that changes.
__global__ void made_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_made_before(const float *x, float *y, int n, int threads) {
  const size_t bytes = threads * sizeof(float);
  threads /= 2;
  made_before<<<1, threads, bytes>>>(x, y, n);
}

// So was the block.
__global__ void block_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_block_before(const float *x, float *y, int n, int threads) {
  const dim3 block(threads);
  threads *= 64;
  block_before<<<1, block, threads * sizeof(float)>>>(x, y, n);
}

// Bytes hang on something else as well.
__global__ void more(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_more(const float *x, float *y, int n, int threads, int halo) {
  more<<<1, threads, (threads + halo) * sizeof(float)>>>(x, y, n);
}

// Not each value of the variable is another block.
__global__ void less(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_less(const float *x, float *y, int n, int threads) {
  less<<<1, threads / 2, threads * sizeof(float)>>>(x, y, n);
}

// Nor here, where 288 are 32.
__global__ void narrower(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_narrower(const float *x, float *y, int n, int threads) {
  narrower<<<1, (unsigned char)threads, threads * sizeof(float)>>>(x, y, n);
}

// Nor here, where 2^32 + 32 are 32.
__global__ void wider(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_wider(const float *x, float *y, int n, size_t threads) {
  wider<<<1, threads, threads * sizeof(float)>>>(x, y, n);
}

// With 64 bytes a thread fewer blocks would fit.
__global__ void too_many(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages ({{[0-9]+}} bytes) would lower the blocks per SM from {{[0-9]+}} to {{[0-9]+}} on sm_86, with blocks of {{[0-9]+}} threads
void run_too_many(const float *x, float *y, int n, int threads) {
  too_many<<<1, threads, threads * 64>>>(x, y, n);
}

// Of the blocks that run some ask for less than nothing.
__global__ void wraps(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_wraps(const float *x, float *y, int n, int threads) {
  wraps<<<1, threads, (threads - 32) * 4>>>(x, y, n);
}

// Of two launches one is not known.
__global__ void another(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_another(const float *x, float *y, int n, int threads, int bytes) {
  another<<<1, threads, threads * sizeof(float)>>>(x, y, n);
  another<<<1, 64, bytes>>>(x, y, n);
}

// Another argument of the launch changes the variable, before or after.
__global__ void changes(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
// CHECK: note: single buffer, because two stages need 2 times the kernel{{.*}}whose size is unknown
void run_changes(const float *x, float *y, int n, int threads) {
  changes<<<threads++, threads, threads * sizeof(float)>>>(x, y, n);
}

// Where they would get more than 48 KB, no block ever ran.
__global__ void never_ran(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: 2 stages of tile
void run_never_ran(const float *x, float *y, int n, int threads) {
  never_ran<<<1, threads, threads > 512 ? 60000 : threads * 4>>>(x, y, n);
}

// So does a function that is given it.
__global__ void exchanged(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
namespace std {
template <class T> T exchange(T &old, T value) {
  T was = old;
  old = value;
  return was;
}
} // namespace std
void run_exchanged(const float *x, float *y, int n, int threads) {
  exchanged<<<std::exchange(threads, 64), threads, threads * 32>>>(x, y, n);
}

// What a static variable was given once is not what the parameter is.
__global__ void first_of_all(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: :[[#@LINE-9]]:3: remark: pipelined K-loop: single buffer of tile
void run_first_of_all(const float *x, float *y, int n, int width) {
  static const int threads = width;
  first_of_all<<<1, threads, width * 4>>>(x, y, n);
}
