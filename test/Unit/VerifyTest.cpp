// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts on recorded code of two kernels of test/Kernels, before and after,
// on each architecture (test/Verify/record.py makes them anew), and on loops
// written for one check each.
#include "kpipe/Verify.h"
#include "kpipe/Engine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

std::string recorded(const std::string &Name) {
  auto Text = llvm::MemoryBuffer::getFile(std::string(KPIPE_UNIT_INPUTS) +
                                          "/sass/" + Name + ".sass");
  return Text ? (*Text)->getBuffer().str() : "";
}

KernelVerification verify(llvm::StringRef Before, llvm::StringRef After,
                          KernelFacts Facts = {}, const char *Arch = "sm_86",
                          ResourceUse Old = {}, ResourceUse New = {}) {
  sass::Listing A = llvm::cantFail(sass::parseListing(Before));
  sass::Listing B = llvm::cantFail(sass::parseListing(After));
  return verifyKernel({A.Functions.at(0).Name, Old, &A.Functions[0]},
                      {B.Functions.at(0).Name, New, &B.Functions[0]},
                      llvm::cantFail(findArch(Arch)), Facts);
}

/// "holds" and so on of a check, of the last loop that has it.
std::string verdict(const KernelVerification &K, llvm::StringRef Id) {
  std::string Found = "none";
  auto Look = [&](llvm::ArrayRef<Check> Checks) {
    for (const Check &C : Checks)
      if (C.Id == Id)
        Found = describe(C.Verdict).str();
  };
  Look(K.Checks);
  for (const LoopVerification &L : K.Loops)
    Look(L.Checks);
  return Found;
}

const char *const Archs[] = {"sm_75", "sm_80",  "sm_86", "sm_89",
                             "sm_90", "sm_100", "sm_120"};

/// Registers on their way: loads, compute, stores, one barrier. For sm_100 ptxas
/// unrolls the loop and sinks the loads behind most of the compute.
TEST(Verify, RecordedTextbook) {
  for (const char *Arch : Archs) {
    std::string Name = std::string("sgemm_textbook.") + Arch;
    KernelVerification K = verify(recorded(Name + ".before"),
                                  recorded(Name + ".after"), {}, Arch);
    ASSERT_FALSE(K.Loops.empty()) << Arch;
    for (const char *Id : {"main-loop", "no-barrier-between",
                           "barrier-after-wait", "same-compute"})
      EXPECT_EQ("holds", verdict(K, Id)) << Arch << " " << Id;
    const char *Early = Arch == llvm::StringRef("sm_100") ? "fails" : "holds";
    EXPECT_EQ(Early, verdict(K, "loads-before-compute")) << Arch;
    EXPECT_EQ(Early, verdict(K, "wait-after-compute")) << Arch;
    EXPECT_EQ("FFMA", K.Loops[0].ComputeKind);
    EXPECT_EQ(16, K.Loops[0].ComputePerTile) << Arch;
    EXPECT_EQ(16, K.Loops[0].ComputePerTileBefore) << Arch;
    EXPECT_EQ(8, K.Loops[0].BytesPerTile) << Arch;
    EXPECT_NEAR(4.0, *K.Loops[0].Ratio, 0.1) << Arch;
  }
}

