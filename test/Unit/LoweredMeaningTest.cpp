// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of lowered copies by itself: an asynchronous text beside a plain
// one that somebody else wrote, right or wrong.
#include "Validation/LoweredCode.h"
#include "kpipe/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

const char *const Outside = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
__device__ inline unsigned number(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void cp16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::
                   "r"(number(to)), "l"(from));
}
__device__ inline void cp4(void *to, const void *from, bool keep) {
  int bytes = keep ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::
                   "r"(number(to)), "l"(from), "r"(bytes));
}
__device__ inline void cp4_if(bool p, void *to, const void *from) {
  asm volatile("{\n .reg .pred q;\n setp.ne.b32 q, %0, 0;\n"
               " @q cp.async.ca.shared.global [%1], [%2], 4;\n}\n" ::
                   "r"((int)p), "r"(number(to)), "l"(from));
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ inline void left() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
__device__ int count(int *of);
struct Ends {
  int *at;
  __device__ ~Ends() { ++*at; }
};
#define COPY(to, from) do { cp16(to, from); commit(); } while (0)
)";

class LoweredMeaning : public ::testing::Test {
protected:
  struct Case {
    std::string Before, Author, Lowered;
    bool Same;
  };
  /// Of all tests: CUDA's headers are read once.
  static inline std::vector<Case> Cases;
  std::string Before;

  void same(const char *Author, const char *Lowered) {
    Cases.push_back({Before, Author, Lowered, true});
  }
  void other(const char *Author, const char *Lowered) {
    Cases.push_back({Before, Author, Lowered, false});
  }

  static std::unique_ptr<ParsedUnit> parsed(const std::vector<Case> &Cases,
                                            bool Lowered) {
    llvm::SmallString<128> Path;
    int Descriptor;
    if (llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor, Path))
      return nullptr;
    {
      llvm::raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
      OS << Outside;
      for (unsigned I = 0; I != Cases.size(); ++I)
        OS << "namespace c" << I << " {\n"
           << "__global__ void k(const float *x, float *y, int *at, int n) {\n"
              "__shared__ __align__(16) float s[1024], z[1024];\n"
              "int t = threadIdx.x, r = t / 8, c = t % 8;\n"
              "auto block = cg::this_thread_block();\n"
           << Cases[I].Before << "\nfor (int i = 0; i < n; i += 256) {\n"
           << (Lowered ? Cases[I].Lowered : Cases[I].Author)
           << "\n__syncthreads();\ny[t] += s[t ^ 1];\n__syncthreads();\n}\n"
              "}\n}\n";
    }
    auto Unit = llvm::cantFail(parseUnit(Path, "sm_86", {}));
    llvm::sys::fs::remove(Path);
    for (const ParseError &E : Unit->errors())
      ADD_FAILURE() << E.Message << " in line " << E.Where.Line;
    return Unit;
  }

  static std::vector<const clang::FunctionDecl *> kernels(ParsedUnit &Unit) {
    std::vector<const clang::FunctionDecl *> All;
    for (const clang::Decl *D :
         Unit.context().getTranslationUnitDecl()->noload_decls())
      if (const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(D);
          Space && Space->getName() == "c" + std::to_string(All.size()))
        for (const clang::Decl *One : Space->decls())
          if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(One))
            All.push_back(F);
    return All;
  }

  static void TearDownTestSuite() {
    auto Author = parsed(Cases, false), Lowered = parsed(Cases, true);
    auto Old = kernels(*Author), New = kernels(*Lowered);
    ASSERT_EQ(Old.size(), Cases.size());
    ASSERT_EQ(New.size(), Cases.size());
    for (unsigned I = 0; I != Cases.size(); ++I) {
      auto A = treeOf(Old[I], Author->context()),
           L = treeOf(New[I], Lowered->context());
      LoweredCode Code =
          compareLowered(*A, Author->context(), *L, Lowered->context());
      const bool Same =
          !Code.Differs && !waitThatIsMissed(*A, Author->context(), Code.Gone);
      EXPECT_EQ(Same, Cases[I].Same) << Cases[I].Author << "\n  as\n"
                                     << Cases[I].Lowered;
    }
  }
};

