// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose rewrite needs more dynamic shared memory, with the search for
// launches switched off: their names in the text tell.
// RUN: env KPIPE_RULES_OFF=launches %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RULES --implicit-check-not=kpipe-launches
//
// What the note says helps.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop \
// RUN:   --launches=elsewhere --kernel=in_a_macro %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ELSEWHERE --implicit-check-not=warning:
// ELSEWHERE: remark: pipelined K-loop: 2 stages of xs
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --stages=1 --kernel=in_a_macro %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=warning:
// ONE: remark: pipelined K-loop: single buffer of xs
//
// With it, what it knows itself gets a single buffer.
// RULES-COUNT-5: single buffer of xs
// RULES: what names the kernel in line {{[0-9]+}} may launch it as before
// RULES: note: for two stages, launches of 'in_a_macro' have to ask for kpipe::staged_bytes<2>(bytes) {{.*}}: pass --launches=elsewhere and change the launches there
// RULES-COUNT-2: 2 stages of xs
//
// Who asks for stages gets these or nothing.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop --stages=2 \
// RUN:   --kernel=in_a_macro %s 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: warning: not pipelined: its kernel would need more dynamic shared memory, and what names the kernel in line {{[0-9]+}} may launch it as before, in this or another configuration [kpipe-launches]
// ASKED: note: change that launch by hand and say --launches=elsewhere, or say --stages=1

constexpr int T = 64;

__global__ void __launch_bounds__(T)
in_a_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and what names the kernel in line [[#@LINE+14]] may launch it as before, in this or another configuration
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void condition(const float *x, float *y, int n) {
#ifndef LATER
  in_a_condition<<<1, T, T * 4>>>(x, y, n);
#else
  in_a_condition<<<2, T, T * 4>>>(x, y, n);
#endif
}

__global__ void __launch_bounds__(T)
in_an_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: note: single buffer, {{.*}} in line [[#@LINE+12]] may launch it as before
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define NOTHING(k, ...)
void argument(const float *x, float *y, int n) {
  NOTHING(in_an_argument, x, y, n);
  in_an_argument<<<1, T, T * 4>>>(x, y, n);
}

__global__ void __launch_bounds__(T)
by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: note: single buffer, {{.*}} in line [[#@LINE+12]] may launch it as before
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void pointer(const float *x, float *y, int n) {
  by_pointer<<<1, T, T * 4>>>(x, y, n);
  decltype(&by_pointer) known[] = {by_pointer};
}

// Beside a launch that is changed, in one statement.
template <typename K> int launch_it(K kernel, const float *x, float *y) {
  kernel<<<1, T, T * 4>>>(x, y, T);
  return 0;
}
__global__ void __launch_bounds__(T)
beside(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: note: single buffer, {{.*}} in line [[#@LINE+11]] may launch it as before
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void both(const float *x, float *y, int n) {
  launch_it(beside, x, y), beside<<<1, T, T * 4>>>(x, y, n);
}

// A macro that is used where nobody looks.
__global__ void __launch_bounds__(T)
in_a_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: note: single buffer, {{.*}} in line [[#@LINE+10]] may launch it as before
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define MORE(...) in_a_macro<<<2, T, T * 4>>>(__VA_ARGS__)
void macro(const float *x, float *y, int n) {
  in_a_macro<<<1, T, T * 4>>>(x, y, n);
#ifdef LATER
  MORE(x, y, n);
#endif
}

// Everything of another meaning: members, variables, functions, labels; settings;
// what nobody reads; a macro that nobody uses.
__global__ void __launch_bounds__(T)
total(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Result {
  float total;
  Result() : total(0) {}
  float get() const { return total; }
  template <typename E> float with(E e) { return this->total + e.total; }
};
namespace other {
float total(float a);

} // namespace other
float sum_up(const float *x, int total) {
  auto twice = [total] { return 2 * total; };
  Result r;
  for (; total > 0; --total)
    r.total += other::total(x[total]) + twice();
  return r.total;
}
#define UNUSED total<<<1, T, T * 4>>>(nullptr, nullptr, 0)
#define TAKES(total) (total)
void run(const float *x, float *y, int n) {
  // The total<<<1, T, 4>>>(…) of a comment.
  cudaFuncSetAttribute(total, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  total<<<TAKES(1), T, T * 4>>>(x, y, n);
#if 0
  total<<<1, T, T * 4>>>(x, y, n);
#elif defined(LATER)
  print(sum_up(x, 1).total, total);
#endif
}

// One launch after the other, and a choice between two.
__global__ void __launch_bounds__(T)
all_changed(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  // CHECK: launches.cu:[[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int Blocks> void each(const float *x, float *y, int n) {
  n > 5 ? all_changed<<<Blocks, T, T * 4>>>(x, y, n)
        : all_changed<<<1, T, 4 * T>>>(x, y, n);
}
void run_each(const float *x, float *y, int n) { each<2>(x, y, n); }
