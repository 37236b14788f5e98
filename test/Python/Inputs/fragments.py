# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as CuPy and nvrtc get them, through kpipe in each form and nvrtc."""
import kpipe
import nvrtc

HEAD = """__global__ void __launch_bounds__(256)
gemm(const T *A, const T *B, T *C, int n) {"""
SHARED = "  __shared__ T As[16][16], Bs[16][16];"
BODY = """
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = T();
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
"""
# Four elements at once, a helper that loads, memory that the launch sizes, and
# a kernel that nvrtc itself would read otherwise than nvcc.
VECTORS = """extern "C" __global__ void __launch_bounds__(64)
sum(const float4 *x, float4 *y, int n) {
  __shared__ float4 xs[64];
  float4 total = make_float4(0, 0, 0, 0);
  for (int k0 = 0; k0 < n; k0 += 64) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      total.x += xs[j].x * xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = total;
}
"""
HELPER = """__device__ void load(float *xs, const float *x) { xs[threadIdx.x] = x[threadIdx.x]; }
extern "C" __global__ void __launch_bounds__(64)
sum(const float *x, float *y, int n) {
  extern __shared__ float xs[];
  float total = 0;
  for (int k0 = 0; k0 < n; k0 += 64) {
    load(xs, x + k0);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      total += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = total;
}
"""
OWN_TYPES = """#ifdef __CUDACC_RTC__
typedef unsigned int uint32_t;
#else
#include <cstdint>
#include <vector>
#endif
typedef uint32_t T;
extern "C" """ + HEAD + SHARED + BODY

FORMS = (["--variant=ldg"], ["--variant=cp-async", "--stages=3"],
         ["--variant=ldg", "--stages=4"], ["--schedule=guarded", "--pad=always"])


def check(kernel, forms=FORMS, expressions=(), **arguments):
    for form in forms:
        for runtime in ("inline", "include"):
            source, report = kpipe.rewrite(
                kernel, "sm_90", runtime=runtime, **arguments,
                options=form + ["--launches=elsewhere"])
            verdicts = [loop["archs"][0]["verdict"] for loop in report["loops"]]
            assert verdicts and set(verdicts) == {"pipelined"}, (form, report)
            headers = kpipe.headers() if runtime == "include" else {}
            ptx = nvrtc.compile_text(source, "compute_90", headers,
                                     expressions=expressions)
            assert ("cp.async" in ptx) == ("--variant=cp-async" in form), source


check('typedef float T;\nextern "C" ' + HEAD + SHARED + BODY)
check("template <typename T>\n" + HEAD + SHARED + BODY, FORMS[:2],
      instantiate=["gemm<float>", "gemm<double>"],
      expressions=["gemm<float>", "gemm<double>"])
check(VECTORS, FORMS[:3])
check(HELPER, FORMS[:3])
check(OWN_TYPES, FORMS[:1], flags=["-D__CUDACC_RTC__"])
