// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name validator sees each kind of difference: results are changed by hand
// in one place, and each change must be objected to.
#include "ValidationKernels.h"
#include "kpipe/Engine.h"
#include "kpipe/Frontend.h"
#include "kpipe/Validation.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

class NameValidator : public testing::Test {
protected:
  void prepare(Variant Way, llvm::StringRef Text = Kernel) {
    int Descriptor;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor,
                                                    Path));
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Text;
    FrontendOptions Frontend;
    Frontend.Answerer = describeFunctions;
    Unit = llvm::cantFail(parseUnit(Path, "sm_86", Frontend));
    ASSERT_TRUE(Unit->errors().empty());
    TransformOptions Options;
    Options.Archs = {"sm_86"};
    Options.Form.Variant = Way;
    Options.Form.MinBlocks = MinBlocks;
    Options.InlineRuntime = true;
    Outcome = transformUnit(Unit->context(), Options);
    ASSERT_EQ(Outcome.Loops.size(), 1u);
    ASSERT_EQ(Outcome.Loops.front().Declared.size(), 1u);
    Result = llvm::cantFail(clang::tooling::applyAtomicChanges(
        Path, Text, Outcome.Changes, clang::tooling::ApplyChangesSpec()));
  }
  void prepareAgain(Variant Way, llvm::StringRef Text) {
    llvm::sys::fs::remove(Path);
    prepare(Way, Text);
  }
  void TearDown() override { llvm::sys::fs::remove(Path); }

  /// What is said of the result with From replaced by To; "" if nothing.
  std::string verdict(llvm::StringRef From = "", llvm::StringRef To = "") {
    std::string Text = Result;
    if (!From.empty()) {
      size_t At = Text.rfind(From.str());
      if (At == std::string::npos)
        return "not found: " + From.str() + " in " + Text;
      Text.replace(At, From.size(), To.str());
    }
    return verdict(*Outcome.Loops.front().Declared.front(), Text);
  }
  std::string verdict(const DeclaredLoop &Declared, const std::string &Text) {
    const DeclaredLoop *Loop = &Declared;
    auto Again = llvm::cantFail(
        Unit->parseAgain({{Unit->mainFile(), Text}}, functionsToDescribe(Loop)));
    if (Again.Error)
      return "does not parse: " + Again.Error->Message;
    auto Changed = findChangedMeaning(Unit->context(), Loop, Loop,
                                      DescribedFunctions(Again.Answer));
    return Changed ? Changed->Why.Notes.front().What.str() : "";
  }
  /// The same with each From replaced, of which there are several.
  std::string everywhere(llvm::StringRef From, llvm::StringRef To) {
    std::string Text = Result;
    size_t Found = 0;
    for (size_t At = Text.find(From.str()); At != std::string::npos;
         At = Text.find(From.str(), At + To.size()), ++Found)
      Text.replace(At, From.size(), To.str());
    EXPECT_GT(Found, 1u) << Text;
    return verdict(*Outcome.Loops.front().Declared.front(), Text);
  }
  void expectObjection(llvm::StringRef From, llvm::StringRef To) {
    std::string Said = verdict(From, To);
    EXPECT_NE(Said, "") << To.str();
    EXPECT_EQ(Said.find("not found"), std::string::npos) << Said;
    EXPECT_EQ(Said.find("does not parse"), std::string::npos) << Said;
  }

  llvm::SmallString<128> Path;
  std::unique_ptr<ParsedUnit> Unit;
  UnitOutcome Outcome;
  std::string Result;
  Asked<BlocksPerSM> MinBlocks;
};

TEST_F(NameValidator, AcceptsWhatIsEmitted) {
  prepare(Variant::Ldg);
  EXPECT_EQ(verdict(), "");
}

TEST_F(NameValidator, AcceptsAsynchronousCopies) {
  prepare(Variant::CpAsync);
  EXPECT_EQ(verdict(), "");
}

TEST_F(NameValidator, AcceptsMoreParentheses) {
  prepare(Variant::Ldg);
  EXPECT_EQ(verdict("weight<3>(i, j)", "(weight<3>(i, j))"), "");
}

