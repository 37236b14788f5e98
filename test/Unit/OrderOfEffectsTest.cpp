// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order validator, see OrderFixture.h: which memory a statement may touch.
#include "OrderFixture.h"

namespace kpipe {

/// What Do does to the memory at q conflicts with a load from p.
TEST_F(Order, EffectsOfStatements) {
  const char *Outside = R"(
struct S { float a; __device__ S(float *q) { q[0] = 1; } };
struct D { float *q; __device__ ~D() { q[0] = 1; } };
struct V { __device__ virtual void f(float *q) { } };
struct B { float *q; __device__ void set() { q[0] = 1; }
           __device__ B &operator=(float v) { q[0] = v; return *this; } };
__device__ float count(float *q) { return q[0]++; }
__device__ float named(float *q, float v = 1) { q[0] = v; return v; }
__device__ float twice(float *q) { return named(q); }
__device__ float *id(float *q) { return q; }
__device__ void other();
__device__ float g[64];
)";
  for (const char *Do :
       {"q[0] = 1;", "q[0] += 1;", "q[0]++;", "--q[0];", "S s(q); sum += s.a;",
        "D d{q}; sum += 1;", "V *v = (V *)q; v->f(q);", "B b{q}; b.set();",
        "B b{q}; b = 3;", "sum += count(q);", "named(q);", "twice(q);",
        "id(q)[0] = 1;", "other();", "atomicAdd(q, 1.0f);",
        "asm volatile(\"st.global.f32 [%0], %1;\" :: \"l\"(q), \"f\"(sum) : "
        "\"memory\");",
        "asm volatile(\"foo.bar;\");", "float *r = q; *r = 1;",
        "float *r; r = q; r[1] = 1;", "float &r = *q; r = 1;",
        "float *r = x ? q : y; r[0] = 1;", "float *r = (n, q + 1); *r = 2;",
        "auto f = [&] { q[0] = 1; }; f();", "g[1] = 2;", "(*(q + 1)) = 1;",
        "*q++ = 1;", "struct P { float *a; } s{q}; s.a[0] = 1;"})
    expectLost(Code().outside(Outside)
                   .load("xs[threadIdx.x] = p[i + threadIdx.x];")
                   .compute(Do));
  for (const char *Do : {"sum += p[0];", "t = 1;",
                         "sum += sizeof(q[0]);", "sum += fmaxf(sum, 1);",
                         "sum += __shfl_sync(~0u, sum, 1);",
                         "float own[2]; own[0] = sum; sum += own[0];",
                         "sum += __ldcg(q);", "zs[0] = 1;"})
    expectIs("kept", Code().outside(Outside)
                         .load("xs[threadIdx.x] = p[i + threadIdx.x];")
                         .compute(Do));
}

TEST_F(Order, EffectsOfLoads) {
  for (const char *Value :
       {"q[i]", "read(q)", "arg()", "W{q}.get()", "*&q[1]", "__ldcg(q + i)",
        "(q[1] += 1)", "at(q)", "table[1]"})
    expectLost(Code().outside("__device__ float table[64];"
                              "__device__ float at(float *p) { return *p; }"
                              "__device__ float read(const float *q) {"
                              "  float a = q[0]; return a; }"
                              "__device__ float arg(float v = table[0]) {"
                              "  return v; }"
                              "struct W { float *q;"
                              "  __device__ float get() { return *q; } };")
                   .load("xs[threadIdx.x] = x[i + threadIdx.x] + " +
                         std::string(Value) + ";")
                   .compute("p[0] = sum; table[0] = sum; q[0] = sum;"));
}

TEST_F(Order, WhatMayBeTheSame) {
  auto pair = [](const char *Read, const char *Write, const char *Outside = "",
                 const char *Before = "") {
    return Code().outside(Outside).before(Before).load(
        "xs[threadIdx.x] = x[i + threadIdx.x] + " + std::string(Read) + ";")
        .compute(Write);
  };
  expectLost(pair("p[i]", "q[i] = 1;"));
  expectIs("kept", pair("x[i + 1]", "q[i] = 1;"));
  expectIs("after", pair("p[i]", "y[i] = 1;"));
  expectLost(pair("y[i + 1]", "y[i] = 1;"));
  const char *Globals = "__device__ float g[64], h[64]; __constant__ float c[4];"
                        "__device__ float *pointers[4];"
                        "extern __shared__ float da[];"
                        "extern __shared__ int db[];";
  expectLost(pair("g[i]", "g[0] = 1;", Globals));
  expectIs("kept", pair("g[i]", "h[0] = 1;", Globals));
  expectLost(pair("g[i]", "p[0] = 1;", Globals));
  expectIs("after", pair("g[i]", "y[0] = 1;", Globals));
  expectIs("kept", pair("c[0]", "p[0] = 1;", Globals));
  expectLost(pair("pointers[0][i]", "p[0] = 1;", Globals));
  expectLost(pair("pointers[0][i]", "g[0] = 1;", Globals));
  const char *Held = "__constant__ float *held[4];";
  expectLost(pair("held[0][i]", "p[0] = 1;", Held));
  expectIs("after", pair("held[0][i]", "y[0] = 1;", Held));
  expectLost(pair("da[1]", "db[0] = 1;", Globals));
  expectLost(pair("zs[1]", "zs[0] = 1;"));
  expectIs("kept", pair("da[1]", "zs[0] = 1;", Globals));
  expectIs("kept", pair("p[i]", "zs[0] = 1;"));
  expectLost(pair("zs[1]", "asm volatile(\"st.shared.f32 [%0], %1;\" :: "
                           "\"r\"(n), \"f\"(sum) : \"memory\");"));
  // No ring, which nobody else may write: as for any other array.
  const char *Named = "asm volatile(\"st.shared.f32 [%0], %1;\" :: "
                      "\"r\"(n), \"f\"(sum) : \"memory\");";
  expectLost(pair("zs[1]", Named), {1});
  // An address that is made of a number may be any.
  const char *Number = "long bits = (long)p;";
  expectLost(pair("*(float *)bits", "zs[0] = 1;", "", Number));
  expectIs("kept", pair("*(float *)bits", "t = sum;", "", Number));
  expectLost(pair("*(float *)bits", "t = sum;", "", "long bits = (long)&t;"));
  expectLost(pair("r[1]", "zs[0] = 1;", "", "float *r = zs;"));
  expectLost(pair("r[1]", "zs[0] = 1;", "", "float (&r)[T] = zs;"));
  expectLost(pair("r[1]", "zs[0] = 1;", "", "float *r = x ? y : zs;"));
  expectLost(pair("r[1]", "zs[0] = 1;", "", "float *r = y; r = zs;"));
  expectLost(pair("r.a[1]", "zs[0] = 1;", "struct R { float *a; };",
                  "R r{zs};"));
  expectLost(pair("pick()[1]", "zs[0] = 1;", "",
                  "auto pick = [&]() -> float * { return zs; };"));
  // What is not known may be even what a pointer is promised alone.
  expectLost(Code().outside("__device__ void other();").compute("other();"),
             {1});
  // A kept promise is the outermost block's.
  expectIs("kept", pair("r[i]", "q[0] = 1;", "", "float *__restrict__ r = p;"));
  expectLost(pair("r[i]", "q[0] = 1;", "", "float *r = p;"));
  expectLost(Code().load("float *__restrict__ r = p + i;"
                         "xs[threadIdx.x] = r[threadIdx.x];")
                 .compute("q[0] = 1;"));
}

