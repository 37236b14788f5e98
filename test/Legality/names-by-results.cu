// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assignment is the variable that it sets, and may be assigned again; so is
// what a cast yields that changes nothing. Each loop here stores to what the next
// tile loads.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s

constexpr int T = 64;
struct Two {
  float *a, *b;
};

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(float *x, float *__restrict__ z, float *__restrict__ y, int n) {    \
    __shared__ float xs[T];                                                    \
    const int t = threadIdx.x;                                                 \
    float sum = z[t], *q = z;                                                  \
    Two s{z, z}, r{z, z};

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (t ^ j);

KERNEL(assigned)
  (q = z) = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(stepped)
  ++q = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(added)
  (q += 1) = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(thrice)
  ((q = z) = z) = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(either)
  (n > 2 ? q = z : q) = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(of_assembly)
  asm("mov.u64 %0, %1;" : "=l"(q = z) : "l"(x));
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(member)
  (s.a = z) = x;
  q = s.a;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(member_of_result)
  (s = Two{z, z}).a = x;
  q = s.a;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(object)
  (s = r) = Two{x, z};
  q = s.a;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(member_stepped)
  ++s.a = x;
  q = s.a;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(by_cast)
  (float *&)q = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(by_const_cast)
  const_cast<float *&>(q) = x;
  // CHECK: [[@LINE+5]]:{{[0-9]+}}: warning: not pipelined: {{.*}} may alias 'x' [kpipe-may-alias]
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}

// What is only read of a result stays what it was.
KERNEL(only_read)
  sum += *(q = z);
  sum += (q += 1)[0];
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    SUM
    q[k + T + (t ^ 1)] = sum;
    __syncthreads();
  }
  y[t] = sum;
}
