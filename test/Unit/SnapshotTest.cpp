// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two processes of a snapshot.
#include "Frontend/Snapshot.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace kpipe;

namespace {

TEST(Snapshot, SendsTheTextAndGetsTheErrors) {
  Snapshot::Forked Forked = Snapshot::take(7, 3);
  if (Forked.Rest)
    Snapshot::reply(Forked.ReplyTo, {{{"f.cu", 1, 2}, *Forked.Rest + "!"}},
                    Forked.Question + "?");
  ASSERT_TRUE(Forked.Handle);
  EXPECT_EQ(Forked.Handle->offset(), 7u);
  EXPECT_EQ(Forked.Handle->errorsBefore(), 3u);
  // Longer than any pipe's buffer.
  std::string Text(5 << 20, 'x');
  auto Reply = Forked.Handle->parseRest(Text, "k\nl");
  ASSERT_TRUE(Reply);
  ASSERT_EQ(Reply->Errors.size(), 1u);
  EXPECT_EQ(Reply->Errors.front().Where.File, "f.cu");
  EXPECT_EQ(Reply->Errors.front().Where.Column, 2u);
  EXPECT_EQ(Reply->Errors.front().Message, Text + "!");
  EXPECT_EQ(Reply->Answer, "k\nl?");
}

TEST(Snapshot, AnswersAgain) {
  Snapshot::Forked Forked = Snapshot::take(0, 0);
  static unsigned Asked = 0; // what one answer changes, the next does not see
  if (Forked.Rest)
    Snapshot::reply(Forked.ReplyTo, {},
                    Forked.Question + std::to_string(Asked++));
  ASSERT_TRUE(Forked.Handle);
  for (const char *Question : {"a", "b", "c"}) {
    auto Reply = Forked.Handle->parseRest("text", Question);
    ASSERT_TRUE(Reply);
    EXPECT_EQ(Reply->Answer, Question + std::string("0"));
  }
}

TEST(Snapshot, SurvivesACopyThatDies) {
  Snapshot::Forked Forked = Snapshot::take(0, 0);
  if (Forked.Rest)
    ::abort();
  ASSERT_TRUE(Forked.Handle);
  EXPECT_FALSE(Forked.Handle->parseRest("text"));
}

TEST(Snapshot, OlderOnesEndWhileYoungerOnesWait) {
  Snapshot::Forked First = Snapshot::take(0, 0);
  if (First.Rest)
    Snapshot::reply(First.ReplyTo, {});
  Snapshot::Forked Second = Snapshot::take(0, 0);
  if (Second.Rest)
    Snapshot::reply(Second.ReplyTo, {});
  First.Handle.reset();
  EXPECT_TRUE(Second.Handle->parseRest("text"));
}

} // namespace