/// Two matrix instructions a tile are so few that ptxas moves them behind the
/// wait: what the tool is there to find.
TEST(Verify, RecordedTensorCores) {
  for (const char *Arch : Archs) {
    std::string Name = std::string("hgemm_wmma.") + Arch;
    KernelVerification K = verify(recorded(Name + ".before"),
                                  recorded(Name + ".after"), {}, Arch);
    // ptxas unrolled the loop four times and kept one for what is left.
    ASSERT_EQ(2u, K.Loops.size()) << Arch;
    EXPECT_EQ(4u, K.Loops[0].Tiles) << Arch;
    EXPECT_EQ(1u, K.Loops[1].Tiles) << Arch;
    bool Turing = Arch == llvm::StringRef("sm_75");
    for (const LoopVerification &L : K.Loops) {
      EXPECT_EQ("HMMA", L.ComputeKind) << Arch;
      EXPECT_EQ(Turing ? 4 : 2, L.ComputePerTile) << Arch;
      EXPECT_EQ(32, L.BytesPerTile) << Arch;
    }
    EXPECT_EQ("holds", verdict(K, "same-compute")) << Arch;
    EXPECT_EQ("holds", verdict(K, "barrier-after-wait")) << Arch;
    EXPECT_EQ("fails", Turing ? "fails" : verdict(K, "wait-after-compute"))
        << Arch;
  }
}

/// A loop that loads, waits at a barrier, computes: as plain kernels are.
constexpr const char *Plain = R"(
 .section .text._Z1kv
.L_x_0:
 /*0010*/ LDG.E R4, [R2.64] ;
 /*0020*/ STS [R10], R4 ;
 /*0030*/ BAR.SYNC 0x0 ;
 /*0040*/ LDS R5, [R11] ;
 /*0050*/ FFMA R0, R5, R5, R0 ;
 /*0060*/ FFMA R0, R5, R6, R0 ;
 /*0070*/ BAR.SYNC 0x0 ;
 /*0080*/ @P0 BRA `(.L_x_0) ;
 /*0090*/ EXIT ;
)";

std::string loop(const std::string &Body) {
  return " .section .text._Z1kv\n.L_x_0:\n" + Body +
         " /*0080*/ @P0 BRA `(.L_x_0) ;\n /*0090*/ EXIT ;\n";
}

const std::string Load = " /*0010*/ LDG.E R4, [R2.64] ;\n";
const std::string Read = " /*0020*/ LDS R5, [R11] ;\n";
const std::string Compute = " /*0030*/ FFMA R0, R5, R5, R0 ;\n";
const std::string Store = " /*0040*/ STS [R10], R4 ;\n";
const std::string Barrier = " /*0050*/ BAR.SYNC 0x0 ;\n";

TEST(Verify, Overlap) {
  KernelVerification K = verify(
      Plain, loop(Load + Read + Compute + Compute + Store + Barrier));
  for (const char *Id :
       {"no-barrier-between", "loads-before-compute", "wait-after-compute",
        "barrier-after-wait", "same-compute"})
    EXPECT_EQ("holds", verdict(K, Id)) << Id;
}

TEST(Verify, LoadsBehindTheCompute) {
  KernelVerification K = verify(
      Plain, loop(Read + Compute + Compute + Load + Store + Barrier));
  EXPECT_EQ("fails", verdict(K, "loads-before-compute"));
  EXPECT_EQ("fails", verdict(K, "wait-after-compute"));
  EXPECT_EQ("holds", verdict(K, "same-compute"));
  // Half is enough, and where it stands counts, not how often it is listed.
  K = verify(Plain, loop(Read + Compute + Load + Compute + Store + Barrier));
  EXPECT_EQ("holds", verdict(K, "loads-before-compute"));
}

TEST(Verify, LoadsUsedAtOnce) {
  KernelVerification K = verify(
      Plain, loop(Load + Store + Read + Compute + Compute + Barrier));
  EXPECT_EQ("holds", verdict(K, "loads-before-compute"));
  EXPECT_EQ("fails", verdict(K, "wait-after-compute"));
  EXPECT_EQ("fails", verdict(K, "barrier-after-wait"));
}

