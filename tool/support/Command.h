// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines with places to fill, and running them: several at once, each
// with a time limit, all of them ended with Ctrl-C. It must not know what the
// commands are for.
#ifndef KPIPE_TOOL_SUPPORT_COMMAND_H
#define KPIPE_TOOL_SUPPORT_COMMAND_H

#include "Interrupt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace kpipe {

/// A command line of the user's in which `{name}` stands for a path. Braces
/// around anything else are the shell's.
class CommandTemplate {
public:
  /// \param Option that it was given with, for errors.
  /// \param Needed the names that must stand in it.
  /// \returns an error of one line when one is missing.
  static llvm::Expected<CommandTemplate>
  parse(llvm::StringRef Option, llvm::StringRef Text,
        llvm::ArrayRef<llvm::StringRef> Needed);

  /// The line for the shell; values are quoted where the shell would not take
  /// them as they are.
  using Values = llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>>;
  std::string fill(Values Known) const;

private:
  std::string Text;
};

struct Command {
  std::vector<std::string> Words; ///< the program's path and its arguments
  std::string Output;             ///< file that takes standard output
  std::string Log; ///< file that takes standard error; may be the same
  /// "NAME=value" each, beside or in the place of kpipe's own.
  std::vector<std::string> Environment = {};
  /// A file that the command makes when its work begins: only from then on
  /// time counts against its limit. Empty: from the start.
  std::string BeginFile = "";

  /// What /bin/sh makes of a line.
  static Command shell(std::string Line, std::string Output, std::string Log) {
    return {{"/bin/sh", "-c", std::move(Line)},
            std::move(Output),
            std::move(Log)};
  }
};

/// The line of what a command printed that says most: the first that speaks of
/// an error, else the last; at most 200 characters. Empty: it printed nothing.
std::string tellingLine(llvm::StringRef Printed);

struct Ending {
  enum Kind {
    Success,
    Failure,    ///< exit code or signal in Status
    TimedOut,   ///< was ended with everything that it had started
    NotStarted, ///< errno in Status
    Interrupted ///< the same, because of Ctrl-C; or never begun
  } How = Interrupted;
  /// Exit code; 128 and the number of the signal that ended it.
  int Status = 0;

  /// "failed with exit code 1"; empty after a success.
  std::string describe() const;
};

/// A year.
constexpr double NoLimit = 365 * 24 * 3600.0;

/// Commands that run side by side, with nothing on their standard input and
/// each in a process group of its own. What still runs when this goes is ended.
class RunningCommands {
public:
  /// How the command with a certain tag ended.
  struct Ended {
    size_t Tag;
    Ending How;
  };

  RunningCommands() = default;
  RunningCommands(const RunningCommands &) = delete;
  RunningCommands &operator=(const RunningCommands &) = delete;
  ~RunningCommands();

  /// \param Seconds the time limit; NoLimit: none.
  void start(const Command &C, size_t Tag, double Seconds);
  /// Looks once, and waits a moment where nothing has ended. After Ctrl-C all
  /// commands are ended, together.
  std::vector<Ended> wait();
  size_t size() const { return Now.size() + Failed.size(); }

private:
  struct Running {
    size_t Tag;
    pid_t Process;
    double Seconds;
    /// Empty: its work began at Begin.
    std::string BeginFile;
    std::chrono::steady_clock::time_point Begin;

    bool isLate();
  };
  std::vector<Running> Now;
  /// What could not be started.
  std::vector<Ended> Failed;

  std::vector<Ended> endAll(Ending::Kind How);
};

/// Runs commands, Jobs at a time, with nothing on their standard input and
/// each in a process group of its own.
/// \param Seconds the time limit of each; NoLimit: none.
/// \param Finished called with the index of each that came to its end.
std::vector<Ending> runCommands(llvm::ArrayRef<Command> Commands, unsigned Jobs,
                                double Seconds,
                                llvm::function_ref<void(size_t)> Finished);

/// Waits, less long when interrupted.
void pause(double Seconds);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_COMMAND_H
