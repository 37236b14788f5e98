// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order validator by itself: loops are planned without asking the rules, so
// that nothing but it can object.
#include "Recognition/Recognition.h"
#include "Validation/OrderValidator.h"
#include "kpipe/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

/// A kernel with one loop, in parts.
struct Code {
  std::string Outside, Before;
  std::string Header = "int i = 0; i < n; i += T";
  std::string Load = "xs[threadIdx.x] = x[i + threadIdx.x];";
  std::string Compute = "sum += xs[threadIdx.x ^ 1];";
  std::string After;
  /// The loop has its second barrier first.
  bool BarrierFirst = false;
  /// Around the loop.
  std::string Open, Close;

  Code &outside(std::string S) { return Outside = std::move(S), *this; }
  Code &before(std::string S) { return Before = std::move(S), *this; }
  Code &header(std::string S) { return Header = std::move(S), *this; }
  Code &load(std::string S) { return Load = std::move(S), *this; }
  Code &compute(std::string S) { return Compute += std::move(S), *this; }
  Code &after(std::string S) { return After = std::move(S), *this; }
  Code &barrierFirst() { return BarrierFirst = true, *this; }
  Code &within(std::string A, std::string B) {
    return Open = std::move(A), Close = std::move(B), *this;
  }

  std::string loop() const {
    return Open + "for (" + Header + ") {\n" +
           (BarrierFirst ? "__syncthreads();\n" : "") + Load +
           "\n__syncthreads();\n" + Compute + "\n" +
           (BarrierFirst ? "" : "__syncthreads();\n") + "}\n" + Close;
  }
  std::string text() const {
    return "constexpr int T = 32;\n" + Outside +
           "\n__global__ void __launch_bounds__(T)\n"
           "k(const float *__restrict__ x, float *__restrict__ y, float *p,\n"
           "  float *q, int *limit, int n) {\n__shared__ float xs[T];\n"
           "__shared__ float zs[T];\nfloat sum = 0, t = 0;\n" +
           Before + "\n" + loop() + After + "\ny[threadIdx.x] = sum;\n}\n";
  }
};

struct Way {
  unsigned Stages = 2;
  Route Copies = Route::Registers;
  bool NoAlias = false;
  std::string Function = "k";
  /// The analysis says that a parameter is the array that a call names.
  bool GivenWhole = false;
  /// The analysis says that no variable has to be the load's own.
  bool NonePrivate = false;
};

/// Whatever part of an array a call gives, the whole is said to be given.
void claimGiven(TileLoop &Tile, const CodeIndex &Index) {
  for (StagedBuffer &B : Tile.Buffers) {
    const auto *P = llvm::dyn_cast<clang::ParmVarDecl>(B.Var);
    if (!P)
      continue;
    B.NoRing = {};
    B.Given.clear();
    for (const CodeIndex::Call &C : Index.callsOf(Tile.Function)) {
      const clang::Expr *E = C.At->getArg(P->getFunctionScopeIndex());
      while (const auto *A = llvm::dyn_cast<clang::ArraySubscriptExpr>(
                 E->IgnoreParenImpCasts()))
        E = A->getBase();
      const auto *D = llvm::cast<clang::DeclRefExpr>(E->IgnoreParenImpCasts());
      const auto *Array = llvm::cast<clang::VarDecl>(D->getDecl());
      B.Given.push_back({C.At, C.In, Array});
      B.Bytes = Index.context()
                    .getTypeSizeInChars(Array->getType())
                    .getQuantity();
    }
  }
}

