// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// posix_spawn in a process group of its own, so that what a command
// starts can be ended with it. One thread looks after all of them.
#include "Command.h"
#include "ShellWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace kpipe {

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

static std::string inBraces(llvm::StringRef Name) {
  return ("{" + Name + "}").str();
}

llvm::Expected<CommandTemplate>
CommandTemplate::parse(llvm::StringRef Option, llvm::StringRef Text,
                       llvm::ArrayRef<llvm::StringRef> Needed) {
  for (llvm::StringRef Name : Needed)
    if (!Text.contains(inBraces(Name)))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     Option + "='" + Text + "': " +
                                         inBraces(Name) + " is missing in it");
  CommandTemplate T;
  T.Text = Text.str();
  return T;
}

std::string CommandTemplate::fill(Values Known) const {
  std::string Line;
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    const auto *Here = llvm::find_if(Known, [&](const auto &Value) {
      return Rest.starts_with(inBraces(Value.first));
    });
    if (Here == Known.end()) {
      Line += Rest.front();
      Rest = Rest.drop_front();
    } else {
      Line += shellWord(Here->second);
      Rest = Rest.drop_front(inBraces(Here->first).size());
    }
  }
  return Line;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

using Clock = std::chrono::steady_clock;

static Clock::duration seconds(double Seconds) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(Seconds));
}

std::string Ending::describe() const {
  switch (How) {
  case Success:
    return "";
  case Failure:
    if (Status > 128 && Status <= 128 + SIGRTMAX)
      return std::string("was ended by the signal '") +
             ::strsignal(Status - 128) + "'";
    return "failed with exit code " + std::to_string(Status);
  case TimedOut:
    return "ran past its time limit";
  case NotStarted:
    return std::string("could not be started: ") + std::strerror(Status);
  case Interrupted:
    return "was interrupted";
  }
  return "";
}

std::string tellingLine(llvm::StringRef Printed) {
  llvm::StringRef Telling;
  for (llvm::StringRef Line : llvm::split(Printed, '\n')) {
    Line = Line.trim();
    if (!Line.empty())
      Telling = Line;
    if (Line.contains_insensitive("error") || Line.contains("fatal"))
      break;
  }
  return Telling.take_front(200).str();
}

/// The process, or what keeps it from being one.
static std::pair<pid_t, int> start(const Command &C) {
  posix_spawn_file_actions_t Files;
  ::posix_spawn_file_actions_init(&Files);
  ::posix_spawn_file_actions_addopen(&Files, 0, "/dev/null", O_RDONLY, 0);
  constexpr int Fresh = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&Files, 1, C.Output.c_str(), Fresh, 0666);
  if (C.Log == C.Output)
    ::posix_spawn_file_actions_adddup2(&Files, 1, 2);
  else
    ::posix_spawn_file_actions_addopen(&Files, 2, C.Log.c_str(), Fresh, 0666);
  posix_spawnattr_t Attributes;
  ::posix_spawnattr_init(&Attributes);
  ::posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP |
                                              POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
  ::posix_spawnattr_setpgroup(&Attributes, 0);
  sigset_t Set;
  sigemptyset(&Set);
  ::posix_spawnattr_setsigmask(&Attributes, &Set);
  sigaddset(&Set, SIGXFSZ); // kpipe ignores it
  ::posix_spawnattr_setsigdefault(&Attributes, &Set);
  std::vector<char *> Arguments;
  for (const std::string &Word : C.Words)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  pid_t Process = 0;
  int Error = ::posix_spawn(&Process, Arguments.front(), &Files, &Attributes,
                            Arguments.data(), environ);
  ::posix_spawnattr_destroy(&Attributes);
  ::posix_spawn_file_actions_destroy(&Files);
  if (!Error)
    beginGroup(Process);
  return {Process, Error};
}

/// Ends a group: first asked to, so that compilers take their temporary files
/// away, then killed.
static void endGroup(pid_t Leader) {
  ::kill(-Leader, SIGTERM);
  Clock::time_point Patience = Clock::now() + seconds(1);
  while (::waitpid(Leader, nullptr, WNOHANG) == 0 && Clock::now() < Patience)
    std::this_thread::sleep_for(seconds(0.01));
  ::kill(-Leader, SIGKILL);
  // Only where the wait above did not see its end.
  while (::waitpid(Leader, nullptr, 0) < 0 && errno == EINTR)
    ;
  endedGroup(Leader);
}

namespace {

struct Running {
  size_t Index;
  pid_t Process;
  Clock::time_point Deadline;
};

} // namespace

/// How a running command ended, if it has.
static std::optional<Ending> endOf(const Running &R) {
  int Status = 0;
  pid_t Got = ::waitpid(R.Process, &Status, WNOHANG);
  if (Got == R.Process) {
    endedGroup(R.Process);
    if (WIFSIGNALED(Status))
      return Ending{Ending::Failure, 128 + WTERMSIG(Status)};
    int Code = WEXITSTATUS(Status);
    return Ending{Code ? Ending::Failure : Ending::Success, Code};
  }
  if (InterruptScope::interrupted() || Clock::now() >= R.Deadline) {
    endGroup(R.Process);
    return Ending{InterruptScope::interrupted() ? Ending::Interrupted
                                                : Ending::TimedOut,
                  0};
  }
  return std::nullopt;
}

std::vector<Ending> runCommands(llvm::ArrayRef<Command> Commands, unsigned Jobs,
                                double Seconds,
                                llvm::function_ref<void(size_t)> Finished) {
  std::vector<Ending> Ends(Commands.size());
  llvm::SmallVector<Running, 8> Now;
  size_t Next = 0;
  auto Wanted = [&] {
    return Next != Commands.size() && !InterruptScope::interrupted();
  };
  while (Wanted() || !Now.empty()) {
    while (Wanted() && Now.size() < Jobs) {
      auto [Process, Error] = start(Commands[Next]);
      if (Error) {
        Ends[Next] = {Ending::NotStarted, Error};
        Finished(Next);
      } else {
        Now.push_back({Next, Process, Clock::now() + seconds(Seconds)});
      }
      ++Next;
    }
    llvm::erase_if(Now, [&](const Running &R) {
      std::optional<Ending> End = endOf(R);
      if (!End)
        return false;
      Ends[R.Index] = *End;
      Finished(R.Index);
      return true;
    });
    if (!Now.empty())
      std::this_thread::sleep_for(seconds(0.002));
  }
  return Ends;
}

void pause(double Seconds) {
  Clock::time_point End = Clock::now() + seconds(Seconds);
  while (!InterruptScope::interrupted() && Clock::now() < End)
    std::this_thread::sleep_for(seconds(0.01));
}

} // namespace kpipe
