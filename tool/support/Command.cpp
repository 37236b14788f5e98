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

/// kpipe's environment with a command's own; the variables stay where they are.
static std::vector<char *> environmentOf(const Command &C) {
  std::vector<char *> All;
  auto IsReplaced = [&](llvm::StringRef Variable) {
    return llvm::any_of(C.Environment, [&](llvm::StringRef Own) {
      return Own.split('=').first == Variable.split('=').first;
    });
  };
  for (char **Variable = environ; *Variable; ++Variable)
    if (!IsReplaced(*Variable))
      All.push_back(*Variable);
  for (const std::string &Own : C.Environment)
    All.push_back(const_cast<char *>(Own.c_str()));
  All.push_back(nullptr);
  return All;
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
  int Error =
      ::posix_spawn(&Process, Arguments.front(), &Files, &Attributes,
                    Arguments.data(), environmentOf(C).data());
  ::posix_spawnattr_destroy(&Attributes);
  ::posix_spawn_file_actions_destroy(&Files);
  if (!Error)
    beginGroup(Process);
  return {Process, Error};
}

/// Ends groups: first asked to, so that compilers take their temporary files
/// away and schedulers their jobs, then killed. All share one patience, so that
/// many end as soon as one.
static void endGroups(llvm::ArrayRef<pid_t> Leaders) {
  for (pid_t Leader : Leaders)
    ::kill(-Leader, SIGTERM);
  constexpr double Patience = 0.6;
  Clock::time_point Until = Clock::now() + seconds(Patience);
  llvm::SmallVector<pid_t, 8> Left(Leaders);
  for (;;) {
    llvm::erase_if(Left, [](pid_t Leader) {
      return ::waitpid(Leader, nullptr, WNOHANG) != 0;
    });
    // A shell is gone before what it had started has put things in order.
    bool IsEmpty = Left.empty() && llvm::all_of(Leaders, [](pid_t Leader) {
                     return ::kill(-Leader, 0) != 0;
                   });
    if (IsEmpty || Clock::now() >= Until)
      break;
    std::this_thread::sleep_for(seconds(0.01));
  }
  for (pid_t Leader : Leaders)
    ::kill(-Leader, SIGKILL);
  for (pid_t Leader : Left)
    while (::waitpid(Leader, nullptr, 0) < 0 && errno == EINTR)
      ;
  for (pid_t Leader : Leaders)
    endedGroup(Leader);
}

/// How a process ended, if it has.
static std::optional<Ending> endOf(pid_t Process) {
  int Status = 0;
  if (::waitpid(Process, &Status, WNOHANG) != Process)
    return std::nullopt;
  endedGroup(Process);
  if (WIFSIGNALED(Status))
    return Ending{Ending::Failure, 128 + WTERMSIG(Status)};
  int Code = WEXITSTATUS(Status);
  return Ending{Code ? Ending::Failure : Ending::Success, Code};
}

bool RunningCommands::Running::isLate() {
  if (!BeginFile.empty()) {
    if (::access(BeginFile.c_str(), F_OK) != 0)
      return false;
    BeginFile.clear();
    Begin = Clock::now();
  }
  return Clock::now() >= Begin + seconds(Seconds);
}

RunningCommands::~RunningCommands() { endAll(Ending::Interrupted); }

void RunningCommands::start(const Command &C, size_t Tag, double Seconds) {
  if (!C.BeginFile.empty())
    ::unlink(C.BeginFile.c_str()); // of an earlier run
  auto [Process, Error] = kpipe::start(C);
  if (Error)
    Failed.push_back({Tag, {Ending::NotStarted, Error}});
  else
    Now.push_back({Tag, Process, Seconds, C.BeginFile, Clock::now()});
}

std::vector<RunningCommands::Ended> RunningCommands::endAll(Ending::Kind How) {
  std::vector<pid_t> Leaders;
  std::vector<Ended> Ends;
  for (const Running &R : Now) {
    Leaders.push_back(R.Process);
    Ends.push_back({R.Tag, {How, 0}});
  }
  Now.clear();
  if (!Leaders.empty())
    endGroups(Leaders);
  return Ends;
}

std::vector<RunningCommands::Ended> RunningCommands::wait() {
  std::vector<Ended> Ends = std::exchange(Failed, {});
  std::vector<pid_t> Late;
  llvm::erase_if(Now, [&](Running &R) {
    std::optional<Ending> End = endOf(R.Process);
    if (!End && !InterruptScope::interrupted() && R.isLate()) {
      Late.push_back(R.Process);
      End = Ending{Ending::TimedOut, 0};
    }
    if (End)
      Ends.push_back({R.Tag, *End});
    return End.has_value();
  });
  if (!Late.empty())
    endGroups(Late);
  if (InterruptScope::interrupted())
    llvm::append_range(Ends, endAll(Ending::Interrupted));
  if (Ends.empty() && !Now.empty())
    std::this_thread::sleep_for(seconds(0.002));
  return Ends;
}

std::vector<Ending> runCommands(llvm::ArrayRef<Command> Commands, unsigned Jobs,
                                double Seconds,
                                llvm::function_ref<void(size_t)> Finished) {
  std::vector<Ending> Ends(Commands.size());
  RunningCommands Now;
  size_t Next = 0;
  auto Wanted = [&] {
    return Next != Commands.size() && !InterruptScope::interrupted();
  };
  while (Wanted() || Now.size()) {
    while (Wanted() && Now.size() < Jobs) {
      Now.start(Commands[Next], Next, Seconds);
      ++Next;
    }
    for (const RunningCommands::Ended &E : Now.wait()) {
      Ends[E.Tag] = E.How;
      Finished(E.Tag);
    }
  }
  return Ends;
}

void pause(double Seconds) {
  Clock::time_point End = Clock::now() + seconds(Seconds);
  while (!InterruptScope::interrupted() && Clock::now() < End)
    std::this_thread::sleep_for(seconds(0.01));
}

} // namespace kpipe
