// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and the JSON, to the letter.
#include "kpipe/Reporting.h"
#include "kpipe/Engine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

const ArchLimits &arch(llvm::StringRef Name) {
  return llvm::cantFail(findArch(Name));
}

std::string tableOf(llvm::ArrayRef<LoopReport> Loops) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printTable(OS, Loops);
  return Text;
}

std::string jsonOf(llvm::ArrayRef<LoopReport> Loops,
                   llvm::ArrayRef<Diagnostic> Others = {}) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJson(OS, Loops, Others);
  return Text;
}

/// A GEMM whose A tile is transposed: 256 threads, 16 KB become 32 KB.
ArchReport mixedOn(const char *Name) {
  ArchReport A;
  A.Arch = Name;
  A.Verdict = LoopVerdict::Pipelined;
  A.Routes = RouteMix::Both;
  A.Form.Stages = 2;
  A.Form.Schedule = ScheduleKind::Peeled;
  A.Copies = {{"As", 4, Route::Registers, {msg::verbatim, "the copy transposes its tile"}},
              {"Bs", 16, Route::AsyncCopy, {msg::verbatim, "16 contiguous, aligned bytes"}}};
  A.RegistersStaged = 4;
  A.Budget = makeBudget(arch(Name), {256, 16384, 0, 96}, {256, 32768, 0, 100});
  return A;
}

LoopReport gemm() {
  LoopReport Loop;
  Loop.Where = {"gemm.cu", 41, 3};
  Loop.Function = "sgemm<128, 8>";
  Loop.Ratio = 25.6;
  Loop.Archs = {mixedOn("sm_86")};
  return Loop;
}

LoopReport refused() {
  LoopReport Loop;
  Loop.Where = {"gemm.cu", 90, 5};
  Loop.Function = "update";
  ArchReport A;
  A.Arch = "sm_86";
  A.Verdict = LoopVerdict::Refused;
  Diagnostic Alias;
  Alias.Level = Severity::Warning;
  Alias.Rule = RuleId::MayAlias;
  Alias.Where = {"gemm.cu", 97, 7};
  Alias.What = {msg::verbatim, "not pipelined: 'C' is stored in the loop and may alias 'A', "
                  "which the load region reads"};
  Alias.Notes = {{{"gemm.cu", 80, 31}, {msg::verbatim, "'A' is declared here"}}};
  A.Reasons = {Alias};
  Loop.Archs = {A};
  return Loop;
}

void expectNarrow(llvm::StringRef Text) {
  for (llvm::StringRef Line : llvm::split(Text, '\n'))
    EXPECT_LE(Line.size(), 100u) << Line.str();
}

TEST(Table, OneArchitecture) {
  std::string Text = tableOf({gemm(), refused()});
  EXPECT_EQ(
      Text,
      "gemm.cu:41:3: sgemm<128, 8>: pipelined\n"
      "  compute/load: 25.6 operations per byte (over 20)\n"
      "  copies:\n"
      "    array  bytes  route      why\n"
      "    As         4  registers  the copy transposes its tile\n"
      "    Bs        16  cp.async   16 contiguous, aligned bytes\n"
      "  arch   variant  stages  regs  bytes/block     blocks/SM  limited by  "
      "next cliff\n"
      "  sm_86  mixed         2     4  16384 -> 32768  2 -> 2     registers   "
      "50176 (+17408)\n"
      "\n"
      "gemm.cu:90:5: update: refused\n"
      "  reasons:\n"
      "    not pipelined: 'C' is stored in the loop and may alias 'A', which "
      "the "
      "load region reads\n"
      "      [kpipe-may-alias]\n"
      "\n"
      "sm_86: 2 loops: 1 pipelined, 1 refused\n");
  expectNarrow(Text);
}

TEST(Table, SeveralArchitecturesShareWhatIsTheSame) {
  LoopReport Loop = gemm();
  ArchReport Old = mixedOn("sm_75");
  Old.Routes = RouteMix::Registers;
  Old.RegistersStaged = 8;
  Old.Copies[1] = {"Bs", 16, Route::Registers, {msg::verbatim, "sm_75 has no asynchronous copy"}};
  Loop.Archs = {Old, mixedOn("sm_86"), mixedOn("sm_90")};
  std::string Text = tableOf(Loop);
  EXPECT_EQ(
      Text,
      "gemm.cu:41:3: sgemm<128, 8>: pipelined\n"
      "  compute/load: 25.6 operations per byte (over 20)\n"
      "  copies (sm_75):\n"
      "    array  bytes  route      why\n"
      "    As         4  registers  the copy transposes its tile\n"
      "    Bs        16  registers  sm_75 has no asynchronous copy\n"
      "  copies (sm_86, sm_90):\n"
      "    array  bytes  route      why\n"
      "    As         4  registers  the copy transposes its tile\n"
      "    Bs        16  cp.async   16 contiguous, aligned bytes\n"
      "  arch   variant    stages  regs  bytes/block     blocks/SM  limited by "
      "  "
      "  next cliff\n"
      "  sm_75  registers       2     8  16384 -> 32768  2 -> 2     shared "
      "memory  32768 (+0)\n"
      "  sm_86  mixed           2     4  16384 -> 32768  2 -> 2     registers  "
      "  "
      "  50176 (+17408)\n"
      "  sm_90  mixed           2     4  16384 -> 32768  2 -> 2     registers  "
      "  "
      "  115712 (+82944)\n"
      "\n"
      "sm_75: 1 loop: 1 pipelined\n"
      "sm_86: 1 loop: 1 pipelined\n"
      "sm_90: 1 loop: 1 pipelined\n");
  expectNarrow(Text);
}

