// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule control-flow: nothing leaves load or compute midway, and condition and step
// of the loop can be evaluated one tile ahead.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Jumps inside the compute region, and leaving before the loop, are fine.
__global__ void inner_jumps(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (blockIdx.x * T >= n)
    return;
  for (int i = 0; i < n; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (j == 3)
        continue;
      if (xs[j] < 0)
        break;
      sum += xs[j];
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A while loop's step may stand in its body.
__global__ void step_in_body(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  while (i < n) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    i += T;
  }
  y[threadIdx.x] = sum;
}

__global__ void breaks(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    if (sum > 100)
      break;
      // CHECK: control-flow.cu:[[#@LINE-1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      // CHECK: control-flow.cu:[[#@LINE-2]]:7: note: let the loop condition end the loop
  }
  y[threadIdx.x] = sum;
}

__global__ void returns(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x >= n)
      return;
      // CHECK: control-flow.cu:[[#@LINE-1]]:7: warning: not pipelined: 'return' leaves the loop from its body [kpipe-control-flow]
      // CHECK: control-flow.cu:[[#@LINE-2]]:7: note: return before the loop, or let the loop condition end the loop
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void continues(const float *__restrict__ x, float *__restrict__ y,
                          const int *__restrict__ skip, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (skip[i])
      continue;
      // CHECK: control-flow.cu:[[#@LINE-1]]:7: warning: not pipelined: 'continue' skips part of the loop body [kpipe-control-flow]
      // CHECK: control-flow.cu:[[#@LINE-2]]:7: note: let the loop run over the other tiles alone, by its bounds or by a list of them
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void jumps(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (xs[j] < 0)
        goto done;
        // CHECK: control-flow.cu:[[#@LINE-1]]:9: warning: not pipelined: the loop body contains a jump or a label [kpipe-control-flow]
    __syncthreads();
  }
done:
  y[threadIdx.x] = sum;
}

// How far the loop goes depends on what was computed.
__global__ void body_moves_end(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int end = n;
  for (int i = 0; i < end; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (sum > 100)
      // CHECK: control-flow.cu:[[#@LINE-1]]:5: warning: not pipelined: the body changes 'end', which the loop condition reads [kpipe-control-flow]
      end -= T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop's variable is changed under another name.
__global__ void second_name(const float *__restrict__ x,
                            float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  int &same = i;
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    same += T;
    // CHECK: control-flow.cu:[[#@LINE-1]]:5: warning: not pipelined: the body changes 'i', which the loop condition reads [kpipe-control-flow]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void shared_condition(const float *__restrict__ x,
                                 float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ bool go;
  float sum = 0;
  go = true;
  __syncthreads();
  for (int i = 0; i < n && go; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:19: warning: not pipelined: the loop condition reads shared memory [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (sum > 100)
      go = false;
    // CHECK: control-flow.cu:[[#@LINE-1]]:7: note: it is written here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A promise of 'y' would be enough.
__global__ void global_condition(const float *__restrict__ x, int *n,
                                 float *y) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < *n; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:19: warning: not pipelined: the loop condition reads global memory that the loop may store to [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (sum > 100)
      y[i] = sum;
    __syncthreads();
  }
}

__global__ void side_effects(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int left = n;
  for (int i = 0; (left -= 1) > 0; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:19: warning: not pipelined: the loop condition changes 'left' and cannot be evaluated ahead; change 'left' in the step of the loop or at the end of its body [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void endless(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0;; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:3: warning: not pipelined: the loop has no condition [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    if (i > n)
      break;
      // CHECK: control-flow.cu:[[#@LINE-1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      // CHECK: control-flow.cu:[[#@LINE-2]]:7: note: let the loop condition end the loop
  }
  y[threadIdx.x] = sum;
}

__global__ void two_steps(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T / 2, i += T / 2) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:38: warning: not pipelined: the loop step changes 'i' twice [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A condition that counts and writes memory as well.
__global__ void stores_in_condition(const float *__restrict__ x,
                                    float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; (y[i] = i) < n; i += T) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:19: warning: not pipelined: the loop condition has side effects and cannot be evaluated ahead [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The step's own step is set in the body, after its last use there.
__global__ void step_of_the_step(const float *__restrict__ x,
                                 float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int step = T, i = 0;
  while (i < n) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    // CHECK: control-flow.cu:[[#@LINE+1]]:5: warning: not pipelined: the body changes 'step', which the step of 'i' reads [kpipe-control-flow]
    step = sum > 9 ? T : 2 * T;
    i += step;
  }
  y[threadIdx.x] = sum;
}

// A step in shared memory that nobody stores in the loop is known ahead.
__global__ void shared_step(const float *__restrict__ x, float *__restrict__ y,
                            int n, int m) {
  __shared__ float xs[T];
  __shared__ int step;
  float sum = 0;
  step = m;
  for (int i = 0; i < n; i += step) {
    // CHECK: control-flow.cu:[[#@LINE-1]]:3: remark: pipelined K-loop
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One that the compute sets is not, by its name or by another one.
__global__ void shared_step_that_changes(const float *__restrict__ x,
                                         float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  __shared__ int step;
  float sum = 0;
  step = m;
  // CHECK: control-flow.cu:[[#@LINE+1]]:26: warning: not pipelined: the loop step reads memory [kpipe-control-flow]
  for (int i = 0; i < n; i += step) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    step = T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void step_in_global_memory(const float *__restrict__ x,
                                      float *__restrict__ y, int n,
                                      const int *__restrict__ m) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: control-flow.cu:[[#@LINE+1]]:26: warning: not pipelined: the loop step reads memory [kpipe-control-flow]
  for (int i = 0; i < n; i += *m) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
