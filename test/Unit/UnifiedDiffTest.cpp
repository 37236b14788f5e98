// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified diffs: their form, and that they lead from the old to the new text.
#include "rewrite/UnifiedDiff.h"
#include "kpipe/LineDiff.h"
#include "gtest/gtest.h"
#include <random>

using namespace kpipe;

namespace {

TEST(UnifiedDiff, IsEmptyForEqualTexts) {
  EXPECT_EQ(unifiedDiff("f", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(unifiedDiff("f", "", ""), "");
}

TEST(UnifiedDiff, HasThreeLinesOfContext) {
  EXPECT_EQ(unifiedDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n "
            "7\n 8\n");
}

TEST(UnifiedDiff, CutsDistantChangesIntoHunks) {
  EXPECT_EQ(unifiedDiff("f", "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
                        "A\n1\n2\n3\n4\n5\n6\n7\nB\n"),
            "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
            "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(UnifiedDiff, CountsPureInsertionsFromTheLineBefore) {
  EXPECT_EQ(unifiedDiff("f", "", "a\n"),
            "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
}

TEST(UnifiedDiff, MarksAMissingNewline) {
  EXPECT_EQ(unifiedDiff("f", "a", "a\n"),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of "
            "file\n+a\n");
}

TEST(DiffLines, LeadsFromOldToNewInRandomTexts) {
  std::mt19937 Random(1);
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Old, New;
    for (unsigned I = 0, E = Random() % 12; I < E; ++I)
      Old += std::string(1, 'a' + Random() % 4) + "\n";
    for (unsigned I = 0, E = Random() % 12; I < E; ++I)
      New += std::string(1, 'a' + Random() % 4) + "\n";
    auto OldLines = splitLines(Old), NewLines = splitLines(New);
    std::string Built;
    unsigned Line = 0;
    for (const LineChange &C : diffLines(OldLines, NewLines)) {
      ASSERT_LE(Line, C.OldBegin);
      for (; Line < C.OldBegin; ++Line)
        Built += OldLines[Line];
      for (unsigned N = C.NewBegin; N < C.NewEnd; ++N)
        Built += NewLines[N];
      Line = C.OldEnd;
    }
    for (; Line < OldLines.size(); ++Line)
      Built += OldLines[Line];
    ASSERT_EQ(Built, New) << "from\n" << Old;
  }
}

TEST(DiffLines, FindsTheShortestWay) {
  auto Old = splitLines("a\nb\nc\na\nb\nb\na\n");
  auto New = splitLines("c\nb\na\nb\na\nc\n");
  unsigned Changed = 0;
  for (const LineChange &C : diffLines(Old, New))
    Changed += C.OldEnd - C.OldBegin + C.NewEnd - C.NewBegin;
  EXPECT_EQ(Changed, 5u);
}

TEST(DiffLines, StaysFastWithThousandsOfChanges) {
  std::string Old, New;
  for (int I = 0; I < 2000; ++I) {
    std::string Name = "kernel" + std::to_string(I) + "\n";
    Old += Name + "{\n  old one\n  old two\n}\n";
    New += Name + "{\n  new one\n  new two\n  new three\n}\n";
  }
  EXPECT_EQ(diffLines(splitLines(Old), splitLines(New)).size(), 2000u);
}

} // namespace