TEST_F(NameValidator, SeesTheComputeRegion) {
  prepare(Variant::Ldg);
  expectObjection("zs[j] * n", "(zs[j] + n)");
  expectObjection("- zs[j]", "+ zs[j]");
  expectObjection("weight<3>", "weight<4>");
  expectObjection("weight<3>(i, j)", "weight<3>(j, i)");
  expectObjection("weight<3>(i, j)", "weight<3>(i, 1)");
  expectObjection("zs[j]", "zs_stages[0][j]");
  expectObjection("zs[j]", "zs_stages[stage ^ 1][j]");
  EXPECT_EQ(verdict("zs[j]", "zs_stages[stage][j]"), "");
  expectObjection("zs[j]", "xs[j]");
  expectObjection("zs = zs_stages[stage];", "zs = zs_stages[0];");
  expectObjection("zs = zs_stages[stage];", "zs = zs_stages[i];");
  expectObjection("zs = zs_stages[stage];", "zs = xs_stages[stage];");
  expectObjection("auto &zs = zs_stages[stage];", "float zs[T] = {};");
  expectObjection("auto &zs = zs_stages[stage];",
                  "auto &zs = zs_stages[stage]; n += 1;");
  expectObjection("* n;", "* m;");
  expectObjection("* n;", "* other;");
  expectObjection("last = sum;", ";");
  expectObjection("last = sum;", "last = sum; last = sum;");
  expectObjection("last = sum;", "last += sum;");
}

TEST_F(NameValidator, SeesNamesThatMeanAnother) {
  prepare(Variant::Ldg);
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "auto compute_tile = [&](int i, int stage) { int n = 3;");
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "int n = 3; auto compute_tile = [&](int i, int stage) {");
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "auto compute_tile = [&, n](int i, int stage) {");
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "auto compute_tile = [&](long i, int stage) {");
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "auto compute_tile = [&](int &i, int stage) {");
  expectObjection("auto compute_tile = [&](int i, int stage) {",
                  "auto compute_tile = [&, sum](int i, int stage) mutable {");
}

TEST_F(NameValidator, SeesCopiesOfStages) {
  prepare(Variant::Ldg, Single);
  EXPECT_EQ(verdict("", ""), "");
  expectObjection("auto &scale = scale_stages[stage];",
                  "auto scale = scale_stages[stage];");
  expectObjection("auto &pair = pair_stages[stage];",
                  "auto pair = pair_stages[stage];");
}

TEST_F(NameValidator, SeesTheHalvesOfTheLoad) {
  prepare(Variant::Ldg);
  expectObjection("xs_reg = x[i + threadIdx.x]", "xs_reg = z[i + threadIdx.x]");
  expectObjection("xs_reg = x[i + threadIdx.x]", "xs_reg = x[i]");
  expectObjection("xs_reg = x[i + threadIdx.x]", "zs_reg = x[i + threadIdx.x]");
  expectObjection("xs_reg = x[i + threadIdx.x];", "");
  expectObjection("zs[threadIdx.x] = zs_reg",
                  "zs[threadIdx.x] = xs_reg");
  expectObjection("zs[threadIdx.x] = zs_reg",
                  "zs[threadIdx.y] = zs_reg");
  expectObjection("zs[threadIdx.x] = zs_reg;", "");
  expectObjection("i + threadIdx.x < m ?", "i + threadIdx.x <= m ?");
}

TEST_F(NameValidator, SeesTheSkeleton) {
  prepare(Variant::Ldg);
  expectObjection("i + T < n", "i < n");
  expectObjection("i + T < n", "i + T < m");
  expectObjection("i + T < n", "(i + T < n) != 0 && n");
  expectObjection("i += T", "i += 1");
  expectObjection("int i = 0;", "int i = 1;");
  expectObjection("if (i < n)", "if (i < m)");
  expectObjection("if (i < n)", "if (i + T < n)");
  expectObjection("fetch_tile(i + T)", "fetch_tile(i + 1)");
  expectObjection("store_tile(stage ^ 1)", "store_tile(stage + 1)");
}

TEST_F(NameValidator, SeesConditionsThatStep) {
  prepare(Variant::Ldg, AskedBefore);
  EXPECT_EQ(verdict(), "");
  expectObjection("if (n + 1)", "if (n)");
  expectObjection("if (n + 1)", "if (n + 2)");
  expectObjection("for (; n;", "for (; n + 1;");
  expectObjection("for (; n; n--)", "for (; n;)");
}

