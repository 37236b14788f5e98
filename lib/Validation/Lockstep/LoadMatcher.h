// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halves of a load in the lockstep: which of the author's statements each
// keeps. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_LOADMATCHER_H
#define KPIPE_LIB_VALIDATION_LOADMATCHER_H

#include "Matcher.h"

namespace kpipe {

class LoadMatcher {
public:
  explicit LoadMatcher(Matcher &M) : M(M) {}

  /// What a half may have of a node; nothing where it is as it was.
  std::optional<bool> matchHalf(const Tree &A, const Tree &O);
  /// A half's statements: some of the author's, in order.
  bool matchSome(llvm::ArrayRef<const Tree *> As,
                 llvm::ArrayRef<const Tree *> Os, const Tree &In);
  bool matchHelper(const DeclaredLoop::Clone &C, const Tree &A, const Tree &O);

private:
  Matcher &M;
  bool differsInside(const Tree &Call, const Matcher &Sub);

  bool endsAsCounted(const Tree &For);
  bool matchCounted(const Tree &A, const Tree &O);
  bool noteTile(const DeclaredLoop::Clone &C, const Tree &O, size_t At);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_LOADMATCHER_H
