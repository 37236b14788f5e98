// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds for every field of a loop's form: words, merging, and that the
// schema of profiles knows it.
#include "kpipe/FormJson.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

/// Calls Visit with each form that says one thing.
template <typename Visitor> void forEachValue(Visitor Visit) {
  forEachField([&](const FormField &Field, auto Member) {
    for (auto Value : SpellingOf<decltype(Member)>::values())
      Visit(Field, Member, Value);
  });
}

TEST(LoopForm, WordsAreReadBack) {
  forEachValue([](const FormField &Field, auto Member, auto Value) {
    using S = SpellingOf<decltype(Member)>;
    auto Read = S::parse(S::print(Value));
    ASSERT_TRUE(Read.has_value()) << Field.Name.str();
    EXPECT_TRUE(*Read == Value) << Field.Name.str();
  });
}

TEST(LoopForm, WhatIsWantedNamesEveryWord) {
  forEachField([](const FormField &Field, auto Member) {
    using S = SpellingOf<decltype(Member)>;
    for (const std::string &Word : S::words())
      EXPECT_TRUE(Word.find("..") != std::string::npos ||
                  S::Want.contains(Word))
          << Field.Name.str() << ": " << Word;
    EXPECT_FALSE(S::parse("no word of any").has_value());
    EXPECT_FALSE(S::parse("").has_value());
  });
}

TEST(LoopForm, OverWinsFieldByField) {
  forEachValue([](const FormField &Field, auto Member, auto Value) {
    LoopForm Base, Over;
    Base.*Member = Value;
    EXPECT_TRUE(overlay(Base, Over) == Base) << Field.Name.str();
    EXPECT_TRUE(overlay(Over, Base) == Base) << Field.Name.str();
  });
}

TEST(LoopForm, AutoTakesBackAndSilenceDoesNot) {
  LoopForm Base, Over;
  Base.Stages = 3;
  Base.Schedule = ScheduleKind::Guarded;
  Over.Stages = Asked<unsigned>::automatic();
  LoopForm Both = overlay(Base, Over);
  EXPECT_FALSE(Both.Stages.has_value());
  EXPECT_TRUE(Both.Schedule == ScheduleKind::Guarded);
}

TEST(LoopForm, ACompleteFormTakesBackAllButPermissions) {
  LoopForm Base;
  Base.Variant = Variant::Ldg;
  Base.Pad = Padding::Always;
  Base.AllowOccupancyDrop = Flag::Given;
  LoopForm Both = overlay(Base, complete(LoopForm()));
  LoopForm Left;
  Left.AllowOccupancyDrop = Flag::Given;
  EXPECT_TRUE(Both == Left);
}

TEST(LoopForm, JsonIsReadBackAndInTheSchema) {
  auto Schema = llvm::MemoryBuffer::getFile(
      KPIPE_UNIT_INPUTS "/../../../docs/tune.schema.json");
  ASSERT_TRUE(bool(Schema));
  forEachValue([&](const FormField &Field, auto Member, auto Value) {
    LoopForm Read;
    llvm::json::Path::Root Root;
    EXPECT_TRUE(fromJson(jsonFor(Value), Read.*Member, Root));
    EXPECT_TRUE(Read.*Member == Value) << Field.Name.str();
    EXPECT_TRUE((*Schema)->getBuffer().contains(
        ("\"" + jsonKey(Field) + "\"").str()))
        << Field.Name.str();
  });
}

} // namespace
