// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's parts, with what no run of kpipe brings: machine code, hostile
// names, many stages. With KPIPE_HTML_SAMPLE=FILE the sample page is written
// there, for the tests in test/Html that open it.
#include "kpipe/Html.h"
#include "Archs.h"
#include "Html/Alignment.h"
#include "Html/Highlight.h"
#include "Html/Steps.h"
#include "Html/Text.h"
#include "Html/TimelineLayout.h"
#include "kpipe/Engine.h"
#include "kpipe/LineDiff.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace kpipe;
using namespace kpipe::html;

namespace {

std::string pageOf(const HtmlReport &Report) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeHtml(OS, Report);
  return Text;
}

size_t count(llvm::StringRef Text, llvm::StringRef What) {
  return Text.count(What);
}

TEST(HtmlText, EscapesWhatMarkupIsMadeOf) {
  EXPECT_EQ(text("</script><b a=\"x\" b='y'>&amp;"),
            "&lt;/script&gt;&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
}

TEST(HtmlText, ShowsBytesThatAreNoText) {
  EXPECT_EQ(cleaned("a\xFF\xC3z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(cleaned(llvm::StringRef("a\0b\x1B\x7F", 5)),
            "a\u2400b\u241B\u2421");
  EXPECT_EQ(cleaned("\xC2\x85\xEF\xBF\xBE"), "\uFFFD\uFFFD");
  EXPECT_EQ(cleaned("gr\u00FCn \U0001F600\t\n"), "gr\u00FCn \U0001F600\t\n");
}

TEST(HtmlText, TakesCarriageReturnsOnlyFromTheEndsOfLines) {
  EXPECT_EQ(cleaned("a\r\nb\rc\r"), "a\nb\u240Dc");
}

TEST(HtmlText, SpellsOutMarksThatTurnTheWriting) {
  EXPECT_EQ(cleaned("a\u202Eb\u2066"), "a<U+202E>b<U+2066>");
}

TEST(HtmlText, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1\u202F234\u202F567");
}

TEST(HtmlHighlight, KnowsCommentsWordsAndLiterals) {
  llvm::StringRef Source =
      "#include <a>\nint x = 0x1f; // \"no\n\"s\\\"t\" /*c\n*/ __shared__";
  std::vector<Ink> Inks = inkOf(Source);
  ASSERT_EQ(Inks.size(), Source.size());
  auto At = [&](llvm::StringRef Word) { return Inks[Source.find(Word)]; };
  EXPECT_EQ(At("#inc"), Ink::Directive);
  EXPECT_EQ(At("int"), Ink::Keyword);
  EXPECT_EQ(At("x ="), Ink::Plain);
  EXPECT_EQ(At("0x1f"), Ink::Literal);
  EXPECT_EQ(At("no"), Ink::Comment);
  EXPECT_EQ(At("t\" /"), Ink::Literal);
  EXPECT_EQ(At("c\n"), Ink::Comment);
  EXPECT_EQ(At("__shared__"), Ink::Cuda);
}

TEST(HtmlHighlight, EndsWithTheSource) {
  for (const char *Source : {"\"open", "/* open", "'\\", "#", "// \\"})
    EXPECT_EQ(inkOf(Source).size(), llvm::StringRef(Source).size());
}

TEST(HtmlAlignment, PutsFormsOfALineSideBySide) {
  std::string Old = "same\nfor (int k0 = 0; k0 < K; k0 += BK) {\nacc += "
                    "As[ty][k] * Bs[k][tx];\n}\n";
  std::string New = "same\nint stage = 0;\n  acc += As[stage][ty][k] * "
                    "Bs[stage][k][tx];\n}\n";
  std::vector<llvm::StringRef> O = splitLines(Old), N = splitLines(New);
  std::vector<AlignedRow> Rows = align(O, N);
  ASSERT_EQ(Rows.size(), 4u);
  EXPECT_TRUE(Rows[0].IsSame);
  EXPECT_FALSE(Rows[1].IsPair); // share a row, but are no forms of each other
  EXPECT_TRUE(Rows[2].IsPair);
  EXPECT_EQ(Rows[2].Old, 2u);
  EXPECT_EQ(Rows[2].New, 2u);
}

TEST(HtmlAlignment, HasEveryLineOnceAndInOrder) {
  std::vector<llvm::StringRef> Old, New;
  std::vector<std::string> Lines;
  for (int I = 0; I < 900; ++I)
    Lines.push_back("line " + std::to_string(I * 7919 % 97) + " of it\n");
  for (int I = 0; I < 900; ++I)
    (I % 3 ? Old : New).push_back(Lines[I]);
  unsigned O = 0, N = 0;
  for (const AlignedRow &R : align(Old, New)) {
    if (R.Old != AlignedRow::None)
      EXPECT_EQ(R.Old, O++);
    if (R.New != AlignedRow::None)
      EXPECT_EQ(R.New, N++);
  }
  EXPECT_EQ(O, Old.size());
  EXPECT_EQ(N, New.size());
}

TEST(HtmlAlignment, SetsOffWholeWords) {
  llvm::StringRef Old = "  acc += As[k];", New = "      acc += As[stage][k];";
  ChangedParts Parts = changedParts(Old, New);
  EXPECT_TRUE(Parts.Old.empty());
  ASSERT_EQ(Parts.New.size(), 1u);
  llvm::StringRef Part = New.slice(Parts.New[0].first, Parts.New[0].second);
  EXPECT_TRUE(Part == "stage][" || Part == "[stage]") << Part.str();
}

TEST(HtmlSteps, AreWhatOccupancySays) {
  for (const ArchLimits &Arch : allArchs())
    for (unsigned Threads : {32u, 256u, 1024u}) {
      LaunchShape Launch{Threads, 0, 0, 40};
      std::vector<OccupancyStep> Steps = occupancySteps(Arch, Launch);
      ASSERT_FALSE(Steps.empty());
      EXPECT_EQ(Steps.front().First, 0u);
      EXPECT_EQ(Steps.back().Last, Arch.SharedPerBlockOptIn);
      for (size_t I = 0; I < Steps.size(); ++I) {
        for (uint64_t Bytes : {Steps[I].First, Steps[I].Last}) {
          Launch.DynamicShared = Bytes;
          EXPECT_EQ(occupancy(Arch, Launch).BlocksPerSM, Steps[I].Blocks);
        }
        if (I) {
          EXPECT_EQ(Steps[I].First, Steps[I - 1].Last + 1);
          EXPECT_LT(Steps[I].Blocks, Steps[I - 1].Blocks);
        }
      }
    }
}

/// A ring of \p Stages buffers as textbooks have it: S - 1 tiles ahead.
Timeline ring(unsigned Stages, unsigned Tiles) {
  using Step = TimelineStep;
  Timeline T{Stages, Tiles, /*Async=*/true, /*Registers=*/false, {}};
  auto Add = [&](Step::Phase In, Step::Kind Do, unsigned Tile = 0) {
    T.Steps.push_back(
        {In, Do, Tile, Tile % Stages, Do == Step::Kind::Wait ? Stages - 2 : 0});
  };
  for (unsigned I = 0; I + 1 < Stages; ++I) {
    Add(Step::Phase::Prologue, Step::Kind::Load, I);
    Add(Step::Phase::Prologue, Step::Kind::Commit);
  }
  for (unsigned I = 0; I < Tiles; ++I) {
    auto In =
        I + Stages - 1 < Tiles ? Step::Phase::Steady : Step::Phase::Epilogue;
    Add(In, Step::Kind::Wait);
    Add(In, Step::Kind::Barrier);
    if (I + Stages - 1 < Tiles)
      Add(In, Step::Kind::Load, I + Stages - 1);
    Add(In, Step::Kind::Commit);
    Add(In, Step::Kind::Compute, I);
  }
  return T;
}

TEST(HtmlTimeline, DrawsAnyNumberOfStages) {
  for (unsigned Stages : {2u, 3u, 4u, 8u}) {
    unsigned Tiles = Stages + 2;
    TimelineLayout L = layOut(ring(Stages, Tiles));
    EXPECT_EQ(L.Rows.size(), Stages + 1);
    unsigned Flights = 0;
    for (const TimelineBar &B : L.Bars) {
      EXPECT_LT(B.Begin, B.End);
      EXPECT_LE(B.End, L.Length);
      EXPECT_LT(B.Row, L.Rows.size());
      if (B.Is != TimelineBar::What::InFlight)
        continue;
      ++Flights;
      // It overlaps the computes of the tiles that it runs ahead of.
      unsigned Hidden = 0;
      for (const TimelineBar &C : L.Bars)
        Hidden += C.Is == TimelineBar::What::Compute && C.Begin < B.End &&
                  B.Begin < C.End;
      EXPECT_EQ(Hidden, std::min(B.Tile, Stages - 1))
          << Stages << " " << B.Tile;
    }
    EXPECT_EQ(Flights, Tiles);
    EXPECT_EQ(L.Phases[0].End, L.Phases[1].Begin);
    EXPECT_EQ(L.Phases[1].End, L.Phases[2].Begin);
  }
}

/// One kernel with everything that a page can have.
HtmlReport sample() {
  HtmlReport R;
  R.Version = "9.9";
  R.Command = {"kpipe", "verify", "it's <here>.cu", "--arch=sm_86"};
  R.Archs = {"sm_86"};
  LoopReport Loop;
  Loop.Where = {"it's <here>.cu", 3, 3};
  Loop.Function = "tile<(Kind)1, A<B>> & more";
  Loop.Ratio = 25.6;
  ArchReport A;
  A.Arch = "sm_86";
  A.Verdict = LoopVerdict::Pipelined;
  A.Routes = RouteMix::Both;
  A.Form.Stages = 4;
  A.RegistersStaged = 4;
  A.Copies = {{"As", 4, Route::Registers, {msg::verbatim, "the copy transposes its tile"}},
              {"Bs", 0, Route::AsyncCopy, {msg::verbatim, "16 contiguous, aligned bytes"}}};
  A.Budget = makeBudget(arch("sm_86"), {128, 8192, 0, 96}, {128, 32768, 0, 96});
  A.Run = ring(4, 6);
  Loop.Archs = {A};
  R.Loops = {Loop};
  R.Sources = {{"it's <here>.cu",
                "it's <here>.cu",
                {"sm_86"},
                "// </script>\n\xFF\n  for (;;)\n    acc += As[k];\n",
                "// </script>\n\xFF\n  for (;;)\n    acc += As[stage][k];\n"}};
  KernelVerification M;
  M.Kernel = Loop.Function;
  M.Arch = "sm_86";
  M.Checks = {{"no-spills", CheckVerdict::Fails, "8 bytes are spilled", {}, "try fewer stages"}};
  M.Before = {96, 0, 0, 0, 8192};
  M.After = {104, 8, 4, 0, 32768};
  LoopVerification &Code = M.Loops.emplace_back();
  Code.Begin = 0x70;
  Code.Tiles = 2;
  Code.Checks = {
      {"loads-before-compute", CheckVerdict::Holds,
       "12 LDGSTS stand before the first FFMA", {}, ""},
      {"same-compute", CheckVerdict::NotChecked, "the loop <was> unrolled", {}, ""}};
  Code.Lines = {
      {0x70, Role::AsyncLoad, "LDGSTS.E.BYPASS.128 [R9], [R2.64]"},
      {0x80, Role::Load, "LDG.E R4, [R2.64]"},
      {0x90, Role::Commit, "LDGDEPBAR"},
      {0xa0, Role::None, "IADD3 R2, R2, 0x1, RZ"},
      {0xb0, Role::SharedLoad, "LDS.128 R8, [R7]"},
      {0xc0, Role::Compute, "FFMA R0, R8, R9, R0"},
      {0xd0, Role::Store, "STS [R7], R4"},
      {0xe0, Role::Local, "STL [R1], R4"},
      {0xf0, Role::Wait, "DEPBAR.LE SB0, 0x2"},
      {0x100, Role::Barrier, "BAR.SYNC.DEFER_BLOCKING 0x0"},
      {0x110, Role::Branch, "@P0 BRA 0x70"}};
  R.Machine = {M};
  return R;
}

TEST(HtmlPage, ShowsCheckedMachineCode) {
  std::string Page = pageOf(sample());
  for (llvm::StringRef Wanted :
       {"<h2 class=\"part\">Machine code</h2>", "id=\"machine-1\"",
        "<span class=\"badge good\">holds</span>",
        "<span class=\"badge bad\">fails</span>",
        "<span class=\"badge idle\">not checked</span>",
        "<span class=\"badge good\">1 hold</span>", "loads-before-compute",
        "the loop &lt;was&gt; unrolled", "<tr class=\"flight\"><td>async copy",
        "<tr class=\"spill\"><td>spill", "<th scope=\"row\">after</th><td>104",
        "8 bytes are spilled; try fewer stages",
        "loop at 0x70, 2 tiles in one run", "<tr class=\"branch\"><td>branch"})
    EXPECT_NE(Page.find(Wanted.str()), std::string::npos) << Wanted.str();
  if (const char *File = std::getenv("KPIPE_HTML_SAMPLE")) {
    std::error_code Failed;
    llvm::raw_fd_ostream(File, Failed) << Page;
    EXPECT_FALSE(Failed);
  }
}

TEST(HtmlPage, HasNoPartForMachineCodeWithoutAny) {
  HtmlReport R = sample();
  R.Machine.clear();
  EXPECT_EQ(pageOf(R).find("Machine code"), std::string::npos);
}

TEST(HtmlPage, EscapesNamesSourcesAndTheCommand) {
  std::string Page = pageOf(sample());
  EXPECT_EQ(Page.find("<here>"), std::string::npos);
  EXPECT_EQ(Page.find("</script>"), std::string::npos);
  EXPECT_EQ(Page.find("A<B>"), std::string::npos);
  EXPECT_NE(Page.find("kpipe verify &#39;it&#39;\\&#39;&#39;s &lt;here&gt;.cu"
                      "&#39; --arch=sm_86</pre>"),
            std::string::npos);
}

TEST(HtmlPage, MarksThePointsOfTheBudget) {
  std::string Page = pageOf(sample());
  EXPECT_EQ(count(Page, "class=\"point before\" data-bytes=\"8192\""), 1u);
  EXPECT_EQ(count(Page, "class=\"point after\" data-bytes=\"32768\""), 1u);
  EXPECT_EQ(count(Page, "class=\"cliff next\""), 1u);
}

TEST(HtmlPage, DrawsWhatIsKnownOfAnUnknownLaunch) {
  HtmlReport R = sample();
  R.Loops[0].Archs[0].Budget =
      makeBudget(arch("sm_86"), {0, 8192, 0, {}}, {0, 16384, 0, {}});
  std::string Page = pageOf(R);
  EXPECT_EQ(count(Page, "class=\"where before\""), 1u);
  EXPECT_EQ(count(Page, "class=\"where after\""), 1u);
  EXPECT_NE(Page.find("what shared memory alone allows"), std::string::npos);
}

TEST(HtmlPage, SaysThatThereIsNoLoop) {
  EXPECT_NE(pageOf({}).find("No loop with a block barrier was found."),
            std::string::npos);
}

} // namespace