TEST_F(LoweredMeaning, Places) {
  const char *Copy = "__pipeline_memcpy_async(&s[r * 8 + c], &x[i + t], 4);"
                     "__pipeline_commit(); __pipeline_wait_prior(0);";
  same(Copy, Copy);
  same(Copy, "s[r * 8 + c] = x[i + t];");
  same(Copy, "*(s + (r * 8 + c)) = *(x + (i + t));");
  same(Copy, "*reinterpret_cast<int *>(&s[r * 8 + c]) ="
             "*reinterpret_cast<const int *>(&x[i + t]);");
  other(Copy, "s[r * 8 + t] = x[i + t];");
  other(Copy, "s[r * 8 + c] = x[i + c];");
  other(Copy, "s[r * 8 + c + 1] = x[i + t];");
  other(Copy, "z[r * 8 + c] = x[i + t];");
  other(Copy, "s[r * 8 + c] = y[i + t];");
  other(Copy, "x = y; s[r * 8 + c] = x[i + t];");
  other(Copy, "");
  other(Copy, "s[r * 8 + c] = x[i + t]; s[r * 8 + c] = x[i + t];");
  other(Copy, "if (t) s[r * 8 + c] = x[i + t];");
  same("if (t) { __pipeline_memcpy_async(&s[t], &x[t], 4); }",
       "if (t) { s[t] = x[t]; }");
  other("if (t) { __pipeline_memcpy_async(&s[t], &x[t], 4); }",
        "if (t) { s[t] = x[t]; n = 0; }");
  other(Copy, "int r = 0; s[r * 8 + c] = x[i + t];");
  other(Copy, "*reinterpret_cast<int2 *>(&s[r * 8 + c]) ="
              "*reinterpret_cast<const int2 *>(&x[i + t]);");
  other(Copy, "s[r * 8 + c] = static_cast<int>(x[i + t]);");
  other("__pipeline_memcpy_async(&s[t], &x[i + t], 16);", "s[t] = x[i + t];");
  same("__pipeline_memcpy_async(&s[4 * t], &x[i + 4 * t], 16);",
       "*reinterpret_cast<int4 *>(&s[4 * t]) ="
       "*reinterpret_cast<const int4 *>(&x[i + 4 * t]);");
}

