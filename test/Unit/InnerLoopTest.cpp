// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop in which a tile is computed, in machine code.
#include "kpipe/Verify.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

std::optional<InnerLoop> innerOf(const std::string &Lines) {
  sass::Listing L = llvm::cantFail(
      sass::parseListing("\t.section\t.text.k\n.text.k:\n" + Lines));
  return innerLoop(L.Functions.front());
}

TEST(InnerLoop, ReadsMostOfSharedMemory) {
  // Within the loop with the barrier; copies before it read none, what is
  // behind it is another loop's.
  auto Found = innerOf(R"(
.L_x_0:
        /*0000*/  LDG.E R4, [R2.64] ;
        /*0010*/  @P2 BRA `(.L_x_0) ;
.L_x_1:
        /*0020*/  BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_2:
        /*0030*/  LDS.128 R4, [R2] ;
        /*0040*/  @!PT LDS.128 R8, [R2] ;
        /*0050*/  FFMA R0, R4, R5, R0 ;
        /*0060*/  @P0 BRA `(.L_x_2) ;
.L_x_3:
        /*0070*/  LDS R4, [R2] ;
        /*0080*/  @P0 BRA `(.L_x_3) ;
        /*0090*/  @P1 BRA `(.L_x_1) ;
.L_x_4:
        /*00a0*/  LDS.128 R4, [R2] ;
        /*00b0*/  LDS.128 R8, [R2] ;
        /*00c0*/  @P1 BRA `(.L_x_4) ;
        /*00d0*/  EXIT ;
)");
  ASSERT_TRUE(Found);
  EXPECT_EQ(3u, Found->Instructions);
  EXPECT_EQ(16u, Found->SharedBytes);
  EXPECT_DOUBLE_EQ(3.0 / 16, Found->perByte());
}

TEST(InnerLoop, IsNoneWhereAllIsUnrolled) {
  EXPECT_FALSE(innerOf(R"(
.L_x_1:
        /*0000*/  BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0010*/  LDS.128 R4, [R2] ;
        /*0020*/  FFMA R0, R4, R5, R0 ;
        /*0030*/  @P1 BRA `(.L_x_1) ;
        /*0040*/  EXIT ;
)"));
  // Nor where the inner loop meets as well, or reads nothing of shared memory.
  EXPECT_FALSE(innerOf(R"(
.L_x_0:
        /*0000*/  BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_1:
        /*0010*/  LDS.128 R4, [R2] ;
        /*0020*/  BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0030*/  @P1 BRA `(.L_x_1) ;
.L_x_2:
        /*0040*/  FFMA R0, R4, R5, R0 ;
        /*0050*/  @P1 BRA `(.L_x_2) ;
        /*0060*/  @P1 BRA `(.L_x_0) ;
        /*0070*/  EXIT ;
)"));
}

} // namespace
