// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of remapped copies by itself: the author's copies beside others that
// somebody else wrote, right or wrong. Each case is a function of its own, and
// all are parsed together.
#include "kpipe/RemappedMeaning.h"
#include "kpipe/Frontend.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

const char *const Authors =
    "for (int i = threadIdx.x; i < 256; i += 64) s[i / 16][i % 16] ="
    " r + i / 16 < m && k + i % 16 < n ? x[(r + i / 16) * n + k + i % 16] : 0.0f;";
const char *const Aligned = "(size_t)x % 16 == 0 && n % 4 == 0";

/// Pieces of four, with other parts here and there.
struct Parts {
  std::string To = "s[p / 4][p % 4 * 4]",
              From = "x[(r + p / 4) * n + k + p % 4 * 4]",
              Guard = "r + p / 4 < m && k + p % 4 * 4 < n", Zero = "float4{}",
              Header = "int p = threadIdx.x; p < 64; p += 64";
  std::string text() const {
    return "for (" + Header + ") *(float4 *)&" + To + " = " + Guard +
           " ? *(const float4 *)&" + From + " : " + Zero + ";";
  }
};

class Cases {
public:
  std::string Condition = Aligned, Copies = Authors, InFront;
  std::string Way; ///< to the loop, in both texts

  /// Each function is one line.
  void add(const std::string &Pieces, bool Same) {
    Old += around("", Copies);
    New += around(InFront + "const bool a = " + Condition + ";",
                  "if (a) {" + Pieces + "} else {" + Copies + "}");
    Expected.push_back({Same, Pieces + " where " + Condition});
  }

  void check() const {
    auto Author = parse(Old), Remapped = parse(New);
    ASSERT_TRUE(Author && Remapped);
    for (unsigned I = 0; I != Expected.size(); ++I)
      EXPECT_EQ(bringTheSame(Author->context(), Remapped->context(),
                             {Author->mainFile().str(), I + 1, 1}, {64, 1, 1}),
                Expected[I].first)
          << Expected[I].second;
  }

private:
  std::string Old, New;
  std::vector<std::pair<bool, std::string>> Expected;

  std::string around(const std::string &Front, const std::string &Load) const {
    return "__global__ void f" + std::to_string(Expected.size()) +
           "(float *x, float *z, int n, int m) {"
           " __shared__ __align__(16) float s[16][16];"
           " __shared__ float t[16][16];"
           " int r = blockIdx.x * 16; float sum = 0; " +
           Way + Front + "for (int k = 0; k < n; k += 16) {" + Load +
           "__syncthreads(); sum += s[threadIdx.x % 16][1];"
           " __syncthreads(); } z[threadIdx.x] = sum + t[0][0]; }\n";
  }

  static std::unique_ptr<ParsedUnit> parse(const std::string &Text) {
    FrontendOptions Options;
    Options.InputText = Text;
    auto Unit = parseUnit("remapped.cu", "sm_86", Options);
    if (!Unit) {
      ADD_FAILURE() << llvm::toString(Unit.takeError());
      return nullptr;
    }
    EXPECT_TRUE((*Unit)->errors().empty());
    return std::move(*Unit);
  }
};

TEST(RemappedMeaning, Cases) {
  Cases All;
  const Parts Good;
  auto Add = [&](bool Same, std::string Parts::*Part, const char *Text) {
    Parts P = Good;
    P.*Part = Text;
    All.add(P.text(), Same);
  };
  All.add(Good.text(), true);
  Add(true, &Parts::Zero, "make_float4(0, 0, 0, 0)");
  // Other places, sources and guards.
  Add(false, &Parts::To, "s[p % 16][p / 16 * 4]");
  Add(false, &Parts::To, "t[p / 4][p % 4 * 4]");
  Add(false, &Parts::From, "x[(r + p / 4) * n + k + p % 3 * 4]");
  Add(false, &Parts::From, "z[(r + p / 4) * n + k + p % 4 * 4]");
  Add(false, &Parts::Guard, "r + p / 4 < m && k + p % 4 * 4 <= n");
  Add(false, &Parts::Guard, "k + p % 4 * 4 < n");
  Add(false, &Parts::Zero, "float4{0, 0, 0, 1}");
  // Fewer threads, more of them, one piece twice.
  Add(false, &Parts::Header, "int p = threadIdx.x; p < 63; p += 64");
  Add(false, &Parts::Header, "int p = threadIdx.x; p < 64; p += 32");
  Add(false, &Parts::Header, "int p = threadIdx.x + 1; p < 64; p += 64");
  for (const char *More : {"sum += 1;", "z[0] = 1;", "__syncthreads();"})
    All.add(Good.text() + More, false);
  All.add("", false);
  // Rows or the pointer may not be aligned, or threads choose apart.
  All.Condition = std::string(Aligned) + " && blockDim.x == 64";
  All.add(Good.text(), true);
  for (const char *Other :
       {"(size_t)x % 16 == 0", "n % 4 == 0", "true",
        "(size_t)x % 16 == 0 && n % 2 == 0", "(size_t)z % 16 == 0 && n % 4 == 0",
        "(size_t)x % 8 == 0 && n % 4 == 0",
        "(size_t)x % 16 == 0 && n % 4 == 0 && threadIdx.x < 32",
        "(size_t)x % 16 == 0 && (m = n) % 4 == 0"}) {
    All.Condition = Other;
    All.add(Good.text(), false);
  }
  // What is around it, and what else the author does.
  All.Condition = Aligned;
  All.InFront = "r += 16;";
  All.add(Good.text(), false);
  All.InFront = "";
  for (const char *More : {" atomicAdd(&t[0][0], 1.0f);", " r += 0;"}) {
    All.Copies = std::string(Authors) + More;
    All.add(Good.text(), false);
  }
  // Threads that do not come copy nothing.
  All.Copies = Authors;
  All.Way = "if (m < 3) return; ";
  All.add(Good.text(), true);
  for (const char *Apart :
       {"if (threadIdx.x < 16) return; ", "if (x[threadIdx.x] < 1) return; ",
        "if (threadIdx.x == 5) asm volatile(\"exit;\"); "}) {
    All.Way = Apart;
    All.add(Good.text(), false);
  }
  All.check();
}

} // namespace
