// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal while one thing takes long. It must not know what the
// work is.
#ifndef KPIPE_TOOL_SUPPORT_WAITING_H
#define KPIPE_TOOL_SUPPORT_WAITING_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace kpipe {

/// While it lives, and after two seconds: "kpipe: gemm.cu … 3 s" on standard
/// error, written over each second, where that is a terminal. Nothing else may
/// be printed meanwhile.
class Waiting {
public:
  explicit Waiting(llvm::StringRef What);
  ~Waiting();
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

private:
  class Clock;
  std::unique_ptr<Clock> Shown;
};

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_WAITING_H
