// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left to parse of a changed text.
#include "Frontend/ChangedRest.h"
#include "gtest/gtest.h"

using kpipe::changedRest;

namespace {

const char Old[] = "#include <a>\n#include <b>\nint x;\n";
const unsigned AfterA = 13;

TEST(ChangedRest, TakesTheNewRestBehindAnUnchangedBeginning) {
  EXPECT_EQ(changedRest(Old, "#include <a>\n#include <b>\nint y;\n", AfterA,
                        "f.cu"),
            "#line 2 \"f.cu\"\n#include <b>\nint y;\n");
}

TEST(ChangedRest, MovesInsertedLinesBelow) {
  EXPECT_EQ(changedRest(Old, "// new\n#include <a>\n#include <b>\nint y;\n",
                        AfterA, "f.cu"),
            "#line 1 \"f.cu\"\n// new\n#line 3 \"f.cu\"\n#include <b>\nint "
            "y;\n");
}

TEST(ChangedRest, KnowsWhatWasInsertedFromWhatItPushedDown) {
  EXPECT_EQ(changedRest(Old, "#include <aa>\n#include <a>\n#include <b>\nint "
                             "y;\n",
                        AfterA, "f.cu"),
            "#line 1 \"f.cu\"\n#include <aa>\n#line 3 \"f.cu\"\n#include "
            "<b>\nint y;\n");
}

TEST(ChangedRest, GivesUpWhereTheBeginningWasChanged) {
  EXPECT_EQ(changedRest(Old, "#include <c>\n#include <b>\nint x;\n", AfterA,
                        "f.cu"),
            std::nullopt);
}

TEST(ChangedRest, QuotesTheFileName) {
  EXPECT_EQ(changedRest("a\n", "a\nb\n", 2, "x\"\\.cu"),
            "#line 2 \"x\\\"\\\\.cu\"\nb\n");
}

} // namespace
