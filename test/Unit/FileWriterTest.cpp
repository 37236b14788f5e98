// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are complete or as they were. What a target is (link, device,
// mode) is tested by running the program, in test/Driver.
#include "support/FileWriter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

class Writing : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kpipe", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) {
    return (Folder + "/" + Name).str();
  }
  std::string read(llvm::StringRef Name) {
    auto Buffer = llvm::MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "absent";
  }
  unsigned files() {
    unsigned Count = 0;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator I(Folder, EC), E; I != E;
         I.increment(EC))
      ++Count;
    return Count;
  }

  llvm::SmallString<128> Folder;
};

TEST_F(Writing, ShowsNothingBeforeTheCommit) {
  FileWriter Writer;
  EXPECT_FALSE(Writer.stage(path("a"), "one"));
  EXPECT_EQ(read("a"), "absent");
  EXPECT_FALSE(Writer.commit());
  EXPECT_EQ(read("a"), "one");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Writing, LeavesNoTraceWithoutACommit) {
  {
    FileWriter Writer;
    EXPECT_FALSE(Writer.stage(path("a"), "one"));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Writing, CommitsAllOrNothing) {
  {
    FileWriter Writer;
    EXPECT_FALSE(Writer.stage(path("a"), "one"));
    llvm::Error Failed = Writer.stage(path("no/b"), "two");
    EXPECT_EQ(llvm::toString(std::move(Failed)),
              "cannot write '" + path("no/b") +
                  "': No such file or directory; create its folder first");
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Writing, ADeviceThatRefusesKeepsFilesFromBeingReplaced) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full";
  FileWriter Writer;
  EXPECT_FALSE(Writer.stage(path("a"), "one"));
  EXPECT_FALSE(Writer.stage("/dev/full", "two"));
  EXPECT_EQ(llvm::toString(Writer.commit()),
            "cannot write '/dev/full': No space left on device; free some "
            "space, nothing was changed");
  EXPECT_EQ(read("a"), "absent");
}

} // namespace
