// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order validator, see OrderFixture.h: what stands around a loop, in its
// function and in its callers.
#include "OrderFixture.h"

namespace kpipe {

TEST_F(Order, BarriersAround) {
  const char *Use = "sum += xs[threadIdx.x ^ 3];";
  const char *Set = "xs[threadIdx.x] = 1;";
  const char *Sync = "__syncthreads();";
  expectIs("before", Code().before(Use).barrierFirst());
  expectIs("kept", Code().before(std::string(Use) + Sync).barrierFirst());
  expectIs("kept", Code().before("sum += zs[0];").barrierFirst());
  // What a header does first is in front of the loop.
  auto begins = [](const std::string &With) {
    return Code().header("int i = " + With + "; i < n; i += T").barrierFirst();
  };
  expectIs("before", begins("xs[1]"));
  expectIs("kept", begins("zs[1]"));
  expectIs("after", Code().after(Set));
  expectIs("kept", Code().after(std::string(Sync) + Set));
  expectIs("kept", Code().after("zs[threadIdx.x] = 1;"));
  expectIs("after", Code().after("if (n > 3) { __syncthreads(); }" +
                                 std::string(Set)));
  expectIs("after", Code().after("auto f = [&] { zs[0] = 1; }; xs[0] = 2;"));
}

TEST_F(Order, LoopsAround) {
  expectIs("after", Code().within("for (int o = 0; o < n; ++o) {", "}"));
  expectIs("kept", Code().within("for (int o = 0; o < n; ++o) {",
                                 "__syncthreads(); }"));
  expectIs("after", Code().within("while (n-- > 0) {", "}"));
  expectIs("after", Code().within("again:", "if (n-- > 0) goto again;"));
  expectIs("after", Code().within("switch (n) { case 1:", "xs[0] = 1; }"));
  // What the loop around does between two turns.
  expectIs("after",
           Code().within("for (int o = 0; o < n; xs[0] = o, ++o) {"
                         "__syncthreads();",
                         "}"));
  expectIs("after", Code().within("do { __syncthreads();",
                                  "} while ((xs[0] = sum) > 3);"));
  expectIs("after", Code().within("while ((xs[0] = sum) > 3) {"
                                  "__syncthreads();",
                                  "}"));
  expectIs("before", Code().barrierFirst().within(
                         "if (xs[threadIdx.x ^ 1] > 3) {", "}"));
  expectIs("before", Code().barrierFirst().within(
                         "for (int o = xs[1]; o < n; ++o) {",
                         "__syncthreads(); }"));
  expectIs("after",
           Code().barrierFirst().within("for (int o = 0; o < n; ++o) {", "}"));
  expectIs("after", Code().within("for (int o : {1, 2, 3}) { sum += o;", "}"));
  // Clang makes no graph of a function with such a condition.
  expectIs("after", Code().within("while (({ if (n == 7) continue; n-- > 0; }))"
                                  "{",
                                  "}"));
}

const char Device[] = R"(
constexpr int T = 32;
__device__ float d(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *x, float *y, int n) {
)";

TEST_F(Order, Callers) {
  auto called = [&](const char *Wanted, const std::string &Body) {
    Cases.push_back({Device + Body + "}\n",
                     Body,
                     {"=" + std::string(Wanted)},
                     {2, Route::Registers, false, "d"}});
  };
  called("kept", "y[0] = d(x, n);");
  called("after", "y[0] = d(x, n); y[1] = d(x, n);");
  called("kept", "y[0] = d(x, n); __syncthreads(); y[1] = d(x, n);");
  called("after", "for (int o = 0; o < n; ++o) y[o] = d(x, n);");
  called("after", "auto *f = d; y[0] = f(x, n);");
  called("after", "y[0] = d(x, n); auto *f = d; y[1] = f(x, n);");
  called("after", "y[0] = d(x, n) + d(x, 2 * n);");
  // The calls that are seen do nothing behind; who else calls?
  called("after", "y[0] = d(x, n); }"
                  "__device__ float (*table)(const float *, int) = d;"
                  "__device__ void another() {");
  auto ahead = [&](const char *Wanted, const std::string &Body) {
    Cases.push_back({R"(
constexpr int T = 32;
__device__ float d(const float *x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
  }
  return sum;
}
__global__ void k(float *x, float *y, int n) {
)" + Body + "}\n",
                     Body,
                     {"=" + std::string(Wanted)},
                     {2, Route::Registers, false, "d"}});
  };
  ahead("kept", "float v = d(x, n);");
  ahead("before", "x[threadIdx.x] = 1; float v = d(x, n);");
  ahead("kept", "x[threadIdx.x] = 1; __syncthreads(); float v = d(x, n);");
}

TEST_F(Order, ParametersAreWholeArrays) {
  auto given = [&](const char *Arrays, const char *Argument) {
    Cases.push_back({R"(
constexpr int T = 32;
__device__ float d(const float *__restrict__ x, float (&xs)[T], int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  return sum;
}
__global__ void k(const float *x, float *y, int n) {
  __shared__ float )" + std::string(Arrays) + ";\n  y[0] = d(x, " + Argument +
                         ", n);\n}\n",
                     Argument,
                     {"=kept"},
                     {2, Route::Registers, false, "d", true}});
  };
  given("a[T]", "a");
  given("a[3][T]", "a[1]");
  Cases.back().Wanted = {"is another size than a stage"};
}

TEST_F(Order, BarriersInCallees) {
  const char *Outside = "__device__ void sync() { __syncthreads(); }"
                        "__device__ void maybe(int n) {"
                        "  if (n > 3) __syncthreads(); }";
  auto with = [&](const char *Compute) {
    return Code().outside(Outside).compute(Compute);
  };
  expectIs("kept", with("zs[threadIdx.x] = sum; sync(); sum += zs[1];"));
  expectIs("kept", Code().outside("__device__ float both() {"
                                  "  __syncthreads(); return 1; }")
                       .compute("zs[threadIdx.x] = sum; sum += both();"
                                "sum += zs[1];"));
  expectIs("kept", Code().outside(Outside).after("sync(); xs[0] = 1;"));
  expectIs("after", Code().outside(Outside).after("maybe(n); xs[0] = 1;"));
  expectIs("kept", Code().outside(Outside).barrierFirst().before(
                       "sum += xs[1]; sync();"));
  expectIs("before", Code().outside(Outside).barrierFirst().before(
                         "sum += xs[1]; maybe(n);"));
  // Of a callee, what stands before its barrier counts, what stands behind
  // does not.
  expectIs("kept", Code().outside("__device__ void late(float *s) {"
                                  "  __syncthreads(); s[0] = 1; }")
                       .after("late(xs);"));
  expectIs("after", Code().outside("__device__ void early(float *s) {"
                                   "  s[0] = 1; __syncthreads(); }")
                        .after("early(xs);"));
}

} // namespace kpipe
