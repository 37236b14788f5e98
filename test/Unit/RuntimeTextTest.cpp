// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --inline-runtime pastes. That the texts compile is tested in
// test/Runtime.
#include "kpipe/RuntimeText.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

TEST(RuntimeText, EveryPrimitiveHasOne) {
  for (llvm::StringRef Name :
       {"advance_bytes", "bytes_per_stage", "ceil_div", "commit", "copy_async",
        "copy_async_zfill", "next_stage", "opt_in_shared", "previous_stage",
        "staged_bytes", "to_all_stages", "to_first_stage", "trip_count",
        "wait_prior"}) {
    llvm::StringRef Text = runtimeText(Name);
    EXPECT_TRUE(Text.starts_with("#ifndef KPIPE_RUNTIME_")) << Name.str();
    EXPECT_TRUE(Text.contains(" " + Name.str() + "(")) << Name.str();
    EXPECT_TRUE(Text.ends_with("_H\n")) << Name.str();
    EXPECT_FALSE(Text.contains("kpipe-inline")) << Name.str();
    EXPECT_FALSE(Text.contains("#include")) << Name.str();
  }
}

TEST(RuntimeText, WhatIsNoPrimitiveHasNone) {
  for (llvm::StringRef Name : {"", "pipeline", "copy", "../copy_async"})
    EXPECT_EQ(runtimeText(Name), "") << Name.str();
}

TEST(RuntimeText, ABlockHoldsEachOnceInOrder) {
  std::string Block = inlinedRuntime({"wait_prior", "commit", "wait_prior"});
  EXPECT_EQ(Block, "// Pasted by kpipe --inline-runtime from "
                   "<kpipe/pipeline.h>, where each is\n"
                   "// documented. Apache-2.0 WITH LLVM-exception.\n" +
                       runtimeText("commit").str() +
                       runtimeText("wait_prior").str());
}

TEST(RuntimeText, NoPrimitivesNoBlock) {
  EXPECT_EQ(inlinedRuntime({}), "");
  EXPECT_EQ(inlinedRuntime({"none"}), "");
}

} // namespace
