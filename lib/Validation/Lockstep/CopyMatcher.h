// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in the halves of a load, by registers or asynchronous. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_COPYMATCHER_H
#define KPIPE_LIB_VALIDATION_COPYMATCHER_H

#include "Matcher.h"

namespace kpipe {

class CopyMatcher {
public:
  explicit CopyMatcher(Matcher &M) : M(M) {}

  /// A copy, or the call of a helper that holds some; nothing for other nodes.
  std::optional<bool> matchCopy(const Tree &A, const Tree &O);
  std::string registerText(const Tree &O) const;

private:
  Matcher &M;

  bool matchAsync(unsigned I, const Tree &A, const Tree &O);
  bool matchAsync(const Tree &A, const Tree &From, const Tree &O);
  /// Calls Then with what a copy stores: its right side, or what the temporary
  /// there holds, in which the counters have the names that they have here.
  bool withValue(const TileCopy &C, const Tree &A,
                 llvm::function_ref<bool(const Tree &From)> Then);
  bool matchGuard(const Tree &A, const Tree &O);
  bool matchAddress(const Tree &A, const Tree &O);
  bool assignAlike(const Tree &A, const Tree &O, bool Converted);
  bool matchRegister(unsigned I, const Tree &A, const Tree &O);
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_COPYMATCHER_H
