// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal that says how far the work is. It must not know what
// the work is.
#ifndef KPIPE_TOOL_SUPPORT_PROGRESS_H
#define KPIPE_TOOL_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>
#include <string>

namespace kpipe {

/// Steps on standard error: on a terminal, if there are several and they have
/// taken a while, one line that is written over; elsewhere lines of their own,
/// now and then or, where the user asks for it, for each step. May be used from
/// several threads.
class Progress {
public:
  /// The user asks for it, terminal or not.
  inline static bool Asked = false;

  /// \param LineEvery seconds after which a line of its own says how far it is
  /// where standard error is no terminal; 0: none does.
  explicit Progress(size_t Total, unsigned LineEvery = 0)
      : Total(Total), LineEvery(LineEvery),
        Terminal(llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \param What was done, e.g. the name of a file.
  void finished(llvm::StringRef What) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Done;
    show(What, Asked);
  }
  /// \param What is being done, where that may take a while.
  void begin(llvm::StringRef What) {
    std::lock_guard<std::mutex> Lock(Mutex);
    show(What, Asked && Terminal);
  }
  /// Steps that need not be done after all.
  void skip(size_t Steps) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Total -= Steps;
  }
  /// Steps that have to be done besides.
  void add(size_t Steps) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Total += Steps;
  }
  /// Takes the line away, for others to print.
  void clear() {
    if (Shown)
      llvm::errs() << "\r\033[K";
    Shown = false;
  }

private:
  using Clock = std::chrono::steady_clock;

  std::mutex Mutex;
  size_t Done = 0, Total;
  const std::chrono::seconds LineEvery;
  const bool Terminal;
  bool Shown = false;
  const Clock::time_point Begin = Clock::now();
  Clock::time_point LastLine = Begin;

  void show(llvm::StringRef What, bool AtOnce) {
    constexpr std::chrono::seconds AWhile{1};
    std::string Place =
        ("[" + llvm::Twine(Done) + "/" + llvm::Twine(Total) + "] ").str();
    if (Terminal) {
      if (Total < 2 || !(AtOnce || Clock::now() > Begin + AWhile))
        return;
      llvm::errs() << "\r" + Place + What.take_back(60).str() + "\033[K";
      Shown = true;
      return;
    }
    bool Due = LineEvery.count() && Clock::now() >= LastLine + LineEvery;
    if (!Due && !(AtOnce && Total > 1))
      return;
    LastLine = Clock::now();
    llvm::errs() << Place + What.str() + "\n";
  }
};

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_PROGRESS_H
