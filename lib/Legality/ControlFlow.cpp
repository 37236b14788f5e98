// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule control-flow: nothing leaves load or compute midway.

#include "Rules.h"

using namespace clang;

namespace kpipe {

void controlFlow(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events) {
    Message What, Cure;
    switch (E.Kind) {
    case EventKind::Return:
      What = msg::return_in_body;
      Cure = msg::return_elsewhere;
      break;
    case EventKind::Break:
      What = msg::break_in_body;
      Cure = msg::end_by_condition;
      break;
    case EventKind::Continue:
      What = msg::continue_in_body;
      Cure = msg::skip_by_condition;
      break;
    case EventKind::Goto:
      What = msg::jump_in_body;
      break;
    default:
      continue;
    }
    Obstacle Found{RuleId::ControlFlow, startOf(E.At), What, {}};
    if (Cure)
      Found.Notes.push_back({startOf(E.At), Cure});
    Out.push_back(std::move(Found));
  }
}

} // namespace kpipe
