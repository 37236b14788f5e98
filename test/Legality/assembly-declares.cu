// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and labels that assembly declares without braces are names of the
// whole kernel, in which a pipelined loop has its text twice.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n) {        \
    __shared__ float xs[T];                                                    \
    const int t = threadIdx.x;                                                 \
    float sum = 0;

__device__ float twice(float f) {
  asm(".reg .f32 two; mov.f32 two, 0f40000000; mul.f32 %0, %0, two;" : "+f"(f));
  return f;
}

KERNEL(in_compute)
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      // CHECK: [[@LINE+1]]:7: warning: not pipelined: this assembly declares a register or a label without braces around it, and its text would stand in the kernel twice [kpipe-moved-text]
      asm(".reg .f32 h; mul.f32 h, %0, %0; mov.f32 %0, h;" : "+f"(f));
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(in_load)
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    // CHECK: [[@LINE+1]]:5: warning: not pipelined: this assembly declares a register or a label without braces around it, and its text would stand in the kernel twice [kpipe-moved-text]
    asm(".reg .f32 h; mul.f32 h, %0, %0; mov.f32 %0, h;" : "+f"(v));
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(label)
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      // CHECK: [[@LINE+1]]:7: warning: not pipelined: this assembly declares a register or a label without braces around it, and its text would stand in the kernel twice [kpipe-moved-text]
      asm("{ add.f32 %0, %0, %0; } here: ;" : "+f"(f));
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(in_helper)
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      // CHECK: [[@LINE+1]]:11: warning: not pipelined: this assembly declares a register or a label without braces around it, and its text would stand in the kernel twice [kpipe-moved-text]
      f = twice(f);
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(in_braces)
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      asm("{ .reg .f32 h; mul.f32 h, %0, %0; mov.f32 %0, h; }" : "+f"(f));
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(numbered)
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop
#pragma unroll 1
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < T; ++j) {
      float f = xs[j];
      asm(".reg .f32 h%=; mul.f32 h%=, %0, %0; mov.f32 %0, h%=;" : "+f"(f));
      sum += f;
    }
    __syncthreads();
  }
  y[t] = sum;
}
