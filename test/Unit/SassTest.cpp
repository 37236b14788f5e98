// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listings: what an instruction is, blocks and loops, trip counts. Recorded ones
// of each architecture are read by VerifyTest.cpp.
#include "kpipe/Sass.h"
#include "gtest/gtest.h"

using namespace kpipe::sass;

namespace {

Listing parsed(llvm::StringRef Text) {
  return llvm::cantFail(parseListing(Text));
}

std::string problem(llvm::StringRef Text) {
  llvm::Expected<Listing> L = parseListing(Text);
  return L ? "" : llvm::toString(L.takeError());
}

/// One instruction, read as part of a function.
Instruction one(const std::string &Text) {
  return parsed("\t.section\t.text.k,\"ax\"\n /*0000*/ " + Text + " ;\n")
      .Functions[0]
      .Instructions[0];
}

TEST(Sass, InstructionParts) {
  Instruction I = one("@!P0 LDGSTS.E.BYPASS.128 [R26+0x100], desc[UR6][R6.64]");
  EXPECT_EQ("!P0", I.Predicate);
  EXPECT_EQ("LDGSTS", I.mnemonic());
  EXPECT_TRUE(I.hasModifier("128"));
  EXPECT_FALSE(I.hasModifier("12"));
  ASSERT_EQ(2u, I.Operands.size());
  EXPECT_EQ("desc[UR6][R6.64]", I.Operands[1]);
  EXPECT_EQ(16u, I.accessBytes());
  EXPECT_EQ(1u, one("LDG.E.U8 R2, [R4.64]").accessBytes());
  EXPECT_EQ(2u, one("LDG.E.U16 R2, [R4.64]").accessBytes());
  EXPECT_EQ(4u, one("LDG.E R2, [R4.64]").accessBytes());
  EXPECT_TRUE(one("@!PT LDS RZ, [RZ]").isDead());
}

TEST(Sass, Registers) {
  auto Written = [](const char *Text) {
    std::optional<RegisterRange> R = writtenRegisters(one(Text));
    return R ? std::to_string(R->First) + "+" + std::to_string(R->Count) : "";
  };
  EXPECT_EQ("4+4", Written("LDG.E.128.CONSTANT R4, [R2.64]"));
  EXPECT_EQ("8+2", Written("IMAD.WIDE R8, R0, 0x4, R2"));
  EXPECT_EQ("28+4", Written("HMMA.16816.F32 R28, R8, R16, R28"));
  EXPECT_EQ("28+2", Written("HMMA.16816.F16 R28, R8, R16, R28"));
  EXPECT_EQ("5+1", Written("SHFL.BFLY PT, R5, R4, 0x10, 0x1f"));
  EXPECT_EQ("", Written("STS.128 [R2], R4"));
  EXPECT_EQ("", Written("ISETP.NE.AND P0, PT, R80, 0x8, PT"));
  EXPECT_EQ("", Written("LDGSTS.E.128 [R2], [R4.64]"));

  auto Reads = [](const char *Text, unsigned Register) {
    for (RegisterRange R : readRegisters(one(Text)))
      if (R.overlaps({Register, 1}))
        return true;
    return false;
  };
  EXPECT_TRUE(Reads("STS.128 [R2], R4", 7));
  EXPECT_TRUE(Reads("STS.128 [R2], R4", 2));
  EXPECT_FALSE(Reads("STS.128 [R2], R4", 8));
  EXPECT_TRUE(Reads("LDG.E R0, [R4.64]", 5));
  EXPECT_FALSE(Reads("LDG.E R0, [R4.64]", 0));
  EXPECT_TRUE(Reads("FFMA R0, R1.reuse, -R3, R0", 3));
  EXPECT_FALSE(Reads("S2R R0, SR_TID.X", 0));
  EXPECT_FALSE(Reads("IADD3 R0, R1, UR4, RZ", 4));
}

/// A rolled loop of eight steps inside of a loop over tiles, as nvdisasm lists
/// it.
constexpr const char *Nested = R"(
	.target	sm_90
	.section	.text._Z1kv,"ax",@progbits
.text._Z1kv:
        /*0000*/                   UMOV UR4, URZ ;
.L_x_0:
        /*0010*/                   MOV R80, RZ ;
.L_x_1:
        /*0020*/                   IADD3 R80, R80, 0x1, RZ ;
        /*0030*/                   ISETP.NE.AND P0, PT, R80, 0x8, PT ;
        /*0040*/               @P0 BRA `(.L_x_1) ;
        /*0050*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0060*/              @!P1 BRA `(.L_x_0) ;
        /*0070*/                   EXIT ;
.L_x_2:
        /*0080*/                   BRA `(.L_x_2);
.L_x_3:
)";

TEST(Sass, Loops) {
  Listing L = parsed(Nested);
  EXPECT_EQ("sm_90", L.Target);
  ASSERT_EQ(1u, L.Functions.size());
  const Function &F = L.Functions[0];
  EXPECT_EQ("_Z1kv", F.Name);
  ASSERT_EQ(2u, F.Loops.size());
  EXPECT_FALSE(F.Loops[0].Parent);
  EXPECT_FALSE(F.Loops[0].TripCount);
  EXPECT_EQ(0u, F.Loops[1].Parent);
  EXPECT_EQ(8u, F.Loops[1].TripCount);
  EXPECT_TRUE(F.Loops[0].contains(F.Loops[1].Header));
}

TEST(Sass, TripCounts) {
  auto Trips = [](std::string Before, std::string Step) {
    Listing L = parsed(" /*0000*/ " + Before + " ;\n.L_x_0:\n /*0010*/ " +
                       Step +
                       " ;\n /*0030*/ @P0 BRA `(.L_x_0) ;\n /*0040*/ EXIT ;\n");
    return L.Functions[0].Loops.at(0).TripCount;
  };
  // What ptxas makes a counter of, on one architecture or another.
  EXPECT_EQ(16u, Trips("HFMA2.MMA R5, -RZ, RZ, 0, 0",
                       "VIADD R5, R5, 0x4 ;\n /*0020*/ "
                       "ISETP.NE.AND P0, PT, R5, 0x40, PT"));
  EXPECT_EQ(8u, Trips("UMOV UR4, 0x10",
                      "UIADD3 UR4, UR4, 0x200, URZ ;\n /*0018*/ "
                      "UISETP.NE.AND UP0, UPT, UR4, 0x1010, UPT ;\n /*0020*/ "
                      "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0"));
  EXPECT_EQ(3u, Trips("IMAD.MOV.U32 R1, RZ, RZ, 0x3",
                      "IADD3 R1, PT, PT, R1, -0x1, RZ ;\n /*0020*/ "
                      "ISETP.GT.AND P0, PT, R1, RZ, PT"));
  // A bound that is no constant; a step that only some threads take.
  EXPECT_EQ(std::nullopt, Trips("MOV R1, RZ",
                                "IADD3 R1, R1, 0x1, RZ ;\n /*0020*/ "
                                "ISETP.LT.AND P0, PT, R1, R9, PT"));
  EXPECT_EQ(std::nullopt, Trips("MOV R1, RZ",
                                "@P3 IADD3 R1, R1, 0x1, RZ ;\n /*0020*/ "
                                "ISETP.LT.AND P0, PT, R1, 0x8, PT"));
}