TEST(Verify, StepsAsBefore) {
  KernelVerification K = verify(Plain, Plain);
  EXPECT_TRUE(K.Unchanged);
  EXPECT_TRUE(K.Checks.empty());
  // With a plan that pipelines it, the same loop is a failure.
  KernelFacts Facts;
  Facts.HasPlan = true;
  Facts.Pipelined.resize(1);
  Facts.Pipelined[0].Stages = 2;
  Facts.Pipelined[0].HasRegisterCopies = true;
  K = verify(Plain, Plain, Facts);
  EXPECT_EQ("fails", verdict(K, "no-barrier-between"));
  ASSERT_EQ(1u, K.Loops.size());
  EXPECT_EQ(3u, K.Loops[0].Checks[0].Evidence.size());
  EXPECT_EQ("/*0010*/ LDG.E R4, [R2.64]", K.Loops[0].Checks[0].Evidence[0]);
}

TEST(Verify, SingleBuffer) {
  KernelFacts Facts;
  Facts.HasPlan = true;
  Facts.Pipelined.resize(1);
  Facts.Pipelined[0].Stages = 1;
  Facts.Pipelined[0].HasRegisterCopies = true;
  KernelVerification K = verify(
      Plain, loop(Load + Read + Compute + Compute + Barrier + Store + Barrier),
      Facts);
  for (const char *Id : {"no-barrier-between", "wait-after-compute",
                         "barrier-before-store", "barrier-after-wait"})
    EXPECT_EQ("holds", verdict(K, Id)) << Id;
  K = verify(Plain, loop(Load + Read + Compute + Compute + Store + Barrier),
             Facts);
  EXPECT_EQ("fails", verdict(K, "barrier-before-store"));
}

TEST(Verify, ComputeThatIsNotTheOriginals) {
  KernelVerification K = verify(
      Plain,
      loop(Load + Read + Compute + Compute + Compute + Store + Barrier));
  EXPECT_EQ("fails", verdict(K, "same-compute"));
}

TEST(Verify, NoLoop) {
  KernelVerification K = verify(
      Plain, " .section .text._Z1kv\n" + Load + Read + Compute + Store +
                 Barrier + " /*0090*/ EXIT ;\n");
  EXPECT_EQ("not checked", verdict(K, "main-loop"));
  EXPECT_TRUE(K.Loops.empty());
}

TEST(Verify, CopiesAsPlanned) {
  KernelFacts Facts;
  Facts.HasPlan = true;
  Facts.Pipelined.resize(1);
  Facts.Pipelined[0].Stages = 2;
  Facts.Pipelined[0].AsyncBytes = {16};
  const std::string Rest = " /*0012*/ LDGDEPBAR ;\n" + Read + Compute +
                           Compute + " /*0042*/ DEPBAR.LE SB0, 0x0 ;\n" +
                           Barrier;
  auto With = [&](const std::string &Copy) {
    return verify(Plain, loop(" /*0010*/ " + Copy + " ;\n" + Rest), Facts);
  };
  KernelVerification K = With("LDGSTS.E.BYPASS.128 [R2], [R4.64]");
  for (const char *Id : {"copies-as-planned", "no-barrier-between",
                         "loads-before-compute", "wait-after-compute",
                         "barrier-after-wait"})
    EXPECT_EQ("holds", verdict(K, Id)) << Id;
  EXPECT_EQ("fails", verdict(With("LDGSTS.E [R2], [R4.64]"),
                             "copies-as-planned"));
  EXPECT_EQ("fails",
            verdict(verify(Plain,
                           loop(Load + Read + Compute + Store + Barrier),
                           Facts),
                    "copies-as-planned"));
}

