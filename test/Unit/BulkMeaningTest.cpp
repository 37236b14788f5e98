// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of rows that the copy engine brings, by itself: an author's kernel
// beside texts that somebody else wrote, right or wrong.
#include "kpipe/BulkMeaning.h"
#include "kpipe/Frontend.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

/// A kernel of one line each.
struct RowParts {
  std::string Array = "__shared__ __align__(16) short s[2][256];";
  std::string Asked = "const bool aligned = (size_t)x % 16 == 0 && n % 8 == 0;";
  std::string Front = "__shared__ unsigned long long full;"
                      " if (threadIdx.x == 0) { kpipe::init_full(full);"
                      " kpipe::fence_proxy_async(); } __syncthreads();";
  std::string Thread = "threadIdx.x == 0";
  std::string Bytes = "1024";
  std::string Rows =
      "kpipe::load_row(s[0][0], &x[r * n + k], 512, full);"
      " kpipe::load_row(s[1][0], &x[(r + 1) * n + k], 512, full);";
  std::string Wait = "kpipe::wait_full(full, (k / 256) & 1);";
  std::string Else =
      "if (!aligned) { for (int i = threadIdx.x; i < 512; i += 64)"
      " s[i / 256][i % 256] = x[(r + i / 256) * n + k + i % 256];"
      " __syncthreads(); }";
  std::string Read = "s[i][threadIdx.x]";
};

std::string rowText(unsigned N, const std::string &Array,
                    const std::string &Front, const std::string &Load,
                    const std::string &Read) {
  const std::string Kernel = "f" + std::to_string(N);
  return "__global__ void " + Kernel +
         "(const short *x, const short *w, int *y, int n, int m) { " + Array +
         " int r = blockIdx.x * 2; int sum = 0; " + Front +
         " for (int k = 0; k < n; k += 256) { " + Load +
         " for (int i = 0; i < 2; ++i) sum += " + Read +
         "; __syncthreads(); } y[threadIdx.x] = sum; }\n";
}

const char *const ByElements =
    "for (int i = threadIdx.x; i < 512; i += 64)"
    " s[i / 256][i % 256] = x[(r + i / 256) * n + k + i % 256];";
const char *const ByVectors =
    "for (int i = threadIdx.x; i < 64; i += 64)"
    " *(int4 *)&s[i / 32][i % 32 * 8] ="
    " *(const int4 *)&x[(r + i / 32) * n + k + i % 32 * 8];";

/// Parsed together, as that takes a while.
class RowCases {
public:
  void add(bool Same, const RowParts &P, const char *Copy = ByElements,
           const std::string &Between = "") {
    const unsigned N = Expected.size();
    Old += rowText(N, "__shared__ short s[2][256];", "",
                   Copy + Between + " __syncthreads();", "s[i][threadIdx.x]");
    New +=
        rowText(N, P.Array, P.Asked + " " + P.Front,
                "if (" + P.Thread + ") { kpipe::expect_tile(full, " + P.Bytes +
                    "); " + P.Rows + " } " + Between + P.Wait + " " + P.Else,
                P.Read);
    Expected.push_back(Same);
  }
  void other(std::string RowParts::*Part, const char *Text) {
    RowParts P;
    P.*Part = Text;
    add(false, P);
  }

  void check() const {
    FrontendOptions Options;
    Options.InputText = Old;
    auto Author = parseUnit("rows.cu", "sm_90", Options);
    ASSERT_TRUE(bool(Author)) << llvm::toString(Author.takeError());
    llvm::StringMap<std::string> Texts;
    Texts["rows.cu"] = New;
    auto Other = (*Author)->withTexts(Texts, /*WithRuntime=*/true);
    ASSERT_TRUE(bool(Other)) << llvm::toString(Other.takeError());
    EXPECT_TRUE((*Author)->errors().empty());
    for (const ParseError &E : (*Other)->errors())
      ADD_FAILURE() << E.Where.Line << ": " << E.Message;
    for (unsigned I = 0; I != Expected.size(); ++I)
      EXPECT_EQ(engineBringsRows((*Author)->context(), (*Other)->context(),
                                 {"rows.cu", I + 1, 1}, {64, 1, 1}),
                Expected[I])
          << "case " << I;
  }

private:
  std::string Old, New;
  std::vector<bool> Expected;
};

/// Rows that threads copy by 16 bytes: nothing is asked.
RowParts alone() {
  RowParts P;
  P.Asked = P.Else = "";
  return P;
}

TEST(BulkMeaning, Same) {
  RowCases All;
  All.add(true, {});
  RowParts P;
  P.Front += " unsigned bit = 0;";
  P.Wait = "kpipe::wait_full(full, bit); bit ^= 1;";
  All.add(true, P);
  All.add(true, alone(), ByVectors);
  All.add(true, alone(), ByVectors, "const int half = k / 2 + m;");
  P = {};
  P.Asked = "const bool aligned = n % 16 == 0 && (size_t)x % 16 == 0;";
  All.add(true, P);
  All.check();
}

