// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Failure.h.
#include "Failure.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

llvm::Error optionError(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

int fail(llvm::Error Why) {
  llvm::handleAllErrors(std::move(Why), [](const llvm::ErrorInfoBase &E) {
    // In one write, so that other programs' lines stay out of it.
    llvm::errs() << "kpipe: error: " + E.message() + "\n";
  });
  return 1;
}

} // namespace kpipe