TEST(Verify, InnerLoop) {
  auto With = [](const std::string &Bound) {
    return " .section .text._Z1kv\n.L_x_0:\n" + Load +
           " /*0020*/ MOV R9, RZ ;\n.L_x_1:\n" + Read + Compute + Compute +
           " /*0038*/ IADD3 R9, R9, 0x1, RZ ;\n"
           " /*0039*/ ISETP.LT.AND P1, PT, R9, " +
           Bound + ", PT ;\n /*003a*/ @P1 BRA `(.L_x_1) ;\n" + Store +
           Barrier + " /*0080*/ @P0 BRA `(.L_x_0) ;\n /*0090*/ EXIT ;\n";
  };
  std::string Eight;
  for (int I = 0; I != 8; ++I)
    Eight += Read + Compute + Compute;
  std::string Unrolled = loop(Load + Store + Barrier + Eight + Barrier);
  KernelVerification K = verify(Unrolled, With("0x8"));
  EXPECT_EQ("holds", verdict(K, "same-compute"));
  EXPECT_EQ("holds", verdict(K, "wait-after-compute"));
  EXPECT_EQ(16, K.Loops.at(0).ComputePerTile);
  K = verify(Unrolled, With("R20"));
  EXPECT_EQ("not checked", verdict(K, "same-compute"));
  EXPECT_EQ("holds", verdict(K, "wait-after-compute"));
}

TEST(Verify, Resources) {
  llvm::StringMap<ResourceUse> Uses = parseResourceUse(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kv' for 'sm_86'\n"
      "ptxas info    : Function properties for _Z1kv\n"
      "    24 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 1 barriers, 16384 bytes smem, "
      "388 bytes cmem[0]\n");
  ASSERT_EQ(1u, Uses.count("_Z1kv"));
  ResourceUse Use = Uses["_Z1kv"];
  EXPECT_EQ(128u, Use.Registers);
  EXPECT_EQ(24u, Use.Stack);
  EXPECT_EQ(16u, Use.SpillStores);
  EXPECT_EQ(12u, Use.SpillLoads);
  EXPECT_EQ(16384u, Use.StaticShared);
  // Functions that are called are no kernels, and theirs are counted apart.
  const char Calls[] =
      "ptxas info    : Compiling entry function '_Z1kv' for 'sm_86'\n"
      "ptxas info    : Function properties for _Z1kv\n"
      "    24 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 80 registers, used 1 barriers\n"
      "ptxas info    : Function properties for _Z1fv\n"
      "    0 bytes stack frame, 844 bytes spill stores, 752 bytes spill loads\n"
      "ptxas info    : Function properties for _Z1gv\n"
      "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n";
  EXPECT_EQ(1u, parseResourceUse(Calls).size());
  EXPECT_EQ(0u, parseResourceUse(Calls)["_Z1kv"].SpillStores);
  EXPECT_EQ(848u, parseCalledUse(Calls).SpillStores);
  EXPECT_EQ(760u, parseCalledUse(Calls).SpillLoads);

  KernelFacts Facts;
  Facts.HasPlan = true;
  Facts.Threads = 256;
  Facts.DynamicBefore = Facts.DynamicAfter = 0;
  Facts.PlannedShared = 8192;
  ResourceUse Old{64, 0, 0, 0, 8192};
  std::string After =
      loop(Load + Read + Compute + Compute + Store + Barrier);
  KernelVerification K = verify(Plain, After, Facts, "sm_86", Old, Use);
  EXPECT_EQ("fails", verdict(K, "no-spills"));
  EXPECT_EQ("fails", verdict(K, "shared-as-planned"));
  EXPECT_EQ("fails", verdict(K, "blocks-per-sm")); // 4 -> 2, by registers
  EXPECT_EQ(4u, K.FitsBefore->BlocksPerSM);
  EXPECT_EQ(2u, K.FitsAfter->BlocksPerSM);
  Facts.MayLoseBlocks = true;
  EXPECT_EQ("holds", verdict(verify(Plain, After, Facts, "sm_86", Old, Use),
                             "blocks-per-sm"));

  // Registers decide where dynamic shared memory is not known.
  Facts.MayLoseBlocks = false;
  Facts.DynamicBefore.reset();
  auto Blocks = [&](ResourceUse New) {
    return verdict(verify(Plain, After, Facts, "sm_86", Old, New),
                   "blocks-per-sm");
  };
  EXPECT_EQ("fails", Blocks({128, 0, 0, 0, 8192}));
  EXPECT_EQ("holds", Blocks({64, 0, 0, 0, 8192}));
  EXPECT_EQ("not checked", Blocks({64, 0, 0, 0, 16384}));
  Facts.Threads.reset();
  EXPECT_EQ("holds", Blocks({60, 0, 0, 0, 8192}));
  EXPECT_EQ("not checked", Blocks({128, 0, 0, 0, 8192}));
  // Warps get registers in fours and eights: no block of any size is lost.
  Old.Registers = 98;
  EXPECT_EQ("holds", Blocks({104, 0, 0, 0, 8192}));
  EXPECT_EQ("holds", Blocks({128, 0, 0, 0, 8192}));
  EXPECT_EQ("not checked", Blocks({129, 0, 0, 0, 8192}));
  Facts.Threads = 256;
  EXPECT_EQ("holds", Blocks({104, 0, 0, 0, 8192}));
  // Nothing is known of stages in dynamic shared memory.
  Facts.MayGrowDynamic = true;
  EXPECT_EQ("not checked", Blocks({98, 0, 0, 0, 8192}));
  EXPECT_EQ("fails", Blocks({192, 0, 0, 0, 8192}));
  Facts.Threads.reset();
  EXPECT_EQ("not checked", Blocks({98, 0, 0, 0, 8192}));
}

