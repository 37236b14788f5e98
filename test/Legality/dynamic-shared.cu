// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When dynamic shared memory may have stages: the block is one object, which only
// the load fills and only the compute reads, by names that can be given a stage.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --launches=elsewhere %s 2>&1 \
// RUN:   | grep -v "have to ask for\|size of dynamic shared memory unknown" \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// The tile is all that there is.
__global__ void whole(const float *__restrict__ x,
                      float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Names for parts of it may be made of each other, at any offset: whether the parts
// lie over each other does not matter, as all of them move together.
__global__ void overlapping(const float *__restrict__ x,
                            float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  const float *Bs = smem;
  float *As = (float *)((char *)Bs + 4 * (n & 3)), *mine = &As[threadIdx.x];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    *mine = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[j] + Bs[j + 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Read, or used as scratch, where the last tile lies.
__global__ void after(const float *__restrict__ x,
                      float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  __syncthreads();
  float *rest = smem + 1;
  rest[threadIdx.x] = sum;
  __syncthreads();
  sum += rest[n & 31];
  y[threadIdx.x] = sum;
}

// Values that are there before the loop are copied to both stages.
__global__ void before(const float *__restrict__ x,
                       float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  smem[T + threadIdx.x] = x[n];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j] * smem[T + j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Scratch of the compute lies in the same block.
__global__ void scratch(const float *__restrict__ x,
                        float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *part = smem + T;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because the compute region also stores to 'smem'
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      part[threadIdx.x] = sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A name that is given another place.
__global__ void moved(const float *__restrict__ x,
                      float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *As = smem;
  if (n & 1)
    As += T;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is also used before the loop, and 'As' brings its address into the loop
    As[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A second name of what begins at the same place.
__global__ void another(const float *__restrict__ x,
                        float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  extern __shared__ int other[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and 'other' is another name for it
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[n] = other[n & 31];
  y[threadIdx.x] = sum;
}

// A function that is called has it under a name of its own.
__device__ float sum_up() {
  extern __shared__ float floats[];
  return floats[0] + floats[1];
}
__global__ void callee(const float *__restrict__ x,
                       float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and 'sum_up', which is called, also uses it
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  sum += sum_up();
  y[threadIdx.x] = sum;
}

// A function that cannot be looked into may.
__device__ float elsewhere();
__global__ void unknown(const float *__restrict__ x,
                        float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and 'elsewhere', which kpipe cannot analyze, may also use it
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  sum += elsewhere();
  y[threadIdx.x] = sum;
}

// The kernel divides what it finds.
__global__ void measured(const float *__restrict__ x,
                         float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  unsigned size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and the kernel queries its shared memory size
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[size] = 1.0f;
  y[threadIdx.x] = sum;
}

// An address that is a number, of which memory is indexed, is not followed.
__global__ void number(const float *__restrict__ x,
                       float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  unsigned at = __cvta_generic_to_shared(smem);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is also used before the loop, and its address is stored there
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[at] = 1.0f;
  y[threadIdx.x] = sum;
}

// The place of a tile is kept for the next one.
__global__ void kept(const float *__restrict__ x,
                     float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  const float *last = nullptr;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'last' keeps an address of 'smem' beyond the iteration that took it
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += last ? last[j] : 0.0f, last = smem;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same by another name of the block.
__global__ void kept_view(const float *__restrict__ x,
                          float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *tile = smem;
  const float *last = nullptr;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'last' keeps an address of 'smem' beyond the iteration that took it
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += last ? last[j] : 0.0f, last = tile;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop's header asks for the place, which is that of no stage.
__global__ void in_header(const float *__restrict__ x,
                          float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *tile = smem;
  float sum = 0;
  for (int i = 0; tile != nullptr && i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'tile' is used in the loop header
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An array that a macro mentions.
#define TILE(i) smem[i]
__global__ void hidden(const float *__restrict__ x,
                       float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += TILE(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Behind the loop the name means the first stage again.
__global__ void hidden_behind(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of smem, {{.*}} [kpipe-pipelined]
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum + TILE(0);
}

// A function of other functions: its kernels size the block.
__device__ void of_kernels(const float *__restrict__ x,
                           float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and the kernels that call the function determine its size
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Aligned to more than stages are.
__global__ void aligned(const float *__restrict__ x,
                        float *__restrict__ y, int n) {
  extern __shared__ __align__(256) float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of smem, {{.*}} [kpipe-pipelined]
    // CHECK: dynamic-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'smem' is dynamic shared memory, and it is aligned to more than the 128 bytes of a stage
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two loops fill it, one after the other.
__global__ void twice(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: note: single buffer, because 'smem' is filled by another loop too
// CHECK: note: single buffer, because 'smem' is filled by another loop too
