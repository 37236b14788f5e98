// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of tiles that the copy engine brings, by itself: an author's kernel
// beside texts that somebody else wrote, right or wrong.
#include "kpipe/TmaMeaning.h"
#include "kpipe/Frontend.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

/// A kernel of one line each, and its launch.
struct Parts {
  std::string Map = ", const __grid_constant__ CUtensorMap m";
  std::string Array = "__shared__ __align__(1024) short s[2][16][64];";
  std::string Front = "__shared__ unsigned long long full;"
                      " if (threadIdx.x == 0) { kpipe::init_full(full);"
                      " kpipe::fence_proxy_async(); } __syncthreads();";
  std::string Thread = "threadIdx.x == 0";
  std::string Bytes = "4096";
  std::string Boxes = "kpipe::load_box(s[0], m, k, r, full);"
                      " kpipe::load_box(s[1], m, k + 64, r, full);";
  std::string Wait = "kpipe::wait_full(full, (k / 128) & 1);";
  std::string Read = "kpipe::swizzled(s, i, threadIdx.x)";
  std::string Given = ", kpipe::tile_map<16, 64>(a, n)";
};

const char *const Copy =
    "for (int i = threadIdx.x; i < 256; i += 64)"
    " *(int4 *)&s[i / 16][i % 16 * 8] ="
    " *(const int4 *)&x[(r + i / 16) * n + k + i % 16 * 8];";

std::string text(const std::string &Map, const std::string &Array,
                 const std::string &Front, const std::string &Load,
                 const std::string &Wait, const std::string &Read,
                 const std::string &Given) {
  return "__global__ void f(const short *x, const short *w, int *y, int n, int m1" +
         Map + ") { " + Array + " int r = blockIdx.x * 16; int sum = 0; " + Front +
         " for (int k = 0; k < n; k += 128) { " + Load + Wait +
         " for (int i = 0; i < 16; ++i) sum += " + Read +
         "; __syncthreads(); } y[threadIdx.x] = sum; }\n"
         "void go(const short *a, const short *b, int *y, int n) {"
         " f<<<4, 64>>>(a, b, y, n, n + 8" +
         Given + "); f<<<8, 64>>>(b, a, y, 2 * n, 7" +
         (Given.empty() ? "" : ", kpipe::tile_map<16, 64>(b, 2 * n)") + "); }\n";
}

std::unique_ptr<ParsedUnit> author() {
  FrontendOptions Options;
  Options.InputText = text("", "__shared__ short s[16][128];", "", Copy,
                           "__syncthreads();", "s[i][threadIdx.x]", "");
  auto Unit = parseUnit("tma.cu", "sm_90", Options);
  if (!Unit) {
    ADD_FAILURE() << llvm::toString(Unit.takeError());
    return nullptr;
  }
  EXPECT_TRUE((*Unit)->errors().empty());
  return std::move(*Unit);
}

bool same(const Parts &P, const std::string &More = "") {
  auto Author = author();
  const std::string Load = "if (" + P.Thread + ") { kpipe::expect_tile(full, " +
                           P.Bytes + "); " + P.Boxes + " } " + More;
  llvm::StringMap<std::string> Texts;
  Texts["tma.cu"] =
      text(P.Map, P.Array, P.Front, Load, P.Wait, P.Read, P.Given);
  auto Other = Author->withTexts(Texts, /*WithRuntime=*/true);
  if (!Other) {
    ADD_FAILURE() << llvm::toString(Other.takeError());
    return false;
  }
  for (const ParseError &E : (*Other)->errors())
    ADD_FAILURE() << E.Message;
  return engineBringsTheSame(Author->context(), (*Other)->context(),
                             {"tma.cu", 1, 1}, {64, 1, 1});
}

bool with(std::string Parts::*Part, const char *Text) {
  Parts P;
  P.*Part = Text;
  return same(P);
}

TEST(TmaMeaning, Same) {
  EXPECT_TRUE(same({}));
  Parts P;
  P.Front += " unsigned bit = 0;";
  P.Wait = "kpipe::wait_full(full, bit); bit ^= 1;";
  EXPECT_TRUE(same(P));
}

TEST(TmaMeaning, OtherPlaces) {
  EXPECT_FALSE(with(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r, full);"
                                   " kpipe::load_box(s[1], m, k + 32, r, full);"));
  EXPECT_FALSE(with(&Parts::Boxes, "kpipe::load_box(s[1], m, k, r, full);"
                                   " kpipe::load_box(s[0], m, k + 64, r, full);"));
  EXPECT_FALSE(with(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r + 1, full);"
                                   " kpipe::load_box(s[1], m, k + 64, r + 1, full);"));
  EXPECT_FALSE(with(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r, full);"));
  EXPECT_FALSE(with(&Parts::Boxes, "kpipe::load_box(s[0], m, r, k, full);"
                                   " kpipe::load_box(s[1], m, r, k + 64, full);"));
}

TEST(TmaMeaning, OtherMatrices) {
  EXPECT_FALSE(with(&Parts::Given, ", kpipe::tile_map<16, 64>(b, n)"));
  EXPECT_FALSE(with(&Parts::Given, ", kpipe::tile_map<16, 64>(a, n + 8)"));
  EXPECT_FALSE(with(&Parts::Given, ", kpipe::tile_map<16, 64>(a, 2 * n)"));
  EXPECT_FALSE(with(&Parts::Given, ", kpipe::tile_map<8, 64>(a, n)"));
  EXPECT_FALSE(with(&Parts::Given, ", kpipe::tile_map<16, 32>(a, n)"));
  EXPECT_FALSE(with(&Parts::Given, ", CUtensorMap{}"));
}

TEST(TmaMeaning, OtherElements) {
  EXPECT_FALSE(with(&Parts::Read, "s[threadIdx.x / 64][i][threadIdx.x]"));
  EXPECT_FALSE(with(&Parts::Read, "kpipe::swizzled(s, i, threadIdx.x ^ 8)"));
  EXPECT_FALSE(with(&Parts::Read, "kpipe::swizzled(s, threadIdx.x, i)"));
  EXPECT_FALSE(with(&Parts::Read, "kpipe::swizzled(s, i, threadIdx.x) + 1"));
  EXPECT_FALSE(with(&Parts::Array, "__shared__ __align__(128) short s[2][16][64];"));
  EXPECT_FALSE(with(&Parts::Array, "__shared__ __align__(1024) short s[3][16][64];"
                                   " s[2][0][0] = 1;"));
}

TEST(TmaMeaning, OtherOrder) {
  EXPECT_FALSE(with(&Parts::Bytes, "2048"));
  EXPECT_FALSE(with(&Parts::Thread, "threadIdx.x == 1"));
  EXPECT_FALSE(with(&Parts::Thread, "threadIdx.x < 2"));
  EXPECT_FALSE(with(&Parts::Wait, "__syncthreads();"));
  EXPECT_FALSE(with(&Parts::Front, "__shared__ unsigned long long full;"
                                   " if (threadIdx.x == 0) kpipe::init_full(full);"
                                   " __syncthreads();"));
  EXPECT_FALSE(with(&Parts::Front, "__shared__ unsigned long long full;"
                                   " if (threadIdx.x == 0) { kpipe::init_full(full);"
                                   " kpipe::fence_proxy_async(); }"));
  EXPECT_FALSE(same({}, "sum += 1;"));
  EXPECT_FALSE(same({}, "__syncthreads();"));
}

} // namespace
