// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with a loop that its author staged with two buffers, and the same
// with one stage: statement by statement they are equal, but for what staged
// the loop. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_RESTAGED_RESTAGEDCODE_H
#define KPIPE_LIB_VALIDATION_RESTAGED_RESTAGEDCODE_H

#include "Validation/Trees/Addresses.h"
#include "Validation/Trees/PairedNames.h"
#include "kpipe/Message.h"

namespace kpipe {

/// What is not proved, and where the author's text says it.
struct RestagedFault {
  const Tree *At = nullptr;
  Message Why;
};

/// Two functions, walked side by side.
struct RestagedPair : PairedNames {
  const Tree &Author, &Other;
  const Frame &AuthorIn, &OtherIn;
  /// Arrays that were two buffers and are one, in the numbers of each.
  std::set<unsigned> Buffers, OthersBuffers;
};

/// \param IsLoop the author's loops that have one stage.
/// \returns the first thing that is not proved, if any.
std::optional<RestagedFault>
compareRestaged(const Tree &Author, const clang::ASTContext &Of,
                const Tree &Other, const clang::ASTContext &OfOther,
                llvm::function_ref<bool(const Tree &)> IsLoop);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_RESTAGED_RESTAGEDCODE_H
