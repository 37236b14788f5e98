// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered code: what became of waits, functions, conditions and jumps.
// (LoweredFixture.h)
#include "LoweredFixture.h"

using namespace kpipe;

namespace {

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
  // Loops of waits go with them, if they change nothing but their counters.
  same("for (int j = 0; j < 2; ++j) left<0>();", "");
  other("for (int j = 0; j < 2; j = ++n) left<0>();", "");
  other("for (int j = 0; j < 2; ++n) left<0>();", "");
  other("for (int j = 0; j < n--; ++j) left<0>();", "");
  other("for (; n > 3; --n) left<0>();", "");
  other("cp16(&z[4 * t], x); commit();"
        "__pipeline_memcpy_async(&s[t], &x[i + t], 4);"
        "__pipeline_commit(); __pipeline_wait_prior(0);",
        "cp16(&z[4 * t], x); commit(); s[t] = x[i + t];");
}

TEST_F(LoweredMeaning, FunctionsThatBecamePlain) {
  const char *Waits = "commit(); left<0>();";
  auto Load = [](const char *Helper, const char *Then) {
    return std::string(Helper) + "(&s[8 * t], &x[i + 8 * t]);" + Then;
  };
  same(Load("plain_rows", Waits).c_str(), Load("plain_rows", "").c_str());
  // Its copies are in flight where the wait went.
  other(Load("async_rows", Waits).c_str(), Load("async_rows", "").c_str());
  same(Load("async_rows", Waits).c_str(), Load("async_rows", Waits).c_str());
  const std::string Waited = Load("plain_rows_that_waited", "");
  same(Waited.c_str(), Waited.c_str());
  // Its wait was that of an older copy, too.
  Before = "cp16(&z[4 * t], x); commit();";
  other(Waited.c_str(), Waited.c_str());
  other(Load("plain_rows", Waits).c_str(), Load("plain_rows", "").c_str());
  Before = "cp16(&z[4 * t], x); commit(); left<0>();";
  same(Waited.c_str(), Waited.c_str());
}