TEST(Verify, LocalMemory) {
  KernelVerification K = verify(
      Plain, loop(Load + Read + " /*0028*/ LDL R7, [R1] ;\n" + Compute +
                  Compute + Store + Barrier));
  EXPECT_EQ("fails", verdict(K, "no-local-memory"));
}

TEST(Verify, KernelNames) {
  EXPECT_EQ("gemm", kernelName("_Z4gemmPKfS0_Pfiii"));
  EXPECT_EQ("a::k<128, 8>", kernelName("_ZN1a1kILi128ELi8EEEvPf"));
  EXPECT_EQ("extern_c", kernelName("extern_c"));
}

TEST(Verify, Facts) {
  LoopReport Loop;
  Loop.Ratio = 32;
  ArchReport A;
  A.Arch = "sm_86";
  A.Verdict = LoopVerdict::Pipelined;
  A.Form.Stages = 2;
  A.Copies = {{"As", 16, Route::AsyncCopy, {}}, {"Bs", 4, Route::Registers, {}}};
  A.Launch = {"k<128U, 8>", 256, 0, 80};
  A.Budget = makeBudget(llvm::cantFail(findArch("sm_86")), {256, 8192, 0, 80},
                        {256, 16384, 0, 80});
  Loop.Archs = {A};
  KernelFacts Facts = factsOf("k<128u, 8>", "sm_86", {Loop}, true);
  EXPECT_EQ(256u, Facts.Threads);
  EXPECT_EQ(16384u, Facts.PlannedShared);
  EXPECT_EQ(80u, Facts.PlannedRegisters);
  ASSERT_EQ(1u, Facts.Pipelined.size());
  EXPECT_EQ(std::vector<unsigned>{16}, Facts.Pipelined[0].AsyncBytes);
  EXPECT_TRUE(Facts.Pipelined[0].HasRegisterCopies);
  // Another instantiation takes the same steps; its numbers are not known.
  Facts = factsOf("k<64u, 8>", "sm_86", {Loop}, true);
  EXPECT_EQ(1u, Facts.Pipelined.size());
  EXPECT_FALSE(Facts.Threads);
  EXPECT_FALSE(Facts.PlannedShared);
  // A text of another plan: only the launch is known.
  Facts = factsOf("k<128, 8>", "sm_86", {Loop}, false);
  EXPECT_EQ(256u, Facts.Threads);
  EXPECT_TRUE(Facts.Pipelined.empty());
  EXPECT_TRUE(factsOf("other", "sm_86", {Loop}, true).Pipelined.empty());
}

} // namespace