TEST_F(LoweredMeaning, ZerosAndConditions) {
  const char *Zeros =
      "__pipeline_memcpy_async(&s[t], &x[i + t], 4, i + t < n ? 0 : 4);";
  same(Zeros, "*reinterpret_cast<int *>(&s[t]) = i + t < n ?"
              "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other(Zeros, "*reinterpret_cast<int *>(&s[t]) = i + t <= n ?"
               "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other(Zeros, "*reinterpret_cast<int *>(&s[t]) = !(i + t < n) ?"
               "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other(Zeros, "*reinterpret_cast<int *>(&s[t]) = i + t < n ?"
               "*reinterpret_cast<const int *>(&x[i + t]) : 1;");
  other(Zeros, "if (i + t < n) s[t] = x[i + t];");
  other(Zeros, "s[t] = x[i + t];");
  other("__pipeline_memcpy_async(&s[t], &x[i + t], 4, 2);", "s[t] = x[i + t];");
  const char *Wrapped = "cp4(&s[t], &x[i + t], i + t < n);";
  same(Wrapped, "*reinterpret_cast<int *>(&s[t]) = i + t < n ?"
                "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other(Wrapped, "*reinterpret_cast<int *>(&s[t]) = i < n ?"
                 "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  const char *Only = "cp4_if(t < n, &s[t], &x[i + t]);";
  same(Only, "if (t < n) s[t] = x[i + t];");
  other(Only, "if (t > n) s[t] = x[i + t];");
  other(Only, "s[t] = x[i + t];");
  const char *Turned =
      "__pipeline_memcpy_async(&s[t], &x[i + t], 4, i + t >= n ? 4 : 0);";
  same(Turned, "*reinterpret_cast<int *>(&s[t]) = !(i + t >= n) ?"
               "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other(Turned, "*reinterpret_cast<int *>(&s[t]) = i + t >= n ?"
                "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  // What is asked has to mean the same where it is asked again.
  same("const int left = i + t < n ? 0 : 4;"
       "__pipeline_memcpy_async(&s[t], &x[i + t], 4, left);",
       "*reinterpret_cast<int *>(&s[t]) = i + t < n ?"
       "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  other("const int left = i + t < n ? 0 : 4; n -= 1;"
        "__pipeline_memcpy_async(&s[t], &x[i + t], 4, left);",
        "n -= 1; *reinterpret_cast<int *>(&s[t]) = i + t < n ?"
        "*reinterpret_cast<const int *>(&x[i + t]) : int{};");
  Before = "const int left = t < n ? 0 : 4;";
  const char *Outside = "__pipeline_memcpy_async(&s[t], &x[i], 4, left);";
  const char *Asked = "*reinterpret_cast<int *>(&s[t]) = t < n ?"
                      "*reinterpret_cast<const int *>(&x[i]) : int{};";
  static const std::string Steps = std::string(Outside) + "n -= 1;",
                           Then = std::string(Asked) + "n -= 1;";
  same(Outside, Asked);
  other(Steps.c_str(), Then.c_str());
}

TEST_F(LoweredMeaning, NumbersOfSharedMemory) {
  Before = "unsigned to = number(&s[t]);";
  const char *Asm = "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" "
                    "::\"r\"(to), \"l\"(x + i));";
  same(Asm, "s[t] = x[i];");
  other(Asm, "s[t + 1] = x[i];");
  other(Asm, "s[t] = x[i + 1];");
  Before = "unsigned to = number(s);";
  const char *Moved =
      "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" "
      "::\"r\"(to + t * 4), \"l\"(x + i));";
  same(Moved, "s[t] = x[i];");
  other(Moved, "s[t * 4] = x[i];");
  Before = "t = 3; unsigned to = number(&s[t]); t = 4;";
  other(Asm, "s[t] = x[i];");
  Before = "unsigned to = number(&s[t]); to += 4;";
  other(Asm, "s[t] = x[i];");
  Before.clear();
  const char *Made =
      "unsigned to = number(&s[t]);"
      "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" "
      "::\"r\"(to), \"l\"(x + i));";
  same(Made, "auto *to = &s[t]; *to = x[i];");
  other(Made, "auto *to = &s[t + 1]; *to = x[i];");
  other(Made, "auto *to = &s[t]; ++to; *to = x[i];");
}

TEST_F(LoweredMeaning, GroupsAndWords) {
  const char *Copy = "cg::memcpy_async(block, s, x + i, sizeof(float) * 256);"
                     "cg::wait(block);";
  auto Loop = [](const char *First, const char *Count, const char *Step) {
    static std::vector<std::unique_ptr<std::string>> Kept;
    Kept.push_back(std::make_unique<std::string>(
        std::string("for (unsigned w = ") + First + "; w < " + Count +
        "; w += " + Step + ") s[w] = (x + i)[w];"));
    return Kept.back()->c_str();
  };
  same(Copy, Loop("block.thread_rank()", "256", "block.size()"));
  other(Copy, Loop("block.thread_rank()", "255", "block.size()"));
  other(Copy, Loop("threadIdx.x", "256", "block.size()"));
  other(Copy, Loop("block.thread_rank()", "256", "256"));
  other(Copy, Loop("0", "256", "block.size()"));
  Before = "auto warp = cg::tiled_partition<32>(block);";
  other(Copy, Loop("warp.thread_rank()", "256", "warp.size()"));
  Before.clear();
  const char *Words =
      "cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();"
      "p.producer_acquire(); cuda::memcpy_async(s + 2 * t, x + i + 2 * t, 8, "
      "p);"
      "p.producer_commit(); p.consumer_wait(); p.consumer_release();";
  same(Words,
       "for (int w = 0; w < 2; ++w) (s + 2 * t)[w] = (x + i + 2 * t)[w];");
  other(Words,
        "for (int w = 0; w < 3; ++w) (s + 2 * t)[w] = (x + i + 2 * t)[w];");
  other(Words,
        "for (int w = 1; w < 2; ++w) (s + 2 * t)[w] = (x + i + 2 * t)[w];");
  // Nobody promised more than a float's alignment.
  other(Words, "*reinterpret_cast<int2 *>(s + 2 * t) ="
               "*reinterpret_cast<const int2 *>(x + i + 2 * t);");
}

TEST_F(LoweredMeaning, Barriers) {
  Before = "__shared__ cuda::barrier<cuda::thread_scope_block> bar;"
           "if (t == 0) init(&bar, block.size()); block.sync();";
  const char *Copy = "cuda::memcpy_async(block, s, x + i, 1024, bar);"
                     "bar.arrive_and_wait(); y[t] = s[t];";
  const char *Plain = "for (unsigned w = block.thread_rank(); w < 256;"
                      " w += block.size()) s[w] = (x + i)[w];";
  static std::string Right =
      std::string(Plain) + "__syncthreads(); y[t] = s[t];";
  static std::string Wrong = std::string(Plain) + "y[t] = s[t];";
  same(Copy, Right.c_str());
  other(Copy, Wrong.c_str());
  const char *Tokens = "cuda::memcpy_async(block, s, x + i, 1024, bar);"
                       "auto token = bar.arrive(); bar.wait(std::move(token));"
                       "y[t] = s[t];";
  same(Tokens, Right.c_str());
  other(Tokens, Wrong.c_str());
  other("auto token = bar.arrive(); cp16(s, x);",
        "*(int4 *)s = *(int4 *)x;"
        "auto token = bar.arrive(); auto more = bar.arrive();");
}

TEST_F(LoweredMeaning, WhatIsDoneBeside) {
  same("COPY(s + 4 * t, x + i);", "*reinterpret_cast<int4 *>(s + 4 * t) ="
                                  "*reinterpret_cast<const int4 *>(x + i);");
  other("cp4(&s[t], &x[count(at)], true); n = n - 1;",
        "*reinterpret_cast<int *>(&s[t]) = true ?"
        "*reinterpret_cast<const int *>(&x[count(at)]) : int{};");
  same("__pipeline_memcpy_async(&s[t], &x[count(at)], 4);",
       "s[t] = x[count(at)];");
  other("__pipeline_memcpy_async(&s[t], &x[count(at)], 4);",
        "s[t] = x[count(at + 1)];");
  other("__pipeline_memcpy_async(&s[count(at)], &x[i], 4, t < n ? 0 : 4);",
        "*reinterpret_cast<int *>(&s[count(at)]) = t < n ?"
        "*reinterpret_cast<const int *>(&x[i]) : int{};"
        "count(at);");
  other("__pipeline_wait_prior(count(at) * 0);", "");
  other("int from = count(at); cp16(s, x + from);",
        "*(int4 *)s = *(const int4 *)(x + count(at));");
}

TEST_F(LoweredMeaning, WaitsThatAreMissed) {
  const char *Copy = "__pipeline_memcpy_async(&s[t], &x[i + t], 4);"
                     "__pipeline_commit(); __pipeline_wait_prior(0);";
  const char *Plain = "s[t] = x[i + t];";
  Before = "__pipeline_memcpy_async(&z[t], &x[t], 4); __pipeline_commit();"
           "__pipeline_wait_prior(0);";
  same(Copy, Plain);
  Before = "cp16(&z[t], x); commit(); left<0>();";
  same(Copy, Plain);
  // Not committed, not waited for, or by some threads only.
  Before = "__pipeline_memcpy_async(&z[t], &x[t], 4); __pipeline_commit();";
  other(Copy, Plain);
  Before =
      "__pipeline_memcpy_async(&z[t], &x[t], 4); __pipeline_wait_prior(0);";
  other(Copy, Plain);
  Before = "cp16(&z[t], x); commit(); left<1>();";
  other(Copy, Plain);
  Before = "cp16(&z[t], x); commit(); if (t) left<0>();";
  other(Copy, Plain);
  Before = "for (int j = 0; j < n; ++j) { cp16(&z[t], x); commit();"
           " if (at[j]) break; left<0>(); }";
  other(Copy, Plain);
  Before =
      "for (int j = 0; j < n; ++j) { cp16(&z[t], x); commit(); left<0>(); }";
  same(Copy, Plain);
  // Waits in a branch that went.
  Before = "__pipeline_memcpy_async(&z[t], &x[t], 4); __pipeline_commit();";
  other("if (t) __pipeline_wait_prior(0);", "");
  Before.clear();
  same("if (t) __pipeline_wait_prior(0);", "");
  other("if (t) __syncthreads();", "");
  other("cp16(&z[4 * t], x); commit();"
        "__pipeline_memcpy_async(&s[t], &x[i + t], 4);"
        "__pipeline_commit(); __pipeline_wait_prior(0);",
        "cp16(&z[4 * t], x); commit(); s[t] = x[i + t];");
}

TEST_F(LoweredMeaning, ConditionsThatWent) {
  Before = "constexpr int S = 1; (void)S;";
  const char *Two = "if constexpr (S > 1) { s[t] = 0; }"
                    "else { s[t] = x[i + t]; __syncthreads(); }";
  same(Two, "static_assert(!(S > 1), \"\"); s[t] = x[i + t]; __syncthreads();");
  other(Two, "s[t] = x[i + t]; __syncthreads();");
  other(Two, "static_assert(S < 2, \"\"); s[t] = x[i + t]; __syncthreads();");
  other(Two, "static_assert(S > 0, \"\"); s[t] = x[i + t]; __syncthreads();");
  other(Two, "static_assert(!(S > 1), \"\"); s[t] = x[i + t];");
  other(Two, "static_assert(!(S > 1), \"\"); s[t] = 0;");
  other(Two, "static_assert(!(S > 1), \"\");");
  same("if constexpr (S < 2) __syncthreads();",
       "static_assert(S < 2, \"\"); __syncthreads();");
  same("if (S) { __syncthreads(); }",
       "static_assert(!!(S), \"\"); __syncthreads();");
  same("if (S == 2) { __syncthreads(); }", "static_assert(!(S == 2), \"\");");
  other("if (S == 1) { __syncthreads(); }", "static_assert(S == 1, \"\");");
  other("if (n == 1) { __syncthreads(); }",
        "static_assert(true, \"\"); __syncthreads();");
  same("if constexpr (S > 1) { s[t] = 0; } else if constexpr (S == 1)"
       "{ float v = x[i + t]; s[t] = v; }",
       "static_assert(!(S > 1), \"\"); static_assert(S == 1, \"\");"
       "float v = x[i + t]; s[t] = v;");
  same("if constexpr (S == 1) { __pipeline_memcpy_async(&s[t], &x[i + t], 4);"
       "__pipeline_commit(); __pipeline_wait_prior(0); }",
       "static_assert(S == 1, \"\"); s[t] = x[i + t];");
  // What a name or an object means behind the branch.
  Before = "constexpr int S = 1; (void)S; float v = 1;";
  other("if constexpr (S == 1) { float v = x[i + t]; s[t] = v; } y[t] = v;",
        "static_assert(S == 1, \"\"); float w = x[i + t]; s[t] = w; y[t] = w;");
  same("if constexpr (S == 1) { float w = x[i + t]; s[t] = w; } y[t] = v;",
       "static_assert(S == 1, \"\"); float w = x[i + t]; s[t] = w; y[t] = v;");
  other("if constexpr (S == 1) { Ends e{at}; s[t] = v; } y[t] = *at;",
        "static_assert(S == 1, \"\"); Ends e{at}; s[t] = v; y[t] = *at;");
}

} // namespace