TEST_F(LoweredMeaning, ConstantsThatDecide) {
  // Of the branches that a constant leaves, one is what the call does.
  const char *Decided = "decided<true>(&s[4 * t], &x[i + 4 * t]);";
  const char *Plain = "*reinterpret_cast<int4 *>(&s[4 * t]) ="
                      "*reinterpret_cast<const int4 *>(&x[i + 4 * t]);";
  same(Decided, Plain);
  other(Decided, "s[4 * t] = x[i + 4 * t];");
  other("decided<false>(&s[4 * t], &x[i + 4 * t]);", Plain);
  same("decided<false>(&s[t], &x[i + t]);",
       "*reinterpret_cast<int *>(&s[t]) ="
       "*reinterpret_cast<const int *>(&x[i + t]);");
  other("decided_by(t, &s[4 * t], &x[i + 4 * t]);", Plain);
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

TEST_F(LoweredMeaning, SkipsThatWent) {
  const char *Zeros = "for (int j = t; j < 64; j += 8) {"
                      " if (i + j >= n) { s[j] = 0; continue; }"
                      " s[j] = x[i + j]; }";
  same(Zeros, "for (int j = t; j < 64; j += 8) {"
              " if (i + j >= n) { s[j] = 0; } else { s[j] = x[i + j]; } }");
  same(Zeros, "for (int j = t; j < 64; j += 8) {"
              " if (i + j < n) s[j] = x[i + j]; else s[j] = 0; }");
  same(Zeros, "for (int j = t; j < 64; j += 8) {"
              " if (!(i + j >= n)) s[j] = x[i + j]; else { s[j] = 0; } }");
  other(Zeros, "for (int j = t; j < 64; j += 8) {"
               " if (i + j > n) { s[j] = 0; } else { s[j] = x[i + j]; } }");
  other(Zeros, "for (int j = t; j < 64; j += 8) {"
               " if (i + j < n) s[j] = 0; else s[j] = x[i + j]; }");
  other(Zeros, "for (int j = t; j < 64; j += 8) {"
               " if (i + j >= n) { s[j] = 0; } s[j] = x[i + j]; }");
  other(Zeros, "for (int j = t; j < 64; j += 8) {"
               " if (i + j >= n) { s[j] = 0; } else { } s[j] = x[i + j]; }");
  other(Zeros, "for (int j = t; j < 64; j += 8) {"
               " if (!(i + t >= n)) s[j] = x[i + j]; else { s[j] = 0; } }");
  const char *Skips = "for (int j = t; j < 64; j += 8) {"
                      " if (x[j] >= 0) continue; s[j] = x[i + j]; s[j + 1] = 1; }";
  same(Skips, "for (int j = t; j < 64; j += 8) {"
              " if (!(x[j] >= 0)) { s[j] = x[i + j]; s[j + 1] = 1; } }");
  other(Skips, "for (int j = t; j < 64; j += 8) {"
               " if (x[j] < 0) { s[j] = x[i + j]; s[j + 1] = 1; } }");
  other(Skips, "for (int j = t; j < 64; j += 8) {"
               " if (!(x[j] >= 0)) { s[j] = x[i + j]; } s[j + 1] = 1; }");
  // Of an inner block it leaves out what is behind that, too.
  other("for (int j = t; j < 64; j += 8) {"
        " { if (j >= n) continue; s[j] = x[i + j]; } s[j + 1] = 1; }",
        "for (int j = t; j < 64; j += 8) {"
        " { if (j < n) s[j] = x[i + j]; } s[j + 1] = 1; }");
}

TEST_F(LoweredMeaning, BreaksThatWent) {
  const char *First = "for (int j = t;; j += 8) { if (j >= n) break;"
                      " s[j] = x[i + j]; }";
  same(First, "for (int j = t; j < n; j += 8) { s[j] = x[i + j]; }");
  same(First, "for (int j = t; !(j >= n); j += 8) { s[j] = x[i + j]; }");
  other(First, "for (int j = t; j <= n; j += 8) { s[j] = x[i + j]; }");
  other(First, "for (int j = t; j < n; j += 9) { s[j] = x[i + j]; }");
  other(First, "for (int j = t; !(j >= t); j += 8) { s[j] = x[i + j]; }");
  const char *Two = "for (int j = t; j < 64; j += 8) { if (j >= n) break;"
                    " s[j] = x[i + j]; }";
  same(Two, "for (int j = t; j < 64 && j < n; j += 8) { s[j] = x[i + j]; }");
  other(Two, "for (int j = t; j < n; j += 8) { s[j] = x[i + j]; }");
  other(Two, "for (int j = t; j < 65 && j < n; j += 8) { s[j] = x[i + j]; }");
  other(Two, "for (int j = t; j < 64 || j < n; j += 8) { s[j] = x[i + j]; }");
  same("int j = t; while (1) { if (x[j] > 0) break; s[j] = x[i + j]; j += 8; }",
       "int j = t; while (!(x[j] > 0)) { s[j] = x[i + j]; j += 8; }");
  other("int j = t; while (1) { if (x[j] > 0) break; s[j] = x[i + j]; j += 8; }",
        "int j = t; while (x[j] <= 0) { s[j] = x[i + j]; j += 8; }");
  const char *Last = "int j = t; while (true) { s[j] = x[i + j]; j += 8;"
                     " if (j >= n) break; }";
  same(Last, "int j = t; do { s[j] = x[i + j]; j += 8; } while (j < n);");
  other(Last, "int j = t; while (j < n) { s[j] = x[i + j]; j += 8; }");
  other("int j = t; while (true) { s[j] = x[i + j]; j += 8;"
        " if (j == 16) continue; if (j >= n) break; }",
        "int j = t; do { s[j] = x[i + j]; j += 8; if (j == 16) continue; }"
        " while (j < n);");
  other("int j = t; for (;; j += 8) { s[j] = x[i + j]; if (j >= n) break; }",
        "int j = t; do { s[j] = x[i + j]; } while (j < n);");
  other("int j = t; while (j < 64) { s[j] = x[i + j]; j += 8;"
        " if (j >= n) break; }",
        "int j = t; do { s[j] = x[i + j]; j += 8; } while (j < n);");
}

} // namespace
