// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a word was meant to be.
#ifndef KPIPE_SUGGESTIONS_H
#define KPIPE_SUGGESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// The nearest of Known by edit distance, if it is near; else empty.
llvm::StringRef nearest(llvm::StringRef Word,
                        llvm::ArrayRef<llvm::StringRef> Known);

/// "; did you mean 'ldg'?", or nothing.
std::string didYouMean(llvm::StringRef Word,
                       llvm::ArrayRef<llvm::StringRef> Known);

} // namespace kpipe

#endif // KPIPE_SUGGESTIONS_H