TEST_F(NameValidator, SeesWhatStandsAroundTheLoop) {
  prepare(Variant::Ldg);
  expectObjection("sum + last", "sum - last");
  expectObjection("float sum = 0", "float sum = 1");
  expectObjection("float xs_stages[2][T]", "float xs_stages[3][T]");
  expectObjection("= sum + last;", "= sum + last; y[0] = 0;");
  expectObjection("float xs_reg;", "int xs_reg;");
}

TEST_F(NameValidator, SeesAsynchronousCopies) {
  prepare(Variant::CpAsync);
  expectObjection("&x[i + threadIdx.x]", "&z[i + threadIdx.x]");
  expectObjection("&x[i + threadIdx.x]", "&x[i]");
  expectObjection("&xs[threadIdx.x]", "&xs[threadIdx.y]");
  expectObjection("&xs[threadIdx.x]", "&zs[threadIdx.x]");
  expectObjection("i + threadIdx.x < m)", "i + threadIdx.x < n)");
  expectObjection(
      "kpipe::copy_async(&xs[threadIdx.x], &x[i + threadIdx.x]);", "");
}

TEST_F(NameValidator, SeesEffectsThatTheLoadHas) {
  prepare(Variant::Ldg, Mixed);
  EXPECT_EQ(verdict(), "");
  expectObjection("at += T;", "");
  expectObjection("__nanosleep(20);", "");
  expectObjection("__nanosleep(20);", "__nanosleep(20); other = 3;");
  expectObjection("zs[threadIdx.x] = zs_reg;",
                  "__nanosleep(20); zs[threadIdx.x] = zs_reg;");
  // One branch to the register of another copy.
  expectObjection("zs_reg = at[", "tile.to = at[");
}

TEST_F(NameValidator, SeesHeadersOfSeveralVariables) {
  prepare(Variant::Ldg, Mixed);
  expectObjection("i += T, ++c", "i += T");
  expectObjection("i += T, ++c", "++c, i += T");
  expectObjection("c + 1", "c + 2");
}

TEST_F(NameValidator, SeesTypes) {
  prepare(Variant::Ldg, Mixed);
  expectObjection("sum += 2;", "sum += 2u;");
}

TEST_F(NameValidator, SeesClonesOfHelpers) {
  prepare(Variant::CpAsync, Mixed);
  EXPECT_EQ(verdict(), "");
  expectObjection("put_async<3>", "put_async<4>");
  expectObjection("kpipe::copy_async(&to[threadIdx.x]",
                  "kpipe::copy_async(&to[threadIdx.y]");
}

TEST_F(NameValidator, SeesSharedRegisters) {
  prepare(Variant::Ldg, Branching);
  EXPECT_EQ(verdict(), "");
  // Of a copy that is not in the other branch.
  EXPECT_NE(everywhere("zs_reg[b]", "xs_reg[b]"), "");
  // One turn has what another one fetched.
  const std::string Kept = Result;
  for (llvm::StringRef Part : {"= xs_reg[a];", "xs_reg[a] ="})
    if (size_t At = Result.rfind(Part.str()); At != std::string::npos)
      Result.replace(Result.find("xs_reg[a]", At), 9, "xs_reg[1 - a]");
  EXPECT_NE(Result, Kept);
  EXPECT_NE(verdict(), "");
}

TEST_F(NameValidator, SeesRegistersThatAreTooFew) {
  prepare(Variant::Ldg, Branching);
  expectObjection("float zs_reg[2];", "float zs_reg[1];");
  EXPECT_EQ(verdict("float zs_reg[2];", "float zs_reg[3];"), "");
}

TEST_F(NameValidator, SeesRegistersThatAreNone) {
  prepare(Variant::Ldg);
  expectObjection("float xs_reg;", "__shared__ float xs_reg;");
  expectObjection("float xs_reg;", "static float xs_reg;");
  expectObjection("float xs_reg;", "float &xs_reg = last;");
  EXPECT_EQ(verdict("float xs_reg;", "auto &xs = xs_stages[0]; float xs_reg;"),
            "");
  expectObjection("float xs_reg;",
                  "auto &xs = xs_stages[1]; float xs_reg;");
  expectObjection("float xs_reg;", "float xs_reg = last = 0;");
  Result.replace(Result.find("float xs_reg;"), 13, "auto &xs = xs_stages[0];");
  EXPECT_NE(everywhere("xs_reg", "xs[0]"), "");
}

