// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that a producer's warpgroup gives and the author's threads take:
// legal as they are planned, and with any number changed they are not.
#include "Validation/Lockstep/ProducerRegisters.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

bool areThere(unsigned Authors, unsigned Extra, unsigned Keeps, unsigned Takes,
              llvm::StringRef Bounds) {
  DeclaredLoop Loop;
  Loop.Authors = Authors;
  Loop.Extra = Extra;
  Loop.Keeps = Keeps;
  Loop.Takes = Takes;
  return registersAreThere(Loop, Bounds);
}

TEST(ProducerRegisters, OfOneToSevenWarpgroups) {
  EXPECT_TRUE(areThere(128, 128, 24, 232, "256,2,,"));
  EXPECT_TRUE(areThere(128, 128, 24, 104, "256,4,,"));
  EXPECT_TRUE(areThere(256, 128, 24, 240, "384,1,,"));
  EXPECT_TRUE(areThere(256, 128, 40, 232, "384,1,,"));
  EXPECT_TRUE(areThere(384, 128, 24, 160, "512,1,,"));
  EXPECT_TRUE(areThere(896, 128, 24, 64, "1024,1,,"));
  // Threads that the bounds allow and no launch has leave fewer.
  EXPECT_TRUE(areThere(256, 128, 24, 128, "640,1,,"));
}

TEST(ProducerRegisters, MoreThanTheBlockHas) {
  EXPECT_FALSE(areThere(256, 128, 24, 248, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 32, 240, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 24, 240, "384,2,,"));
  EXPECT_FALSE(areThere(256, 128, 24, 240, "640,1,,"));
}

TEST(ProducerRegisters, GivenWhatIsTakenAndTheOtherWayRound) {
  EXPECT_FALSE(areThere(256, 128, 176, 168, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 24, 160, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 24, 0, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 0, 168, "384,1,,"));
}

TEST(ProducerRegisters, NumbersOfTheInstruction) {
  EXPECT_FALSE(areThere(256, 128, 20, 240, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 16, 240, "384,1,,"));
  EXPECT_FALSE(areThere(256, 128, 24, 236, "384,1,,"));
  EXPECT_FALSE(areThere(128, 128, 24, 264, "256,1,,"));
}

TEST(ProducerRegisters, WholeWarpgroups) {
  EXPECT_FALSE(areThere(192, 128, 24, 168, "320,1,,"));
  EXPECT_FALSE(areThere(256, 32, 24, 168, "288,1,,"));
  EXPECT_FALSE(areThere(256, 128, 0, 0, "384,1,,"));
  EXPECT_TRUE(areThere(256, 32, 0, 0, "288,,,"));
  EXPECT_TRUE(areThere(96, 32, 0, 0, "128,,,"));
}

TEST(ProducerRegisters, KnownWhenTheKernelIsCompiled) {
  for (const char *Bounds : {"", "384,", "384,,,", "384,0,,", "384,?,,",
                             "?,1,,", "256,1,,", "384,6,,"})
    EXPECT_FALSE(areThere(256, 128, 24, 240, Bounds)) << Bounds;
}

} // namespace