TEST(Sass, CuobjdumpPrintsAddressesAndEncodings) {
  Listing L = parsed(R"(
	code for sm_86
		Function : k
        /*0000*/                   MOV R1, RZ ;             /* 0x00000a0000017a02 */
                                                            /* 0x000fe40000000f00 */
        /*0010*/               @P0 BRA 0x0 ;                /* 0x0000025000000947 */
        /*0020*/                   EXIT ;                   /* 0x000000000000794d */
)");
  EXPECT_EQ("sm_86", L.Target);
  ASSERT_EQ(1u, L.Functions.size());
  EXPECT_EQ(3u, L.Functions[0].Instructions.size());
  EXPECT_EQ(1u, L.Functions[0].Loops.size());
}

TEST(Sass, WhatIsNoListing) {
  EXPECT_EQ("the listing holds no instruction of a GPU", problem(""));
  EXPECT_EQ("the listing holds no instruction of a GPU",
            problem("nvdisasm fatal   : no such file\n"));
  EXPECT_EQ("'k': the branch 'BRA `(.L_x_9)' leads to nothing in the listing",
            problem("\t.section\t.text.k\n /*0000*/ BRA `(.L_x_9) ;\n"));
}

TEST(Sass, OddText) {
  // Nothing here may crash; what is no instruction is passed over.
  for (const char *Text :
       {"/*", "/*0000*/", "/*0000*/ ;", "/*0000*/ @", "/*0000*/ @P0",
        "/*0000*/ BRA ;", "/*0000*/ BRA `( ;", "/*0000*/ FFMA R1,,R2,[ ;",
        "/*zz*/ NOP ;", ":", ".L_x_0:\n.L_x_0:", "/*0000*/ ISETP ;",
        "/*0000*/ PLOP3 P0 ;", "/*0000*/ MOV R1 ;", "/*0000*/ HFMA2 R1 ;",
        "/*0000*/ IADD3 R4294967297, R1 ;", "Function :", ".section .text."})
    llvm::consumeError(parseListing(Text).takeError());
}

} // namespace
