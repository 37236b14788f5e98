// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal that says how far the work is. It must not know what
// the work is.
#ifndef KPIPE_TOOL_SUPPORT_PROGRESS_H
#define KPIPE_TOOL_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

namespace kpipe {

/// One line on standard error that is written over; nothing unless that is a
/// terminal and there are several steps. May be used from several threads.
class Progress {
public:
  explicit Progress(size_t Total)
      : Total(Total),
        Shown(Total > 1 && llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \param What was done, e.g. the name of a file.
  void finished(llvm::StringRef What) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Done;
    if (Shown)
      llvm::errs() << "\r[" << Done << "/" << Total << "] "
                   << What.take_back(60) << "\033[K";
  }
  /// Steps that need not be done after all.
  void skip(size_t Steps) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Total -= Steps;
  }
  /// Takes the line away, for others to print.
  void clear() {
    if (Shown)
      llvm::errs() << "\r\033[K";
  }

private:
  std::mutex Mutex;
  size_t Done = 0, Total;
  bool Shown;
};

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_PROGRESS_H