TEST_F(NameValidator, SeesTilesOfHelpers) {
  prepare(Variant::Ldg, Twice);
  EXPECT_EQ(verdict(), "");
  // What is in no register.
  expectObjection("put_store(xs, xs_tile);", "put_store(xs, put_tile{});");
  EXPECT_NE(everywhere(", xs_tile);", ", *(put_tile *)y);"), "");
  // Another call's, in one half and in both.
  expectObjection("put_store(xs, xs_tile);", "put_store(xs, zs_tile);");
  EXPECT_NE(everywhere(", zs_tile);", ", xs_tile);"), "");
  // A copy that ends with the call.
  expectObjection("int i, put_tile &tile)", "int i, put_tile tile)");
  const std::string Second = "put_store(zs, zs_tile);";
  Result.replace(Result.rfind(Second), Second.size(),
                 "put_store(zs, xs_tile);");
  expectObjection("put_store(xs, xs_tile);", "put_store(xs, zs_tile);");
}

TEST_F(NameValidator, SeesStepsOfConditions) {
  prepare(Variant::Ldg, Stepping);
  EXPECT_EQ(verdict(), "");
  expectObjection("n + 1 > 0", "n + 2 > 0");
  expectObjection("n + 1 > 0", "n > 0");
  expectObjection("n + 1 > 0", "m + 1 > 0");
  expectObjection("; n > 0;", "; n - 1 > 0;");
  expectObjection("; n > 0;", "; n + 1 > 0;");
  expectObjection("; n > 0;", "; m > 0;");
}

TEST_F(NameValidator, SeesLaunchBounds) {
  // Those of the author stay.
  prepare(Variant::Ldg);
  EXPECT_EQ(verdict(), "");
  expectObjection("__launch_bounds__(T)", "__launch_bounds__(T, 2)");
  expectObjection("__launch_bounds__(T)", "__launch_bounds__(T + 16)");
  expectObjection("__launch_bounds__(T)", "");
  // A minimum is what was planned and nothing else is.
  MinBlocks = BlocksPerSM(4);
  prepareAgain(Variant::Ldg, Kernel);
  EXPECT_EQ(verdict(), "");
  expectObjection("(T, 4)", "(T, 5)");
  expectObjection("(T, 4)", "(T)");
  expectObjection("(T, 4)", "(T / 2, 4)");
  expectObjection("__launch_bounds__(T, 4)", "");
  // Where the author has none the threads are planned as well.
  std::string None = Kernel;
  None.replace(None.find(" __launch_bounds__(T)"), 21, "");
  None += "void run(float *x, int n) { k<<<1, 32>>>(x, x, x, n, n); }\n";
  prepareAgain(Variant::Ldg, None);
  EXPECT_EQ(verdict(), "");
  expectObjection("(32, 4)", "(16, 4)");
  expectObjection("(32, 4)", "(32, 3)");
  expectObjection("__launch_bounds__(32, 4) ", "");
}

TEST_F(NameValidator, SeesLoopsThatEndEarly) {
  prepare(Variant::Ldg, Limited);
  EXPECT_EQ(verdict(), "");
  DeclaredLoop Claimed = *Outcome.Loops.front().Declared.front();
  Claimed.Tile.Copies[0].Loops[0].Trips = 2;
  EXPECT_NE(verdict(Claimed, Result), "");
}

/// Whatever was planned, a fill of zeros stands for a value of zeros only.
TEST_F(NameValidator, SeesWhatIsFilledIn) {
  prepare(Variant::CpAsync, filled("0.0f"));
  EXPECT_EQ(verdict(), "");
  const std::string Zeros = Result;
  const DeclaredLoop Asynchronous = *Outcome.Loops.front().Declared.front();
  for (const char *Fill : {"0.0f", "1.0f", "-0.0f", "make_other(0.0f)"}) {
    prepareAgain(Variant::Ldg, filled(Fill));
    DeclaredLoop Claimed = *Outcome.Loops.front().Declared.front();
    Claimed.Async = Asynchronous.Async;
    Claimed.Load = Asynchronous.Load;
    Claimed.Store = Asynchronous.Store;
    std::string Said = verdict(Claimed, Zeros);
    if (llvm::StringRef(Fill) == "0.0f")
      EXPECT_EQ(Said, "");
    else
      EXPECT_NE(Said.find("not known to be all zero bits"), std::string::npos)
          << Fill << ": " << Said;
  }
}

} // namespace