TEST(BulkMeaning, OtherPlaces) {
  RowCases All;
  auto Rows = &RowParts::Rows;
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n + k], 512, full);"
                  " kpipe::load_row(s[1][0], &x[r * n + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[1][0], &x[r * n + k], 512, full);"
                  " kpipe::load_row(s[0][0], &x[(r + 1) * n + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &w[r * n + k], 512, full);"
                  " kpipe::load_row(s[1][0], &w[(r + 1) * n + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * m + k], 512, full);"
                  " kpipe::load_row(s[1][0], &x[(r + 1) * m + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n], 512, full);"
                  " kpipe::load_row(s[1][0], &x[(r + 1) * n], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][8], &x[r * n + k], 512, full);"
                  " kpipe::load_row(s[1][0], &x[(r + 1) * n + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n + k], 512, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n + k], 1024, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n + k], 496, full);"
                  " kpipe::load_row(s[1][0], &x[(r + 1) * n + k], 528, full);");
  All.other(Rows, "kpipe::load_row(s[0][0], &x[r * n + k], 512, full);"
                  " kpipe::load_row(s[1][0], &x[(r + 1) * n + k], 512, full);"
                  " kpipe::load_row(s[0][0], &x[r * n + k], 512, full);");
  All.other(&RowParts::Array, "__shared__ short s[2][256];");
  All.other(&RowParts::Array, "__shared__ __align__(16) short s[2][264];");
  All.other(&RowParts::Bytes, "512");
  All.other(&RowParts::Read, "s[i][threadIdx.x ^ 8]");
  All.other(&RowParts::Read, "s[i][threadIdx.x] + 1");
  All.check();
}

TEST(BulkMeaning, OtherThreads) {
  RowCases All;
  All.other(&RowParts::Thread, "threadIdx.x < 32");
  All.other(&RowParts::Thread, "threadIdx.x == 64");
  All.other(&RowParts::Thread, "threadIdx.x == 0 && r");
  All.other(&RowParts::Front,
            "__shared__ unsigned long long full; { kpipe::init_full(full);"
            " kpipe::fence_proxy_async(); } __syncthreads();");
  All.other(&RowParts::Front,
            "__shared__ unsigned long long full; if (threadIdx.x < 2)"
            " { kpipe::init_full(full); kpipe::fence_proxy_async(); }"
            " __syncthreads();");
  All.other(&RowParts::Front,
            "__shared__ unsigned long long full; if (threadIdx.x == 0)"
            " { kpipe::init_full(full); kpipe::fence_proxy_async(); }");
  All.check();
}

TEST(BulkMeaning, OtherAlignment) {
  RowCases All;
  auto Asked = &RowParts::Asked;
  All.other(Asked, "const bool aligned = (size_t)x % 16 == 0;");
  All.other(Asked, "const bool aligned = n % 8 == 0;");
  All.other(Asked, "const bool aligned = (size_t)x % 16 == 0 && n % 4 == 0;");
  All.other(Asked, "const bool aligned = (size_t)x % 8 == 0 && n % 8 == 0;");
  All.other(Asked, "const bool aligned = (size_t)w % 16 == 0 && n % 8 == 0;");
  All.other(Asked, "const bool aligned = (size_t)x % 16 == 0 && m % 8 == 0;");
  All.other(Asked, "const bool aligned = (size_t)x % 16 == 0 || n % 8 == 0;");
  All.other(Asked, "const bool aligned = (size_t)x % 16 == 0 && n % 8 == 0 &&"
                   " threadIdx.x < 32;");
  All.other(Asked, "const bool aligned = n < 0;");
  All.other(Asked, "const bool aligned = true;");
  All.add(false, alone());
  All.check();
}

TEST(BulkMeaning, OtherElse) {
  RowCases All;
  auto Else = &RowParts::Else;
  All.other(Else, "");
  All.other(Else, "if (aligned) { for (int i = threadIdx.x; i < 512; i += 64)"
                  " s[i / 256][i % 256] = x[(r + i / 256) * n + k + i % 256];"
                  " __syncthreads(); }");
  All.other(Else,
            "if (!aligned) { for (int i = threadIdx.x; i < 512; i += 64)"
            " s[i / 256][i % 256] = x[(r + i / 256) * n + k + i % 256]; }");
  All.other(Else, "if (!aligned) { for (int i = threadIdx.x; i < 256; i += 64)"
                  " s[i / 256][i % 256] = x[(r + i / 256) * n + k + i % 256];"
                  " __syncthreads(); }");
  All.other(Else, "if (!aligned) { for (int i = threadIdx.x; i < 512; i += 64)"
                  " s[i / 256][i % 256] = w[(r + i / 256) * n + k + i % 256];"
                  " __syncthreads(); }");
  All.other(Else, "if (!aligned) __syncthreads();");
  All.other(&RowParts::Wait, "");
  All.other(&RowParts::Wait, "__syncthreads();");
  RowParts P = alone();
  All.add(false, P, ByVectors, "sum += s[0][0];");
  All.add(false, P, ByVectors, "sum += k;");
  All.add(false, P, ByVectors, "const int there = s[0][threadIdx.x];");
  All.check();
}

} // namespace
