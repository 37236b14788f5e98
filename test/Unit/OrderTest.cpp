// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order validator, see OrderFixture.h: what passes between the parts of a
// loop.
#include "OrderFixture.h"

namespace kpipe {

TEST_F(Order, KeepsWhatIsLegal) {
  for (unsigned Stages : {1u, 2u, 3u})
    expectIs("kept", Code(), {Stages});
  expectIs("kept", Code(), {2, Route::AsyncCopy});
  expectIs("kept", Code().barrierFirst());
}

TEST_F(Order, HeadersRunAhead) {
  expectLost(Code().header("int i = 0; i < limit[0]; i += T")
                 .compute("limit[0] = n;"));
  expectLost(Code().header("int i = 0; i < n; i += limit[0]")
                 .compute("limit[0] = T;"));
}

TEST_F(Order, RingsHoldTilesOnly) {
  expectLost(Code().compute("__syncthreads(); xs[threadIdx.x] = 0;"),
             "not by the copies");
  expectIs("kept", Code().compute("__syncthreads(); xs[threadIdx.x] = 0;"),
           {1});
  expectLost(Code().load("sum += xs[threadIdx.x];"
                         "xs[threadIdx.x] = x[i + threadIdx.x];"),
             "before its tile arrives");
  Code Once = Code().after("sum += xs[threadIdx.x];");
  expectIs("kept", Once);
}

TEST_F(Order, OtherNamesDoNotRunAhead) {
  expectLost(Code().before("int i; int &a = i;")
                 .header("i = 0; i < n; i += T")
                 .load("xs[threadIdx.x] = x[a + threadIdx.x];"),
             "another name");
  expectLost(Code().outside("__device__ void other();")
                 .before("int i; int *a = &i;")
                 .header("i = 0; i < n; i += T")
                 .compute("other(); sum += *a;"),
             "another name", {1});
  expectIs("kept", Code().before("int i;").header("i = 0; i < n; i += T"));
}

TEST_F(Order, LocalsBetweenTheParts) {
  const char *Through = "xs[threadIdx.x] = (t = x[i + threadIdx.x]);";
  auto with = [&](const char *Compute) {
    return Code().load(Through).compute(Compute);
  };
  expectIs("kept", with("t = xs[0]; sum += t;"));
  expectIs("kept", with("if (n > 3) { t = xs[0]; sum += t; }"));
  expectIs("kept", with("if (n > 3) t = 1; else t = 2; sum += t;"));
  for (const char *Exposed :
       {"sum += t;", "if (n > 3) t = xs[0]; sum += t;",
        "for (int j = 0; j < n; ++j) t = xs[j]; sum += t;",
        "while (sum > n) { t = 1; sum -= 1; } sum += t;",
        "n > 3 && (t = 1) > 0; sum += t;",
        "if (n > 3) t = 1; else sum += 1; sum += t;",
        "n > 3 ? t = 1 : sum += 1; sum += t;", "t += 1; sum += t;",
        "switch (n) { case 1: t = 1; } sum += t;",
        "auto f = [&] { sum += t; }; t = 1; f();", "t = t + 1; sum += t;",
        "{ auto f = [=] { return t; }; t = 1; sum += f(); }"})
    expectLost(with(Exposed));
}

TEST_F(Order, ElementsBetweenTheParts) {
  auto with = [](const char *Compute) {
    return Code().before("float r[2];")
        .load("xs[threadIdx.x] = (r[0] = x[i + threadIdx.x]);")
        .compute(Compute);
  };
  expectIs("kept", with("r[0] = xs[0]; sum += r[0];"));
  expectIs("kept", with("for (int j = 0; j < 2; ++j) r[j] = xs[j];"
                        "for (int j = 0; j < 2; ++j) sum += r[j];"));
  expectIs("kept", with("if (n > 3) r[0] = 1; else r[0] = 2; sum += r[0];"));
  for (const char *Exposed :
       {"sum += r[0];", "r[1] = 1; sum += r[0];",
        "if (n > 3) r[0] = 1; sum += r[0];",
        "if (n > 3) {} else r[0] = 1; sum += r[0];"})
    expectLost(with(Exposed), {2, Route::Registers, false, "k", false, true});
}

TEST_F(Order, TheHalfThatStores) {
  Code Place = Code().before("int at = 0;")
                   .load("xs[(at + threadIdx.x) % T] = x[i + threadIdx.x];"
                         "at = at + 1;");
  expectLost(Place);
  expectIs("kept", Place, {2, Route::AsyncCopy});
  Code Guard = Code().before("int at = 0;")
                   .load("if (at < 9) xs[threadIdx.x] = x[i + threadIdx.x];"
                         "at = at + 1;");
  expectLost(Guard);
  expectIs("kept", Guard, {2, Route::AsyncCopy});
  expectLost(Code().before("int at = 0;")
                 .load("for (int j = at; j < T; j += 32)"
                       "  xs[j] = x[i + j];"
                       "at = at + 1;"));
}

// A value that is not loaded is computed by the half that stores.
TEST_F(Order, ValuesOfTheHalfThatStores) {
  auto counted = [](const char *Value) {
    return Code().before("int at = 0; int &now = at;")
        .load("at = at + 1; xs[threadIdx.x] = x[i + threadIdx.x];"
              "zs[threadIdx.x] = " +
              std::string(Value) + ";")
        .compute("sum += zs[1];");
  };
  expectLost(counted("at"));
  expectLost(counted("now"));
}

// Which object a helper is called on is asked for by both halves.
TEST_F(Order, ObjectsThatHelpersAreCalledOn) {
  auto on = [](const char *Object, const char *Then) {
    return Code()
        .outside("struct Rows { const float *p;"
                 "  __device__ void fill(float (&s)[T], int i) const {"
                 "    s[threadIdx.x] = p[i + threadIdx.x]; } };"
                 "struct Turned { const float *p; int at;"
                 "  __device__ void fill(float (&s)[T], int i) const {"
                 "    s[(at + threadIdx.x) % T] = p[i + threadIdx.x]; } };")
        .before("Rows rows{x}; Turned turned[2] = {{x, 0}, {x, 1}};"
                "Turned *to = turned; int c = 0;")
        .load(std::string(Object) + "fill(xs, i);" + Then);
  };
  expectIs("kept", on("rows.", ""));
  expectIs("kept", on("turned[c].", ""));
  expectLost(on("turned[c].", "c = c ^ 1;"));
  expectLost(on("to->", "to = turned + 1;"));
  expectIs("kept", on("turned[c].", "c = c ^ 1;"), {2, Route::AsyncCopy});
}

TEST_F(Order, PointersToAStage) {
  auto with = [](const char *Load, const char *After) {
    return Code().before("float *r = zs;")
        .load(std::string(Load) + "xs[threadIdx.x] = x[i + threadIdx.x] + "
                                  "(r == zs);")
        .compute("r = xs + 1; sum += r[0];")
        .after(After);
  };
  auto made = [](const char *After) {
    return Code().before("float *r = zs;")
        .compute("r = xs + 1; sum += r[0];")
        .after(After);
  };
  expectIs("kept", made(""));
  expectLost(made("sum += r[1];"), "by a name that can mean a stage");
  expectLost(with("r = zs;", ""), "by a name that can mean a stage");
}

TEST_F(Order, StagesAreAligned) {
  auto rows = [](const char *Size) {
    return Code().compute("float4 v = *(float4 *)&xs[4]; sum += v.x;")
        .within("{ __shared__ __align__(16) float xs[" + std::string(Size) +
                    "];",
                "}");
  };
  expectIs("kept", rows("T + 4"));
  expectLost(rows("T + 1"), "no multiple");
  expectIs("kept", rows("T + 1"), {1});
}

TEST_F(Order, MemoryThatBothPartsUse) {
  Code Global = Code().load("xs[threadIdx.x] = p[i + threadIdx.x];")
                    .compute("q[i + threadIdx.x] = sum;");
  expectLost(Global);
  expectIs("kept", Global, {2, Route::Registers, /*NoAlias=*/true});
  Code Writes = Code().load("q[0] = 1; xs[threadIdx.x] = x[i + threadIdx.x];")
                    .compute("q[0] = sum;");
  expectLost(Writes, {2, Route::Registers, /*NoAlias=*/true});
  expectLost(Code().load("xs[threadIdx.x] = x[i + threadIdx.x];"
                         "zs[threadIdx.x] = 1;")
                 .compute("sum += zs[1]; __syncthreads(); zs[0] = 2;"));
  expectLost(Code().load("t = zs[0]; xs[threadIdx.x] = x[i] + t;")
                 .compute("zs[threadIdx.x] = sum;"));
  // A compound assignment reads as well.
  expectLost(Code().load("q[0] = 1; xs[threadIdx.x] = x[i + threadIdx.x];")
                 .compute("q[0] += sum;"),
             "the read of memory at 'q'");
}

} // namespace kpipe
