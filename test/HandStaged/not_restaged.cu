// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look as if they had two buffers, and of which it is not proved that
// one stage would read the same: each is legal or has a mistake, and keeps its
// author's stages with what is missing for a reason.
//
// RUN: %kpipe rewrite --restage --verbose --arch=sm_86 %s -o %t.cu 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="pipelined K-loop"
// RUN: diff %s %t.cu

#include <cstdint>

#define CP_ASYNC(dst, src)                                                     \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(             \
                   static_cast<uint32_t>(__cvta_generic_to_shared(dst))),      \
               "l"(src))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT_ALL() asm volatile("cp.async.wait_all;\n" ::: "memory")
#define CP_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int T = 128;

// The tile in front of the loop is the second one.
// CHECK: :[[#@LINE+5]]:3: note: its author's stages stay: {{.*}}: this is not the copy of the first tile
__global__ void copies_another_first_tile(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[T + threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// It goes to the buffer that the first turn does not read.
// CHECK: :[[#@LINE+14]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void first_tile_to_other_buffer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[1][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The condition lets the last turn copy behind the end.
// CHECK: :[[#@LINE+10]]:9: note: its author's stages stay: {{.*}}: the copies' condition is not the loop's own for the next turn
__global__ void one_tile_too_far(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The last tile is never copied.
// CHECK: :[[#@LINE+10]]:9: note: its author's stages stay: {{.*}}: the copies' condition is not the loop's own for the next turn
__global__ void one_tile_short(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + 2 * T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The copy in the loop is that of the tile after the next.
// CHECK: :[[#@LINE+11]]:7: note: its author's stages stay: {{.*}}: this is not the copy of the next tile
__global__ void two_tiles_ahead(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + 2 * T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The copy goes to the buffer of its own turn.
// CHECK: :[[#@LINE+9]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void to_the_buffer_that_is_read(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+9]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void reads_the_other_buffer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage ^ 1][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+9]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void never_flips(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+9]]:3: note: its author's stages stay: no statement at the top of its body waits for all copies
__global__ void no_wait(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_GROUP(1);
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The wait comes first, and the first read before it.
// CHECK: :[[#@LINE+10]]:12: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void waits_behind_the_read(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    sum += s[stage][0];
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// What is not committed is not waited for.
// CHECK: :[[#@LINE+13]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void no_commit(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_GROUP(0);
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The barrier shows what each thread has not waited for yet.
// CHECK: :[[#@LINE+9]]:3: note: its author's stages stay: no statement at the top of its body waits for all copies
__global__ void barrier_before_the_wait(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    __syncthreads();
    CP_WAIT_ALL();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The last buffer is used once more.
// CHECK: :[[#@LINE+19]]:26: note: its author's stages stay: 's' is used here as well, beside the copies in front of the loop and what the loop reads
__global__ void reads_behind_the_loop(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum + s[stage][0];
}

// Only the last turn leaves elements as they were.
// CHECK: :[[#@LINE+9]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void elements_by_turn(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      if (k + threadIdx.x < 1000)
        CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The source advances beside the counter.
// CHECK: :[[#@LINE+9]]:3: note: its author's stages stay: {{.*}}: 'x', which the copies use, changes between two of them
__global__ void pointer_moves(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    x += 0;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+9]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void writes_a_buffer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    s[stage][threadIdx.x] += 1;
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// What is copied first may be what is stored then.
// CHECK: :[[#@LINE+9]]:3: note: its author's stages stay: {{.*}}: this stands between the first copies and the loop, and the copies may depend on it
__global__ void stores_in_between(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  y[threadIdx.x] = 0;
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The barrier in front of the loop shows another array.
// CHECK: :[[#@LINE+5]]:3: note: its author's stages stay: {{.*}}: other threads may need a barrier in front of the loop to see this
__global__ void shown_by_the_barrier(const float *x, float *y, int n) {
  __shared__ float s[2][T], scale[T];
  float sum = 0;
  int stage = 0;
  scale[threadIdx.x] = y[threadIdx.x];
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * scale[j];
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+14]]:7: note: its author's stages stay: {{.*}}: a break, return, goto or continue leaves its body
__global__ void leaves_early(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    if (sum > 1e6f)
      break;
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+10]]:5: note: its author's stages stay: what it copies to is not declared in this function as '__shared__ T name[2]
__global__ void three_buffers(const float *x, float *y, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[(stage + 1) % 3][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage = (stage + 1) % 3;
  }
  y[threadIdx.x] = sum;
}

// Of one operand the other buffer is read.
// CHECK: :[[#@LINE+10]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void one_operand_of_another_turn(const float *x, const float *z, float *y, int n) {
  __shared__ float s[2][T], r[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_ASYNC(&r[0][threadIdx.x], &z[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_ASYNC(&r[stage ^ 1][threadIdx.x], &z[k + T + threadIdx.x]);
    }
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * r[stage ^ 1][j];
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The copy of one operand goes to the buffer that is read.
// CHECK: :[[#@LINE+17]]:28: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void one_copy_to_another_buffer(const float *x, const float *z, float *y, int n) {
  __shared__ float s[2][T], r[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_ASYNC(&r[0][threadIdx.x], &z[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n) {
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_ASYNC(&r[stage][threadIdx.x], &z[k + T + threadIdx.x]);
    }
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * r[stage][j];
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// An address is kept past the barrier behind which others may copy.
// CHECK: :[[#@LINE+10]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it
__global__ void address_is_kept(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const float *last = nullptr;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    if (last)
      sum += last[threadIdx.x ^ 1];
    last = s[stage];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The condition is stated of unsigned numbers, where a step may wrap around.
// CHECK: :[[#@LINE+10]]:9: note: its author's stages stay: {{.*}}: the copies' condition is not the loop's own for the next turn
__global__ void step_wraps(const float *x, float *y, unsigned n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  CP_WAIT_ALL();
  __syncthreads();
  for (unsigned k = 0; k < n; k += T) {
    if (k < n - T)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}
