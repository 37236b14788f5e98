// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Architectures by name, where a test knows that there is one.
#ifndef KPIPE_TEST_UNIT_ARCHS_H
#define KPIPE_TEST_UNIT_ARCHS_H

#include "kpipe/Target.h"
#include "llvm/Support/Error.h"

inline const kpipe::ArchLimits &arch(llvm::StringRef Name) {
  return llvm::cantFail(kpipe::findArch(Name));
}

#endif // KPIPE_TEST_UNIT_ARCHS_H
