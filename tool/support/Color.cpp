// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Color.h; https://no-color.org says what NO_COLOR means.
#include "Color.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

namespace kpipe {

bool colorsFor(ColorChoice Choice) {
  if (Choice != ColorChoice::Auto)
    return Choice == ColorChoice::Always;
  return llvm::sys::Process::GetEnv("NO_COLOR").value_or("").empty() &&
         llvm::sys::Process::FileDescriptorHasColors(STDERR_FILENO);
}

} // namespace kpipe
