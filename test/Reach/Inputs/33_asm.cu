// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands without commas between them, and PTX's names with one percent sign.
#define LANE(Out) asm volatile("mov.u32 %0, %laneid;" : "=r"(Out))
struct Math {
  static __device__ int mad(int a, int b, int c) {
    int d, e;
    asm("{ .reg .pred %p; setp.ne.s32 %p, %2, 0;\n"
        "  mad.lo.s32 %0, %2, %3, %4; selp.s32 %1, 1, 0, %p; }"
        : "=r"(d)"=r"(e)
        : "r"(a)"r"(b) "r"(c));
    return d + e;
  }
};
__global__ void g(const int *x, int *y, int n) {
  __shared__ int xs[256];
  int t = threadIdx.x, s = 0; unsigned lane;
  LANE(lane);
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    s += Math::mad(xs[t ^ 1], k, lane);
    __syncthreads();
  }
  y[t] = s;
}