TEST(Table, VerdictsMayDifferByArchitecture) {
  LoopReport Loop = gemm();
  Loop.Ratio.reset();
  ArchReport Small;
  Small.Arch = "sm_75";
  Small.Verdict = LoopVerdict::Refused;
  Diagnostic Budget;
  Budget.Rule = RuleId::Budget;
  Budget.What = {msg::verbatim, "not pipelined: two stages need 69632 bytes of shared memory "
      "per block and sm_75 has 65536"};
  Small.Reasons = {Budget};
  Small.Budget =
      makeBudget(arch("sm_75"), {256, 0, 34816, 96}, {256, 0, 69632, 96});
  Loop.Archs = {Small, mixedOn("sm_86")};
  std::string Text = tableOf(Loop);
  EXPECT_EQ(
      Text,
      "gemm.cu:41:3: sgemm<128, 8>: refused on sm_75; pipelined on sm_86\n"
      "  reasons (sm_75):\n"
      "    not pipelined: two stages need 69632 bytes of shared memory per "
      "block "
      "and sm_75 has 65536\n"
      "      [kpipe-budget]\n"
      "  copies (sm_86):\n"
      "    array  bytes  route      why\n"
      "    As         4  registers  the copy transposes its tile\n"
      "    Bs        16  cp.async   16 contiguous, aligned bytes\n"
      "  arch   variant  stages  regs  bytes/block     blocks/SM  limited by   "
      "  "
      "next cliff\n"
      "  sm_75  -             -     -  34816 -> 69632  1 -> 0     shared "
      "memory  "
      "-\n"
      "  sm_86  mixed         2     4  16384 -> 32768  2 -> 2     registers    "
      "  "
      "50176 (+17408)\n"
      "\n"
      "sm_75: 1 loop: 1 refused\n"
      "sm_86: 1 loop: 1 pipelined\n");
  expectNarrow(Text);
}

TEST(Table, UnknownBlockSizeSaysHowToGiveIt) {
  LoopReport Loop = gemm();
  Loop.Ratio = 2.25;
  ArchReport &A = Loop.Archs.front();
  A.Routes = RouteMix::Registers;
  A.Form.Stages = 1;
  A.Copies = {{"tile", 0, Route::Registers, {msg::verbatim, "one thread's bytes are not constant"}}};
  A.Budget = makeBudget(arch("sm_86"), {0, 4096, 0, {}}, {0, 4096, 0, {}});
  EXPECT_EQ(
      tableOf(Loop),
      "gemm.cu:41:3: sgemm<128, 8>: pipelined\n"
      "  compute/load: 2.2 operations per byte (under 5)\n"
      "  copies:\n"
      "    array  bytes  route      why\n"
      "    tile       ?  registers  one thread's bytes are not constant\n"
      "  arch   variant    stages  regs  bytes/block   blocks/SM  limited by  "
      "next cliff\n"
      "  sm_86  registers       1     4  4096 -> 4096  ? -> ?     ?           "
      "?\n"
      "  ?: threads per block or dynamic shared memory unknown; see the "
      "reasons\n"
      "\n"
      "sm_86: 1 loop: 1 pipelined\n");
}