// An object holds what it, its parts, and what it is copied from are given.
TEST_F(Order, PointersThatObjectsHold) {
  const char *Class = "struct R { float *a; int n; };"
                      "struct Two { R x, y; };"
                      "union Either { float *a; long bits; };"
                      "struct Over { Either e; };"
                      "__device__ R make(float *a) { return {a, 1}; }"
                      "__device__ void give(R &r, float *a) { r.a = a; }"
                      "__device__ float get(R r) { return r.a[1]; }"
                      "struct Name { R &r; };"
                      "struct Giver { R &r;"
                      "  __device__ R &get() { return r; } };"
                      "struct Setter { R &r;"
                      "  __device__ void set(float *a) { r.a = a; } };"
                      "struct Outer { R &r; __device__ void set(float *a) {"
                      "  Setter s{r}; s.set(a); } };"
                      "template <typename F> struct Both { F f; float *a; };"
                      "template <typename F>"
                      "__device__ Both<F> both(F f, float *a) {"
                      "  return {f, a}; }";
  auto held = [&](const char *Read, const char *Before) {
    return Code().outside(Class).before(Before).load(
        "xs[threadIdx.x] = x[i + threadIdx.x] + " + std::string(Read) + ";")
        .compute("zs[0] = 1;");
  };
  expectIs("kept", held("r.a[1]", "R r; r.a = p;"));
  expectLost(held("r.a[1]", "R r; r.a = zs;"));
  expectIs("kept", held("r.a[1]", "R r = {p}; r.n = 2; r.a += 1;"));
  expectIs("kept", held("r.a[1]", "R r = make(p);"));
  expectLost(held("r.a[1]", "R r = make(zs);"));
  expectLost(held("make(zs).a[1]", ""));
  expectIs("kept", held("make(p).a[1]", ""));
  expectIs("kept", held("get(r)", "R r = make(p);"));
  expectLost(held("get(r)", "R r = make(zs);"));
  expectLost(held("get(make(zs))", ""));
  expectIs("kept", held("u.y.a[1]", "R r = make(p); Two u = {r, make(p)};"));
  expectLost(held("u.y.a[1]", "R r = make(zs); Two u = {make(p), r};"));
  expectLost(held("u.y.a[1]", "R r = make(zs); Two u; u.y = r;"));
  expectLost(held("r.a[1]", "R a{p}, b{zs}; R r = n ? a : b;"));
  expectLost(held("r.a[1]", "R r = n ? make(p) : make(zs);"));
  expectLost(held("r.a[1]", "R r = n ? make(zs) : make(p);"));
  expectLost(held("r.a[1]", "R r = make(p); give(r, zs);"));
  expectLost(held("r.a[1]", "R r; R &s = r; s.a = zs;"));
  expectLost(held("r.a[1]", "R r; float **at = &r.a; *at = zs;"));
  expectLost(held("r.a[1]", "R r; long b = (long)p; r.a = (float *)b;"));
  expectLost(held("u.e.a[1]", "Over u; u.e.bits = (long)p;"));
  expectIs("kept", held("r.a[1]", "R r{p}; Name m{r};"));
  expectLost(held("r.a[1]", "R r{p}; Giver m{r}; m.get().a = zs;"));
  expectLost(held("r.a[1]", "R r{p}; Setter m{r}; m.set(zs);"));
  expectLost(held("r.a[1]", "R r{p}; Outer m{r}; m.set(zs);"));
  // What a closure has captured is a part of the object that it is in.
  auto closure = [&](const char *Of) {
    return held("b.a[1]", ("float *s = " + std::string(Of) +
                           "; auto f = [=]() { return s; };"
                           "auto b = both(f, p);")
                              .c_str());
  };
  expectIs("kept", closure("q"));
  expectLost(closure("zs"));
  expectLost(held("pick()", "R r{zs}; auto pick = [=]() { return r.a[1]; };"));
  expectIs("kept",
           held("pick()", "R r{p}; auto pick = [=]() { return r.a[1]; };"));
}

} // namespace kpipe
