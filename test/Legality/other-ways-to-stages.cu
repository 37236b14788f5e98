// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to a staged array that are no names of variables: structured bindings, the
// address that a block has in another one, the size that a kernel asks for.
// verdicts: sm_90a
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --variant=cp-async --stages=4 \
// RUN:   --allow-occupancy-drop %s -- -std=c++20 2>&1 | FileCheck %s
//
// The validators see each of them with the rule switched off.
// RUN: env KPIPE_RULES_OFF=ring-use,kept-contents,dynamic-size %kpipe-unruled rewrite \
// RUN:   --dry-run --arch=sm_90a --variant=cp-async --stages=4 --allow-occupancy-drop %s \
// RUN:   -- -std=c++20 2>&1 | FileCheck %s --check-prefix=ALONE

constexpr int T = 32;

// The names of a binding stay in the first stage.
__global__ void rows_by_binding(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  auto &[a, b] = xs;
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: cp.async was asked for and needs a second buffer, but 'xs' is also used before the loop, and its address is stored there
  for (int i = 0; i < n; i += T) {
    xs[0][t] = x[i + t];
    xs[1][t] = x[i + T - 1 - t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // ALONE: [[#@LINE+1]]:{{14|42}}: warning: not pipelined: {{[ab]}} reaches what is staged here, but not by a name that can mean a stage
      sum += a[j] * xs[1][(j + t) % T] + b[j];
    __syncthreads();
  }
  y[t] = sum;
}

// Of an array that is a parameter as well.
__device__ float by_binding_of_parameter(float (&xs)[2][T], const float *__restrict__ x, int n) {
  auto &[a, b] = xs;
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: cp.async was asked for and needs a second buffer, but 'xs' is also used before the loop
  for (int i = 0; i < n; i += T) {
    xs[0][t] = x[i + t];
    xs[1][t] = x[i + T - 1 - t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += a[j] * b[(j + t) % T];
    __syncthreads();
  }
  return sum;
}
__global__ void gives_parameter(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  y[threadIdx.x] = by_binding_of_parameter(xs, x, n);
}

// A binding that the body makes is one of the stage.
__global__ void binding_of_a_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[0][t] = x[i + t];
    xs[1][t] = x[i + T - 1 - t];
    __syncthreads();
    auto &[a, b] = xs;
    for (int j = 0; j < T; ++j)
      sum += a[j] * b[(j + t) % T];
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline unsigned rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ inline void meet() {
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ inline float of_other(const float *p, unsigned rank) {
  const float *there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
  return *there;
}

// The other block has run one tile more: its last one is in another stage.
__global__ void __cluster_dims__(2) last_tile_of_other(const float *__restrict__ x,
                                                       float *__restrict__ y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x, m = n + T * blockIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: cp.async was asked for and needs a second buffer, but 'xs' is also used after the loop, and blocks of a cluster access each other's shared memory
  for (int i = 0; i < m; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  meet();
  // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: 'xs' is used after the loop, where another block of the cluster may reach it in another stage
  y[blockIdx.x * blockDim.x + t] = sum + of_other(&xs[t], rank() ^ 1);
  meet();
}

// Nobody else reaches the tile.
__global__ void __cluster_dims__(2) other_array_of_other(const float *__restrict__ x,
                                                         float *__restrict__ y, int n) {
  __shared__ float xs[T], sums[T];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  sums[t] = sum;
  meet();
  y[blockIdx.x * blockDim.x + t] = sum + of_other(&sums[t], rank() ^ 1);
  meet();
}

// Static arrays that become dynamic are bytes that the launch asks for.
constexpr int Rows = 128;
__device__ inline unsigned dynamic_bytes() {
  unsigned bytes;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}
__global__ void __launch_bounds__(T) asks_for_size(const float *__restrict__ x,
                                                   float *__restrict__ y, int n) {
  __shared__ float xs[Rows][T];
  int t = threadIdx.x;
  // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: the kernel queries its shared memory size, which the stages change
  float sum = dynamic_bytes();
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 3 stages of xs
  for (int i = 0; i < n; i += T) {
    // CHECK: dynamic shared memory may be larger, but the kernel queries its shared memory size
    for (int r = 0; r < Rows; ++r)
      xs[r][t] = x[i + (t + r) % T];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[3 * j][j];
    __syncthreads();
  }
  y[t] = sum;
}
void launch(const float *x, float *y, int n) { asks_for_size<<<1, T>>>(x, y, n); }
