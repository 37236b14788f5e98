// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why an array keeps a single buffer.
//
// RUN: %kpipe analyze --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 64;
__shared__ float outside[T];

__global__ void __launch_bounds__(T)
declared_outside(const float *__restrict__ x, float *__restrict__ y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    outside[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += outside[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: declared_outside: pipelined
// CHECK: single buffer, because 'outside' is declared outside the function

__global__ void __launch_bounds__(T)
odd_size(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float xs[4 * T + 1];
  float sum = 0;
  for (int i = 0; i < n; i += 4 * T) {
    *reinterpret_cast<float4 *>(&xs[4 * threadIdx.x]) =
        *reinterpret_cast<const float4 *>(&x[i + 4 * threadIdx.x]);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: odd_size: pipelined
// CHECK: single buffer, because a stage of 'xs' is 1028 bytes, not a multiple of the 16 bytes

__global__ void __launch_bounds__(T)
dynamic(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float memory[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    memory[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += memory[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: dynamic: pipelined
// CHECK: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask

// Which half of the tile is stored to is decided inside the copying loop: by a
// value, or by a condition.
__global__ void __launch_bounds__(T)
by_value(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 2 * T) {
    for (int j = 0; j < 2; ++j) {
      int half = (j + i / (2 * T)) % 2;
      xs[half * T + threadIdx.x] = x[i + j * T + threadIdx.x];
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: by_value: pipelined
// CHECK: single buffer, because which elements of 'xs' are stored varies from iteration to

__global__ void __launch_bounds__(T)
by_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 2 * T) {
    for (int j = 0; j < 2; ++j) {
      int half = j;
      if (i & (2 * T))
        half = 1 - j;
      xs[half * T + threadIdx.x] = x[i + j * T + threadIdx.x];
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: by_condition: pipelined
// CHECK: single buffer, because which elements of 'xs' are stored varies from iteration to

__global__ void __launch_bounds__(T)
used_after_inner(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 1];
  float sum = 0;
  for (int r = 0; r < 2; ++r) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[threadIdx.x ^ 1];
      __syncthreads();
    }
    sum += xs[threadIdx.x ^ 2];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: used_after_inner: pipelined
// CHECK: single buffer, because 'xs' is also used after the loop, and the loop is entered again, and its
// CHECK-NEXT: size is no multiple of 16 bytes

// What an array that is used outside the loop holds is copied to all stages, by
// all threads of the block, if the loop reaches it by its names alone.
__global__ void __launch_bounds__(T)
some_have_left(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  xs[threadIdx.x] = 1;
  if (n == 0)
    return;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: some_have_left: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and not all threads of the

__global__ void __launch_bounds__(T)
by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float *second = xs;
  if (n & 1)
    ++second;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += second[threadIdx.x ^ 2];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: by_pointer: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and 'second' brings its address

__global__ void __launch_bounds__(T)
in_closure(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  auto last = [&] { return xs[T - 1]; };
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1] * last();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: in_closure: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and a closure or a class names

__global__ void __launch_bounds__(T)
in_parts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 1];
  xs[T] = 1;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x + 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: in_parts: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and its size is no multiple of

__global__ void __launch_bounds__(T)
few_turns(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 1;
  float sum = 0;
  for (int i = 0; i < 4 * T; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: few_turns: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and 4 turns are too few to copy

__device__ float of_kernels(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 1;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
  }
  return sum;
}
// CHECK-LABEL: of_kernels: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and the loop stands in a function

__global__ void __launch_bounds__(T)
kept_address(const float *__restrict__ x, float *__restrict__ y, float **at, int n) {
  __shared__ float xs[T];
  at[threadIdx.x] = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: kept_address: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and its address is stored there

__device__ void fetch(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void __launch_bounds__(T)
helper_now_and_then(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i % (2 * T) == 0)
      fetch(xs, x + i);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1] + i;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: helper_now_and_then: pipelined
// CHECK: single buffer, because 'xs' is stored under a condition that varies from iteration to

// What follows a jump comes under its condition.
__global__ void __launch_bounds__(T)
place_by_jump(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int last = 0;
    for (int j = 0; j < 4; ++j) {
      if (j * T > i)
        break;
      last = j;
    }
    xs[last * T + threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x] + xs[last * T + (threadIdx.x ^ 1)];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: place_by_jump: pipelined
// CHECK: single buffer, because which elements of 'xs' are stored varies from iteration to

__global__ void __launch_bounds__(T)
stored_by_jump(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j < 2; ++j) {
      if (i % (2 * T) != 0)
        break;
      xs[threadIdx.x] = x[i + threadIdx.x];
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 1] + i;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// One buffer is filled from registers, and those would have to jump as well.
// CHECK-LABEL: stored_by_jump: refused
// CHECK: a jump decides how much of a tile
// CHECK-NEXT: is stored (registers, because 'xs' is stored under a condition that varies from iteration to

struct Leaving {
  __device__ ~Leaving() { asm volatile("exit;"); }
};
__device__ void leave() { Leaving now; }
__global__ void __launch_bounds__(T)
some_left_by_assembly(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  xs[threadIdx.x] = 1;
  if (threadIdx.x >= 60)
    leave();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x & 31];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: some_left_by_assembly: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and not all threads of the

__global__ void __launch_bounds__(T)
by_statement(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float *second;
  ({ second = xs + (n & 1); });
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += second[threadIdx.x ^ 2];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: by_statement: pipelined
// CHECK: single buffer, because 'xs' is also used before the loop, and its address is stored there

// The bytes alone are an argument, which the macro uses for something else too;
// and one text that launches two kernels.
#define LAUNCH(k, bytes, arguments) (last_bytes = (bytes), k<<<1, T, bytes>>> arguments)
#define BOTH(launch)                                                           \
  namespace first {                                                            \
  void go(const float *x, float *y, int n) { launch; }                         \
  }                                                                            \
  namespace second {                                                           \
  void go(const float *x, float *y, int n) { launch; }                         \
  }
int last_bytes;
__global__ void __launch_bounds__(T)
bytes_apart(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run(const float *x, float *y, int n) { LAUNCH(bytes_apart, 256, (x, y, n)); }
namespace first {
__global__ void __launch_bounds__(T)
one_of_two(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
}
namespace second {
__global__ void one_of_two(const float *x, float *y, int) { y[0] = x[0]; }
}
BOTH((one_of_two<<<1, T, 256>>>(x, y, n)))
// CHECK-LABEL: bytes_apart: pipelined
// CHECK: single buffer, because its tiles are in dynamic shared memory, of which
// CHECK-NEXT: for more, and the launch in line {{[0-9]+}} is in a macro
// CHECK-LABEL: one_of_two: pipelined
// CHECK: single buffer, because its tiles are in dynamic shared memory, of which
// CHECK-NEXT: for more, and the launch in line {{[0-9]+}} is in a macro
