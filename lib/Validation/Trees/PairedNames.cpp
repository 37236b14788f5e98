// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PairedNames.h.
#include "PairedNames.h"

namespace kpipe {

bool PairedNames::pair(unsigned Authors, unsigned Others) {
  auto [There, Fresh] = Numbers.try_emplace(Others, Authors);
  auto [Here, FreshToo] = Back.try_emplace(Authors, Others);
  return There->second == Authors && Here->second == Others;
}

bool PairedNames::sameNode(const Tree &X, const Tree &Y) {
  if (X.Kind != Y.Kind || X.Label != Y.Label || X.Type != Y.Type ||
      X.Name != Y.Name || !X.Local != !Y.Local)
    return false;
  return !X.Local || pair(X.Local, Y.Local);
}

bool PairedNames::sameAll(const Tree &X, const Tree &Y) {
  if (!sameNode(X, Y) || X.Kids.size() != Y.Kids.size())
    return false;
  for (size_t I = 0; I != X.Kids.size(); ++I)
    if (!sameAll(X.kid(I), Y.kid(I)))
      return false;
  return true;
}

bool PairedNames::same(const Tree &X, const Tree &Y) {
  auto Before = Numbers, BeforeBack = Back;
  if (sameAll(X, Y))
    return true;
  Numbers = std::move(Before);
  Back = std::move(BeforeBack);
  return false;
}

} // namespace kpipe
