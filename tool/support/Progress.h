// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal that says how far the work is. It must not know what
// the work is.
#ifndef KPIPE_TOOL_SUPPORT_PROGRESS_H
#define KPIPE_TOOL_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace kpipe {

/// One line on standard error that is written over; nothing unless that is a
/// terminal and there are several steps. May be used from several threads.
class Progress {
public:
  /// \param LineEvery seconds after which a line of its own says how far it is
  /// where standard error is no terminal; 0: none does.
  explicit Progress(size_t Total, unsigned LineEvery = 0)
      : Total(Total), LineEvery(LineEvery),
        Shown(Total > 1 && llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \param What was done, e.g. the name of a file.
  void finished(llvm::StringRef What) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Done;
    show(What);
  }
  /// \param What is being done, where that may take a while.
  void begin(llvm::StringRef What) {
    std::lock_guard<std::mutex> Lock(Mutex);
    show(What);
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
  }

private:
  using Clock = std::chrono::steady_clock;

  std::mutex Mutex;
  size_t Done = 0, Total;
  std::chrono::seconds LineEvery;
  bool Shown;
  Clock::time_point LastLine = Clock::now();

  void show(llvm::StringRef What) {
    if (Shown)
      llvm::errs() << "\r[" << Done << "/" << Total << "] "
                   << What.take_back(60) << "\033[K";
    if (Shown || !LineEvery.count() || Clock::now() < LastLine + LineEvery)
      return;
    LastLine = Clock::now();
    llvm::errs() << "[" << Done << "/" << Total << "] " << What << "\n";
  }
};

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_PROGRESS_H
