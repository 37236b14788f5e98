// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnreadableCode.h.
#include "UnreadableCode.h"
#include "Code/AstUtils.h"

namespace kpipe {

std::optional<Obstacle> whyUnreadable(const Effects &Body) {
  for (const Event &E : Body.Events)
    if (E.Kind == EventKind::Invalid)
      return Obstacle{
          RuleId::InvalidCode, startOf(E.At), msg::code_does_not_parse, {}};
  for (const Event &E : Body.Events)
    if (E.Callee.is(msg::unsupported_statement))
      return Obstacle{RuleId::SyncOrder,
                      startOf(E.At),
                      {msg::callee_may_synchronize, E.Callee},
                      {}};
  return std::nullopt;
}

} // namespace kpipe
