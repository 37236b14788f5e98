// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that step where no header can: the counter is asked for elsewhere, a
// step is seen by what it would be moved past, or is not always taken.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

#define KERNEL(NAME)                                                           \
  __global__ void NAME(const float *__restrict__ x, float *__restrict__ y, int n)
#define THREAD                                                                 \
  const int t = threadIdx.x;                                                   \
  float sum = 0
#define COMPUTE                                                                \
  for (int j = 0; j < N; ++j)                                                  \
    sum += s[j] * float(j)

// Code behind the loop asks how far it came.
KERNEL(asked_behind) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < n; k += N) {
    // CHECK: [[#@LINE+2]]:5: warning: not pipelined: 'i' is written by the load region and read by the compute region [kpipe-carried-scalar]
    int i = t;
    while (i < N) {
      s[i] = x[k + i];
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    sum += float(i);
  }
  y[t] = sum;
}

// The step is not the last that is done.
KERNEL(steps_first) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t - T;
    while (i < N - T) {
      i += T;
      s[i] = x[k + i];
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// A turn may end without the step.
KERNEL(goes_on) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t, more = 2;
    int at = i;
    while (at < N) {
      s[at] = x[k + at];
      if (at == 7 && --more)
        continue;
      at += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// By what the body alone knows.
KERNEL(own_step) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t;
    while (i < N) {
      const int step = i < 70 ? T : 2 * T;
      s[i] = x[k + i];
      i += step;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// The body has another variable of a name in the step.
KERNEL(other_step) {
  __shared__ float s[N];
  THREAD;
  const int step = T;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t;
    while (i < N) {
      const int step = 2 * T;
      s[i] = x[k + i];
      i += step;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    sum += float(step);
  }
  y[t] = sum;
}

// The counter has a second name.
KERNEL(second_name) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t;
    while (i < N) {
      const int &at = i;
      s[at] = x[k + at];
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// Something is done between the counter and its loop.
KERNEL(done_between) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because a value is stored in a while loop, a do loop or a switch
  for (int k = 0; k < n; k += N) {
    int i = t;
    if (k > 3 * N)
      i = N - 1 - t;
    while (i < N) {
      s[i] = x[k + i];
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// The second step asks for the counter that the first one stepped.
KERNEL(asks_counter) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
  for (int k = 0; k < n; k += N) {
    const float *from = x + k;
    for (int i = 0; i < 2; ++i, from += i)
      s[2 * t + i] = *from;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// Of the author's own there is another one in the body.
KERNEL(hidden_step) {
  __shared__ float s[N];
  THREAD;
  int from = t;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
  for (int k = 0; k < n; k += N) {
    from = t;
    for (int i = 0; i < 2; ++i, from += T) {
      const int at = from;
      int from = 0;
      s[2 * t + i] = x[at + k + from];
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// A turn of the copies may end early, and steps all the same.
KERNEL(steps_anyhow) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because
  for (int k = 0; k < n; k += N) {
    int from = t;
    for (int i = 0; i < 2; ++i, from += T) {
      if (from & 1) {
        if (from & 2)
          continue;
      }
      s[2 * t + i] = x[from + k];
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// The index is asked for on both sides of its step.
KERNEL(named_twice) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because
  for (int k = 0; k < n; k += N) {
    int at = 2 * t;
    for (int i = 0; i < 2; ++i)
      s[at++] = x[k + at];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// The step is not always taken.
KERNEL(taken_or_not) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because
  for (int k = 0; k < n; k += N) {
    int at = 2 * t;
    for (int i = 0; i < 2; ++i)
      s[i == 0 ? at++ : 3] = x[k + i];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// A pointer leads to the index.
KERNEL(led_to) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because
  for (int k = 0; k < n; k += N) {
    int at = 2 * t;
    int *p = &at;
    for (int i = 0; i < 2; ++i)
      s[at++] = x[k + *p];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// In front of the loop the second counter's name would be another variable's.
KERNEL(other_name) {
  __shared__ float s[N];
  THREAD;
  const int g = n - 1;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
  for (int k = 0; k < n; k += N) {
    for (int i = t, g = k + t; i < N; i += T, g += T)
      s[i] = x[g] + 1;
    sum += float(g);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}

// The second counter begins where the first one does.
KERNEL(begins_there) {
  __shared__ float s[N];
  THREAD;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant
  for (int k = 0; k < n; k += N) {
    for (int i = t, g = k + i; i < N; i += T, g += T)
      s[i] = x[g] + 1;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  y[t] = sum;
}
