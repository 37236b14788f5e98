// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the runtime's primitives, for `--inline-runtime`: what is pasted
// is what the headers under runtime/include/kpipe mark, so that there is one
// source of both. It must not know loops or edits.
#ifndef KPIPE_RUNTIMETEXT_H
#define KPIPE_RUNTIMETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// The text of one primitive, by its name without namespace ("copy_async");
/// empty if there is no such primitive. The text opens namespace kpipe itself,
/// includes nothing and carries the include guard of the primitive's header:
/// it may stand in a file more than once, also beside <kpipe/pipeline.h>.
llvm::StringRef runtimeText(llvm::StringRef Primitive);

/// The texts of several primitives as one block of lines to paste at the top
/// of a file, under a comment that says what it is. Each primitive comes once,
/// in alphabetical order; names that are no primitive are passed over. Empty
/// if nothing is left.
std::string inlinedRuntime(llvm::ArrayRef<llvm::StringRef> Primitives);

/// Calls Visit with each header of the runtime, named as programs include it
/// ("kpipe/pipeline.h"), and its text.
void forEachRuntimeHeader(
    llvm::function_ref<void(llvm::StringRef Name, llvm::StringRef Text)> Visit);

} // namespace kpipe

#endif // KPIPE_RUNTIMETEXT_H