TEST(Table, StaysWithinTheWidthAtTheLargestNumbers) {
  LoopReport Loop = gemm();
  Loop.Function =
      "detail::sgemm_warp_tiled<128, 128, 16, 64, 64, 4, 8, 4, 128, "
      "detail::epilogue<float, detail::linear_combination>>";
  ArchReport &A = Loop.Archs.front();
  A.Arch = "sm_100";
  A.Routes = RouteMix::Registers;
  A.RegistersStaged = 128;
  A.Copies[0].Reason = {msg::verbatim, "the copy converts every element on its way to shared "
                       "memory, which an asynchronous copy of bytes cannot do"};
  A.Budget =
      makeBudget(arch("sm_100"), {32, 0, 115712, {}}, {32, 0, 231424, {}});
  Diagnostic Why;
  Why.What = {msg::verbatim, "two stages: with three, the tile would take 347136 bytes per "
                "block, which is more than the 232448 that sm_100 has"};
  A.Reasons = {Why};
  std::string Text = tableOf(Loop);
  expectNarrow(Text);
  EXPECT_NE(Text.find("115712 -> 231424  2 -> 1     shared memory  232448 "
                      "(+1024)\n"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("    As         4  registers  the copy converts every "
                      "element on its way to shared memory, which an\n"
                      "                             asynchronous copy of bytes "
                      "cannot do\n"),
            std::string::npos)
      << Text;
}

TEST(Table, OffAndAlreadyPipelinedAreCounted) {
  LoopReport Off = refused(), Done = refused();
  Off.Archs[0].Verdict = LoopVerdict::Off;
  Off.Archs[0].Reasons.clear();
  Done.Archs[0].Verdict = LoopVerdict::AlreadyPipelined;
  Done.Archs[0].Reasons.clear();
  std::string Text = tableOf({Done, refused(), Off, gemm()});
  EXPECT_TRUE(llvm::StringRef(Text).starts_with(
      "gemm.cu:90:5: update: already pipelined\n\ngemm.cu:90:5: update: "
      "refused"))
      << Text;
  EXPECT_TRUE(llvm::StringRef(Text).ends_with(
      "sm_86: 4 loops: 1 pipelined, 1 refused, 1 already pipelined, 1 off\n"))
      << Text;
}

TEST(Table, NothingToTell) {
  EXPECT_EQ(tableOf({}), "no loop with a block barrier\n");
}

TEST(Ratio, Classes) {
  EXPECT_EQ(ratioClass(4.99), "under 5");
  EXPECT_EQ(ratioClass(5), "5 to 20");
  EXPECT_EQ(ratioClass(20), "5 to 20");
  EXPECT_EQ(ratioClass(20.01), "over 20");
}

TEST(Merge, JoinsArchitecturesOfOneLoop) {
  LoopReport On90 = gemm(), OtherInstance = gemm();
  On90.Archs = {mixedOn("sm_90")};
  OtherInstance.Function = "sgemm<64, 8>";
  std::vector<LoopReport> Loops =
      mergeReports({gemm(), refused(), OtherInstance, On90});
  ASSERT_EQ(Loops.size(), 3u);
  EXPECT_EQ(Loops[0].Function, "sgemm<128, 8>");
  ASSERT_EQ(Loops[0].Archs.size(), 2u);
  EXPECT_EQ(Loops[0].Archs[1].Arch, "sm_90");
  EXPECT_EQ(Loops[1].Function, "update");
  EXPECT_EQ(Loops[2].Archs.size(), 1u);
}

TEST(Json, HoldsAllThatIsKnown) {
  Diagnostic Passed;
  Passed.Rule = RuleId::PassedOver;
  Passed.Where.File = "gemm.cu";
  Passed.What = {msg::verbatim, "2 errors outside"};
  EXPECT_EQ(jsonOf({gemm(), refused()}, Passed), R"({
  "version": 1,
  "loops": [
    {
      "file": "gemm.cu",
      "line": 41,
      "column": 3,
      "function": "sgemm<128, 8>",
      "operationsPerByte": 25.60,
      "ratioClass": "over 20",
      "archs": [
        {
          "arch": "sm_86",
          "verdict": "pipelined",
          "reasons": [],
          "variant": "mixed",
          "stages": 2,
          "schedule": "peeled",
          "registersStaged": 4,
          "copies": [
            {
              "array": "As",
              "bytes": 4,
              "route": "registers",
              "reason": "the copy transposes its tile"
            },
            {
              "array": "Bs",
              "bytes": 16,
              "route": "cp.async",
              "reason": "16 contiguous, aligned bytes"
            }
          ],
          "budget": {
            "sharedBytesBefore": 16384,
            "sharedBytesAfter": 32768,
            "blocksPerSMBefore": 2,
            "blocksPerSMAfter": 2,
            "limitedBy": "registers",
            "cliffBytes": 50176,
            "bytesToCliff": 17408
          }
        }
      ]
    },
    {
      "file": "gemm.cu",
      "line": 90,
      "column": 5,
      "function": "update",
      "archs": [
        {
          "arch": "sm_86",
          "verdict": "refused",
          "reasons": [
            {
              "severity": "warning",
              "id": "kpipe-may-alias",
              "file": "gemm.cu",
              "line": 97,
              "column": 7,
              "message": "not pipelined: 'C' is stored in the loop and may alias 'A', which the load region reads",
              "notes": [
                {
                  "file": "gemm.cu",
                  "line": 80,
                  "column": 31,
                  "message": "'A' is declared here"
                }
              ]
            }
          ]
        }
      ]
    }
  ],
  "diagnostics": [
    {
      "severity": "remark",
      "id": "kpipe-passed-over",
      "file": "gemm.cu",
      "message": "2 errors outside"
    }
  ]
}
)");
}

TEST(Json, IsValidForAnyBytes) {
  LoopReport Loop = refused();
  Loop.Where.File = "we\"ird\\\xff\n.cu";
  Loop.Archs[0].Reasons[0].What = {msg::verbatim, "\x01\xc3"};
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(jsonOf(Loop));
  ASSERT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
  EXPECT_EQ(jsonOf({}), "{\n  \"version\": 1,\n  \"loops\": [],\n"
                        "  \"diagnostics\": []\n}\n");
}

} // namespace
