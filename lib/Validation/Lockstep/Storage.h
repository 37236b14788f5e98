// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The storage discipline: a variable that the pipeline renames, copies or
// changes at another time has no other name by which the loop could reach it.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_STORAGE_H
#define KPIPE_LIB_VALIDATION_STORAGE_H

#include "kpipe/Validation.h"
#include "clang/Basic/SourceLocation.h"

namespace kpipe {

struct OtherName {
  clang::SourceLocation Where;
  Message Why;
};

/// The first other name of such a variable; none if there is none.
std::optional<OtherName> otherName(const DeclaredLoop &Loop,
                                   const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_STORAGE_H
