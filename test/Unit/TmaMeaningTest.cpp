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

/// \param N of the kernel, whose text is line 2 * N + 1.
std::string text(unsigned N, const std::string &Map, const std::string &Array,
                 const std::string &Front, const std::string &Load,
                 const std::string &Wait, const std::string &Read,
                 const std::string &Given) {
  const std::string Kernel = "f" + std::to_string(N);
  return "__global__ void " + Kernel +
         "(const short *x, const short *w, int *y, int n, int m1" + Map +
         ") { " + Array + " int r = blockIdx.x * 16; int sum = 0; " + Front +
         " for (int k = 0; k < n; k += 128) { " + Load + Wait +
         " for (int i = 0; i < 16; ++i) sum += " + Read +
         "; __syncthreads(); } y[threadIdx.x] = sum; }\n"
         "void run_" +
         Kernel + "(const short *a, const short *b, int *y, int n) { " +
         Kernel + "<<<4, 64>>>(a, b, y, n, n + 8" + Given + "); " + Kernel +
         "<<<8, 64>>>(b, a, y, 2 * n, 7" +
         (Given.empty() ? "" : ", kpipe::tile_map<16, 64>(b, 2 * n)") +
         "); }\n";
}

/// Parsed together, as that takes a while.
class Cases {
public:
  void add(bool Same, const Parts &P, const std::string &More = "") {
    const unsigned N = Expected.size();
    const std::string Load = "if (" + P.Thread +
                             ") { kpipe::expect_tile(full, " + P.Bytes + "); " +
                             P.Boxes + " } " + More;
    Old += text(N, "", "__shared__ short s[16][128];", "", Copy,
                "__syncthreads();", "s[i][threadIdx.x]", "");
    New += text(N, P.Map, P.Array, P.Front, Load, P.Wait, P.Read, P.Given);
    Expected.push_back(Same);
  }
  void other(std::string Parts::*Part, const char *Text) {
    Parts P;
    P.*Part = Text;
    add(false, P);
  }

  void check() const {
    FrontendOptions Options;
    Options.InputText = Old;
    auto Author = parseUnit("tma.cu", "sm_90", Options);
    ASSERT_TRUE(bool(Author)) << llvm::toString(Author.takeError());
    llvm::StringMap<std::string> Texts;
    Texts["tma.cu"] = New;
    auto Other = (*Author)->withTexts(Texts, /*WithRuntime=*/true);
    ASSERT_TRUE(bool(Other)) << llvm::toString(Other.takeError());
    EXPECT_TRUE((*Author)->errors().empty());
    for (const ParseError &E : (*Other)->errors())
      ADD_FAILURE() << E.Where.Line << ": " << E.Message;
    for (unsigned I = 0; I != Expected.size(); ++I)
      EXPECT_EQ(engineBringsTheSame((*Author)->context(), (*Other)->context(),
                                    {"tma.cu", 2 * I + 1, 1}, {64, 1, 1}),
                Expected[I])
          << "case " << I;
  }

private:
  std::string Old, New;
  std::vector<bool> Expected;
};

TEST(TmaMeaning, Same) {
  Cases All;
  All.add(true, {});
  Parts P;
  P.Front += " unsigned bit = 0;";
  P.Wait = "kpipe::wait_full(full, bit); bit ^= 1;";
  All.add(true, P);
  All.check();
}

TEST(TmaMeaning, OtherPlaces) {
  Cases All;
  All.other(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r, full);"
                           " kpipe::load_box(s[1], m, k + 32, r, full);");
  All.other(&Parts::Boxes, "kpipe::load_box(s[1], m, k, r, full);"
                           " kpipe::load_box(s[0], m, k + 64, r, full);");
  All.other(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r + 1, full);"
                           " kpipe::load_box(s[1], m, k + 64, r + 1, full);");
  All.other(&Parts::Boxes, "kpipe::load_box(s[0], m, k, r, full);");
  All.other(&Parts::Boxes, "kpipe::load_box(s[0], m, r, k, full);"
                           " kpipe::load_box(s[1], m, r, k + 64, full);");
  All.check();
}

TEST(TmaMeaning, OtherMatrices) {
  Cases All;
  All.other(&Parts::Given, ", kpipe::tile_map<16, 64>(b, n)");
  All.other(&Parts::Given, ", kpipe::tile_map<16, 64>(a, n + 8)");
  All.other(&Parts::Given, ", kpipe::tile_map<16, 64>(a, 2 * n)");
  All.other(&Parts::Given, ", kpipe::tile_map<8, 64>(a, n)");
  All.other(&Parts::Given, ", kpipe::tile_map<16, 32>(a, n)");
  All.other(&Parts::Given, ", CUtensorMap{}");
  All.check();
}

TEST(TmaMeaning, OtherElements) {
  Cases All;
  All.other(&Parts::Read, "s[threadIdx.x / 64][i][threadIdx.x]");
  All.other(&Parts::Read, "kpipe::swizzled(s, i, threadIdx.x ^ 8)");
  All.other(&Parts::Read, "kpipe::swizzled(s, threadIdx.x, i)");
  All.other(&Parts::Read, "kpipe::swizzled(s, i, threadIdx.x) + 1");
  All.other(&Parts::Array, "__shared__ __align__(128) short s[2][16][64];");
  All.other(&Parts::Array, "__shared__ __align__(1024) short s[3][16][64];"
                           " s[2][0][0] = 1;");
  All.check();
}

TEST(TmaMeaning, OtherOrder) {
  Cases All;
  All.other(&Parts::Bytes, "2048");
  All.other(&Parts::Thread, "threadIdx.x == 1");
  All.other(&Parts::Thread, "threadIdx.x < 2");
  All.other(&Parts::Wait, "__syncthreads();");
  All.other(&Parts::Front, "__shared__ unsigned long long full;"
                           " if (threadIdx.x == 0) kpipe::init_full(full);"
                           " __syncthreads();");
  All.other(&Parts::Front, "__shared__ unsigned long long full;"
                           " if (threadIdx.x == 0) { kpipe::init_full(full);"
                           " kpipe::fence_proxy_async(); }");
  All.add(false, {}, "sum += 1;");
  All.add(false, {}, "__syncthreads();");
  All.check();
}

} // namespace
