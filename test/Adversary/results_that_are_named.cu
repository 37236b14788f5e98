// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assignment is the variable that it sets: its result makes a second name,
// and so does a member that is a reference, in a list. The compute adds to the
// variable by that name; the load of the next tile reads it. The source is read
// by __ldg, so that a store which cannot be traced is no alias of it.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu 2>/dev/null
// RUN: %execute --flag=-I%S %s %t.cu

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define START                                                                  \
  __shared__ float xs[T];                                                      \
  float sum = 0;
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * ((j ^ threadIdx.x) & 7);

// What a result is bound to. An array of pointers is not followed.
struct Refers {
  float &r;
};
struct RefersTwice {
  Refers to[1];
  float w;
};
BEGIN(list_assigns) {
  START
  float a;
  Refers g{a = 0};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_names) {
  START
  float a = 0;
  Refers g{a};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_steps) {
  START
  float a = 0;
  Refers g{++a};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_adds) {
  START
  float a = 0;
  Refers g{a += 1};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_in_list) {
  START
  float a;
  RefersTwice g{{{a = 0}}, 1};
  float *ps[1] = {&g.to[0].r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_elided) {
  START
  float a;
  RefersTwice g{a = 0, 1};
  float *ps[1] = {&g.to[0].r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_chooses) {
  START
  float a = 0;
  Refers g{n ? a : a};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_comma) {
  START
  float a = 0;
  Refers g{(n, a)};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_assignment) {
  START
  float a;
  float *ps[1] = {&(a = 0)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_step) {
  START
  float a = 0;
  float *ps[1] = {&++a};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_sum) {
  START
  float a = 0;
  float *ps[1] = {&(a += 1)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_comma) {
  START
  float a = 0;
  float *ps[1] = {&(n, a = 1)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_choice) {
  START
  float a = 0;
  float *ps[1] = {&(n ? a = 1 : a)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_chain) {
  START
  float a;
  float *ps[1] = {&((a = 1) = 0)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(bound_result) {
  START
  float a;
  float &r = (a = 0);
  float *ps[1] = {&r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(bound_step) {
  START
  float a = 0;
  auto &&r = ++a;
  float *ps[1] = {&r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Pair {
  float s, t;
};
BEGIN(of_object) {
  START
  Pair a;
  float *ps[1] = {&(a = Pair{1, 2}).s};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a.s;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(bound_object) {
  START
  Pair a;
  Pair &r = (a = Pair{1, 2});
  float *ps[1] = {&r.s};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a.s;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The pointer goes by another name, and so what it points to.
BEGIN(of_pointer) {
  START
  float a = 0;
  float b = 0;
  float *p;
  float *&q = (p = &b);
  q = &a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Points {
  float *p;
};
BEGIN(of_member) {
  START
  float a = 0;
  float b = 0;
  Points v{&b};
  float *&q = (v.p = &b);
  q = &a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *v.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_whole) {
  START
  float a = 0;
  float b = 0;
  Points v{&b};
  Points &q = (v = Points{&b});
  q.p = &a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *v.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Neighbours: nothing has a name for the number that the load reads.
BEGIN(result_legal) {
  START
  float a;
  float o;
  (a = 0, o = 0);
  float *ps[1] = {&(o = a = 1)};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(step_legal) {
  START
  float a = 0;
  float o = ++a;
  n ? a += 1 : a -= 1;
  float *ps[1] = {&o};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(list_legal) {
  START
  float a = 0;
  float o = 0;
  Refers g{o = a += 1};
  float *ps[1] = {&g.r};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(list_assigns)
TILES(list_names)
TILES(list_steps)
TILES(list_adds)
TILES(list_in_list)
TILES(list_elided)
TILES(list_chooses)
TILES(list_comma)
TILES(of_assignment)
TILES(of_step)
TILES(of_sum)
TILES(of_comma)
TILES(of_choice)
TILES(of_chain)
TILES(bound_result)
TILES(bound_step)
TILES(of_object)
TILES(bound_object)
TILES(of_pointer)
TILES(of_member)
TILES(of_whole)
TILES(result_legal)
TILES(step_legal)
TILES(list_legal)
#endif
