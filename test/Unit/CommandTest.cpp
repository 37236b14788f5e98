// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines with places to fill, and how commands end.
#include "support/Command.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace kpipe;

namespace {

class CommandTest : public testing::Test {
protected:
  llvm::SmallString<128> Folder;

  void SetUp() override {
    llvm::sys::fs::createUniqueDirectory("kpipe-command", Folder);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) const {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }
  std::string text(llvm::StringRef Name) const {
    auto Buffer = llvm::MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "";
  }
  Ending run(std::string Line, double Seconds = 60) const {
    return runCommands(Command::shell(Line, path("out"), path("log")), 1,
                       Seconds, [](size_t) {})
        .front();
  }
};

std::string filledIn(llvm::StringRef Text, llvm::StringRef Value) {
  return llvm::cantFail(CommandTemplate::parse("--build", Text, {"src"}))
      .fill({{"src", Value}});
}

TEST(CommandTemplate, FillsAndQuotes) {
  EXPECT_EQ(filledIn("cc {src} -o {src}.o", "/tmp/a-b_1.cu"),
            "cc /tmp/a-b_1.cu -o /tmp/a-b_1.cu.o");
  EXPECT_EQ(filledIn("cc {src}", "a b'c"), "cc 'a b'\\''c'");
}

TEST(CommandTemplate, LeavesOtherBracesToTheShell) {
  EXPECT_EQ(filledIn("{ echo ${x} {1,2} {src}; }", "s"),
            "{ echo ${x} {1,2} s; }");
}

TEST(CommandTemplate, WantsItsNames) {
  llvm::Expected<CommandTemplate> T =
      CommandTemplate::parse("--build", "cc", {"src"});
  ASSERT_FALSE(static_cast<bool>(T));
  EXPECT_EQ(llvm::toString(T.takeError()),
            "--build='cc': {src} is missing in it");
}

TEST_F(CommandTest, TellsHowACommandEnded) {
  EXPECT_EQ(run("echo 1; echo 2 >&2").How, Ending::Success);
  EXPECT_EQ(text("out"), "1\n");
  EXPECT_EQ(text("log"), "2\n");
  EXPECT_EQ(run("exit 3").describe(), "failed with exit code 3");
  EXPECT_EQ(run("kill -KILL $$").describe(),
            "was ended by the signal 'Killed'");
  EXPECT_EQ(run("read x").How, Ending::Failure) << "there is no input";
}

TEST_F(CommandTest, EndsWhatACommandStartedWhenTimeIsUp) {
  Ending End = run("(sleep 60; echo late) & echo $! ; wait", 0.3);
  EXPECT_EQ(End.How, Ending::TimedOut);
  std::string Child = text("out");
  // Whoever inherits it has to reap it first.
  for (int Tries = 0; Tries < 50; ++Tries) {
    if (::kill(std::stoi(Child), 0) != 0)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  auto Stat = llvm::MemoryBuffer::getFileAsStream(
      ("/proc/" + llvm::StringRef(Child).trim() + "/stat").str());
  EXPECT_TRUE(Stat && (*Stat)->getBuffer().contains(") Z "))
      << "it is still running";
}

TEST_F(CommandTest, RunsSeveralAtOnce) {
  std::vector<Command> All;
  for (const char *Name : {"a", "b"}) {
    const char *Other = *Name == 'a' ? "b" : "a";
    All.push_back(Command::shell("touch " + path(Name) +
                                     ".is; until test -e " + path(Other) +
                                     ".is; do sleep 0.01; done",
                                 path(Name), path(std::string(Name) + ".log")));
  }
  unsigned Finished = 0;
  for (Ending End : runCommands(All, 2, 60, [&](size_t) { ++Finished; }))
    EXPECT_EQ(End.How, Ending::Success);
  EXPECT_EQ(Finished, 2u);
}

TEST_F(CommandTest, PutsBothStreamsIntoOneFile) {
  Ending End = runCommands(Command::shell("echo 1; echo 2 >&2; echo 3",
                                          path("all"), path("all")),
                           1, NoLimit, [](size_t) {})
                   .front();
  EXPECT_EQ(End.How, Ending::Success);
  EXPECT_EQ(text("all"), "1\n2\n3\n");
}

TEST_F(CommandTest, SaysWhyAProgramCannotBeStarted) {
  Ending End = runCommands(Command{{path("none")}, path("out"), path("log")}, 1,
                           NoLimit, [](size_t) {})
                   .front();
  EXPECT_EQ(End.describe(),
            "could not be started: No such file or directory");
}

TEST(TellingLine, IsTheFirstErrorOrTheLast) {
  EXPECT_EQ(tellingLine("a\n  x: Error: b\nerror: c\n"), "x: Error: b");
  EXPECT_EQ(tellingLine("a\nnvdisasm fatal : b\nc"), "nvdisasm fatal : b");
  EXPECT_EQ(tellingLine("a\nb\n\n"), "b");
  EXPECT_EQ(tellingLine("\n"), "");
}

TEST_F(CommandTest, StopsWhenInterrupted) {
  std::signal(SIGINT, SIG_DFL); // it is ignored in the background of a shell
  InterruptScope Scope;
  std::thread Other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::kill(::getpid(), SIGINT);
  });
  EXPECT_EQ(run("sleep 60").How, Ending::Interrupted);
  Other.join();
  EXPECT_TRUE(InterruptScope::interrupted());
  EXPECT_EQ(run("echo 1").How, Ending::Interrupted);
}

} // namespace
