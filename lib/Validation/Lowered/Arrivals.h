// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrivals at barriers that went, and what waited for them. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_ARRIVALS_H
#define KPIPE_LIB_VALIDATION_ARRIVALS_H

#include "AsyncMeaning.h"

namespace kpipe {

class Arrivals {
public:
  /// Whoever arrives has a token, waits right behind, or by parity.
  void arrives(const AsyncStatement &Async, const Tree &At);
  void waits(const AsyncEvent &E, const Tree &At);
  /// A wait went with the arrival that it waited for, and no arrival alone:
  /// what is missed, or null.
  const Tree *missed() const;

private:
  /// By the variables of their tokens.
  std::map<unsigned, const Tree *> Arrived;
  std::vector<std::pair<unsigned, const Tree *>> Awaited;
  /// Barriers that were waited for by parity, and arrivals there.
  std::set<std::string> ByParity;
  std::vector<std::pair<std::string, const Tree *>> Counted;
};

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ARRIVALS_H
