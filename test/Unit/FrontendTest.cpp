// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second parse: what it accepts and what it refuses, with the snapshot and
// without.
#include "kpipe/Frontend.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

const char Kernel[] = "#include <cmath>\n"
                      "#define T 32\n"
                      "__global__ void k(float *A) {\n"
                      "  __shared__ float S[T];\n"
                      "  S[threadIdx.x] = A[threadIdx.x];\n"
                      "}\n"
                      "unknown_type broken;\n";

class SecondParse : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    int Descriptor;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kpipe", "cu", Descriptor,
                                                    Path));
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Kernel;
    FrontendOptions Options;
    Options.Flags = {"-nocudainc"};
    Options.WillCheck = GetParam();
    Unit = llvm::cantFail(parseUnit(Path, "sm_80", Options));
    ASSERT_EQ(Unit->errors().size(), 1u);
  }
  void TearDown() override { llvm::sys::fs::remove(Path); }

  /// The verdict on the kernel's text with From replaced by To; "" is a yes.
  std::string check(llvm::StringRef From, llvm::StringRef To) {
    std::string Text = Kernel;
    Text.replace(Text.find(From.str()), From.size(), To.str());
    auto Again = Unit->parseAgain({{Unit->mainFile(), Text}});
    if (!Again)
      return llvm::toString(Again.takeError());
    if (!Again->Error)
      return "";
    const Place &At = Again->Error->Where;
    return At.File + ":" + std::to_string(At.Line) + ":" +
           std::to_string(At.Column) + ": " + Again->Error->Message;
  }

  llvm::SmallString<128> Path;
  std::unique_ptr<ParsedUnit> Unit;
};

TEST_P(SecondParse, AcceptsAResultWithTheInputsErrorsOnly) {
  EXPECT_EQ(check("S[T]", "S[2 * T]"), "");
}

TEST_P(SecondParse, FindsTheRuntime) {
  EXPECT_EQ(check("#define", "#include <kpipe/pipeline.h>\n#define"), "");
}

TEST_P(SecondParse, FindsTheRuntimeAboveTheIncludes) {
  EXPECT_EQ(check("#include", "#include <kpipe/pipeline.h>\n#include"), "");
}

TEST_P(SecondParse, NamesANewError) {
  EXPECT_EQ(check("= A[threadIdx.x]", "= B[threadIdx.x]"),
            (Path + ":5:20: use of undeclared identifier 'B'").str());
}

TEST_P(SecondParse, NamesANewErrorOfAKnownKind) {
  EXPECT_EQ(check("unknown_type broken;", "unknown_type broken, *other;\n"
                                          "unknown_type more;"),
            (Path + ":8:1: unknown type name 'unknown_type'").str());
}

TEST_P(SecondParse, NamesAConditionalLeftOpen) {
  EXPECT_EQ(check("#define", "#ifndef Q\n#define"), (Path + ":2:2: "
                                                     "unterminated conditional "
                                                     "directive").str());
}

INSTANTIATE_TEST_SUITE_P(Ways, SecondParse, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &Info) {
                           return Info.param ? "WithSnapshot" : "Whole";
                         });

} // namespace