/// "kept"; the barriers that the output needs; or what is lost.
std::string verdict(clang::ASTContext &Context, const CallIndex &Calls,
                    const CodeIndex &Index, const clang::FunctionDecl *F,
                    const Way &W) {
  auto In = std::make_shared<Scope>(Context, F, &Calls);
  auto Loops = findCandidates(F, *In);
  if (Loops.size() != 1)
    return "not one loop";
  LoopFacts Facts = recognise(Loops.front(), In);
  if (!Facts.IsTileLoop)
    return "no tile loop: " + Facts.Obstacles.front().Why.str();
  PipelinePlan Plan;
  Plan.Buffers = W.Stages;
  for (unsigned I = 0; I != Facts.Tile.Copies.size(); ++I)
    Plan.Copies.push_back({W.Copies, {}});
  // What the analysis asks for is not believed.
  Facts.Tile.BarrierFirst = false;
  Facts.Tile.BarrierBefore = Facts.Tile.BarrierAfter = false;
  if (W.NonePrivate)
    Facts.Tile.PrivateToLoad.clear();
  if (W.GivenWhole)
    claimGiven(Facts.Tile, Index);
  OrderVerdict V = validateOrder(Facts.Tile, Plan, Index, W.NoAlias);
  if (V.Violation)
    return V.Violation->What.str();
  return V.BarrierBefore && V.BarrierAfter ? "before, after"
         : V.BarrierBefore                 ? "before"
         : V.BarrierAfter                  ? "after"
                                           : "kept";
}

/// What a test expects is collected and looked at in one parse.
class Order : public testing::Test {
protected:
  struct Case {
    std::string Text, Shown;
    std::vector<std::string> Wanted; ///< one of them is in the verdict
    Way W;
  };
  std::vector<Case> Cases;

  static std::string shown(const Code &C) {
    return C.Before + " | " + C.Open + " | " + C.Header + " | " + C.Load +
           " | " + C.Compute + " | " + C.Close + " | " + C.After;
  }
  void expectLost(const Code &C, const char *Said, Way W = {}) {
    Cases.push_back({C.text(), shown(C), {Said}, W});
  }
  void expectLost(const Code &C, Way W = {}) {
    Cases.push_back(
        {C.text(), shown(C),
         {"would run after", "would be lost", "not by the copies"}, W});
  }
  void expectIs(const char *Wanted, const Code &C, Way W = {}) {
    Cases.push_back({C.text(), shown(C), {"=" + std::string(Wanted)}, W});
  }

  void TearDown() override {
    llvm::SmallString<128> Path;
    int Descriptor;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor, Path));
    {
      llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
      for (unsigned I = 0; I != Cases.size(); ++I)
        OS << "namespace c" << I << " {\n" << Cases[I].Text << "}\n";
    }
    auto Unit = llvm::cantFail(parseUnit(Path, "sm_86", {}));
    llvm::sys::fs::remove(Path);
    for (const ParseError &E : Unit->errors())
      ADD_FAILURE() << E.Message << " in line " << E.Where.Line;
    clang::ASTContext &Context = Unit->context();
    CallIndex Calls = indexCalls(Context);
    CodeIndex Index(Context);
    unsigned Seen = 0;
    for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls()) {
      const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(D);
      unsigned I = 0;
      if (!Space || !Space->getName().starts_with("c") ||
          Space->getName().drop_front().getAsInteger(10, I))
        continue;
      for (const clang::Decl *One : Space->decls()) {
        const auto *F = llvm::dyn_cast<clang::FunctionDecl>(One);
        if (!F || !F->doesThisDeclarationHaveABody() ||
            F->getNameAsString() != Cases[I].W.Function)
          continue;
        ++Seen;
        std::string V = verdict(Context, Calls, Index, F, Cases[I].W);
        EXPECT_TRUE(llvm::any_of(Cases[I].Wanted,
                                 [&](const std::string &Wanted) {
                                   return Wanted[0] == '='
                                              ? V == Wanted.substr(1)
                                              : V.find(Wanted) != V.npos;
                                 }))
            << "CASE " << V << ", not " << Cases[I].Wanted.front() << ": "
            << Cases[I].Shown;
      }
    }
    EXPECT_EQ(Seen, Cases.size());
  }
};

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

} // namespace
