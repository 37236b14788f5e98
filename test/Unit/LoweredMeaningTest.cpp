// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered copies: places, zeros, groups, words and barriers. (LoweredFixture.h)
#include "LoweredFixture.h"

using namespace kpipe;

namespace {

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

TEST_F(LoweredMeaning, PartsOfCopies) {
  Before = "int some = n & 3, odd = n & 15, bytes = some * 4;";
  const auto Words = [](const char *Asked, int Count = 4,
                        const char *Word = "int") {
    return "for (int w = 0; w < " + std::to_string(Count) +
           "; ++w) reinterpret_cast<" + Word + " *>(&s[4 * t])[w] = " + Asked +
           " ? reinterpret_cast<const " + Word + " *>(&x[i])[w] : " + Word +
           "{};";
  };
  const char *Zeros =
      "__pipeline_memcpy_async(&s[4 * t], &x[i], 16, 16 - some * 4);";
  same(Zeros, Words("w * 4 + (16 - some * 4) < 16").c_str());
  other(Zeros, Words("w * 4 + (16 - some * 8) < 16").c_str());
  other(Zeros, Words("w * 4 + (16 - some * 4) < 12").c_str());
  other(Zeros, Words("w + (16 - some * 4) < 16").c_str());
  other(Zeros, Words("w * 4 < (16 - some * 4)").c_str());
  other(Zeros, Words("w * 4 + (16 - some * 4) <= 16").c_str());
  other(Zeros, Words("w * 8 + (16 - some * 4) < 16", 2, "int2").c_str());
  other(Zeros, Words("w * 4 + (16 - some * 4) < 16", 3).c_str());
  const char *Odd = "__pipeline_memcpy_async(&s[4 * t], &x[i], 16, odd);";
  other(Odd, Words("w * 4 + (odd) < 16").c_str());
  same(Odd, Words("w * 1 + (odd) < 16", 16, "char").c_str());
  const char *Bytes =
      "asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;\" ::"
      "\"r\"(number(&s[4 * t])), \"l\"(&x[i]), \"r\"(bytes));";
  same(Bytes, Words("w * 4 < (bytes)").c_str());
  other(Bytes, Words("w * 4 < (odd)").c_str());
  other(Bytes, Words("w * 4 + (bytes) < 16").c_str());
  same("some_bytes(&s[4 * t], &x[i], bytes);",
       Words("w * 4 < (bytes)").c_str());
  other("half_of_bytes(&s[4 * t], &x[i], bytes);",
        Words("w * 4 < (bytes)").c_str());
  same("passes_on(&s[4 * t], &x[i], bytes);", Words("w * 4 < (bytes)").c_str());
  other("passes_half_on(&s[4 * t], &x[i], bytes);",
        Words("w * 4 < (bytes)").c_str());
  Before = "long long bytes = (n & 3LL) * 4;";
  other("passes_low_on(&s[4 * t], &x[i], bytes);",
        Words("w * 4 < (bytes)").c_str());
  Before = "int some = (n & 3) * 4; int any = some;";
  same("__pipeline_memcpy_async(&s[4 * t], &x[i], 16, any);",
       Words("w * 4 + (any) < 16").c_str());
  // One byte of zeros, if any.
  Before = "int some = (n & 3) * 4; bool any = some;";
  other("__pipeline_memcpy_async(&s[4 * t], &x[i], 16, any);",
        Words("w * 4 + (any) < 16").c_str());
}

TEST_F(LoweredMeaning, Layouts) {
  Before = "int m = n & 63; (void)m;";
  const auto Of = [](const char *To, const char *From) {
    return "cg::memcpy_async(block, s, " + std::string(To) + ", x + i, " +
           From + "); cg::wait(block);";
  };
  const auto Plain = [](const char *Count) {
    return "for (unsigned w = block.thread_rank(); w < " + std::string(Count) +
           "; w += block.size()) s[w] = (x + i)[w]; cg::sync(block);";
  };
  same(Of("64", "96").c_str(), Plain("64").c_str());
  same(Of("96", "64").c_str(), Plain("64").c_str());
  other(Of("64", "96").c_str(), Plain("96").c_str());
  other(Of("64", "96").c_str(), Plain("256").c_str());
  same(Of("m", "m").c_str(), Plain("m").c_str());
  other(Of("m", "n").c_str(), Plain("m").c_str());
  other(Of("m", "64").c_str(), Plain("m").c_str());
}

TEST_F(LoweredMeaning, BarriersThatAreAsked) {
  Before = "__shared__ __mbarrier_t b[2];";
  const char *Asks = "__pipeline_memcpy_async(&s[t], &x[i], 4);"
                     "__pipeline_arrive_on(&b[1]);"
                     "__mbarrier_token_t k = __mbarrier_arrive(&b[1]);"
                     "while (!__mbarrier_test_wait(&b[1], k)) {}";
  same(Asks, "s[t] = x[i]; __syncthreads();");
  other((std::string(Asks) + "++y[t];").c_str(), "s[t] = x[i]; ++y[t];");
  other("__pipeline_memcpy_async(&s[t], &x[i], 4);"
        "__mbarrier_token_t k = __mbarrier_arrive(&b[0]);"
        "while (!__mbarrier_test_wait(&b[0], k)) { ++*at; }",
        "s[t] = x[i]; __syncthreads();");
  // A copy that stays is waited for by nobody.
  Before = "__shared__ __mbarrier_t b[2]; cp16(&z[4 * t], x);";
  other(Asks, "s[t] = x[i]; __syncthreads();");
  // Also where another barrier was told of it: each waits for all before it, and
  // so do the waits of the thread.
  Before = "__shared__ __mbarrier_t b[2]; cp16(&z[4 * t], x);"
           "__pipeline_arrive_on(&b[0]);";
  other(Asks, "s[t] = x[i]; __syncthreads();");
  other("left<0>(); s[t] = x[i];", "s[t] = x[i];");
  Before = "__shared__ __mbarrier_t b[2]; cp16(&z[4 * t], x); left<0>();"
           "commit(); left<0>();";
  same(Asks, "s[t] = x[i]; __syncthreads();");
  Before = "__shared__ cuda::barrier<cuda::thread_scope_block> b[2];"
           "for (int j = 0; j < 2; ++j) init(&b[j], 64);";
  const char *Array = "cuda::memcpy_async(&s[t], &x[i], 4, b[0]);"
                      "auto k = b[0].arrive(), l = b[1].arrive();"
                      "b[0].wait(std::move(k)); b[1].wait(std::move(l));";
  same(Array, "s[t] = x[i]; __syncthreads(); __syncthreads();");
  other(Array, "s[t] = x[i];");
  other("cuda::memcpy_async(&s[t], &x[i], 4, b[t & 1]);"
        "b[t & 1].arrive_and_wait();",
        "s[t] = x[i]; __syncthreads();");
  Before = "__shared__ cuda::barrier<cuda::thread_scope_block> b[2];"
           "cuda::memcpy_async(&z[t], x, 4, b[1]);";
  other("b[1].arrive_and_wait(); s[t] = x[i];",
        "__syncthreads(); s[t] = x[i];");
  same("b[0].arrive_and_wait(); s[t] = x[i];",
       "__syncthreads(); s[t] = x[i];");
}

} // namespace
