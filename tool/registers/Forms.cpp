// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the plan outward: the same with fewer registers, then forms that take
// fewer, then the one that hides least.
#include "Forms.h"
#include "kpipe/Words.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

/// Does Form change what was asked for?
static bool contradicts(const LoopForm &Form, const LoopForm &Asked) {
  bool Any = false;
  forEachField([&](const FormField &, auto Member) {
    Any |= (Form.*Member).has_value() && (Asked.*Member).has_value() &&
           Form.*Member != Asked.*Member;
  });
  return Any;
}

std::vector<LoopForm> formsToMeasure(const PlannedForm &P) {
  std::vector<LoopForm> All;
  auto add = [&](LoopForm Form) {
    for (bool Capped : {true, false}) {
      LoopForm F = Form;
      if (Capped && P.BlocksBefore.value_or(0) > 0)
        F.MinBlocks = BlocksPerSM(*P.BlocksBefore);
      else if (Capped || F == LoopForm())
        continue; // what was planned
      if (!contradicts(F, P.Asked) && !llvm::is_contained(All, F))
        All.push_back(F);
    }
  };
  const unsigned Stages = P.Made.Stages.value_or(2);
  add({});
  LoopForm Other;
  Other.Schedule = P.Made.Schedule == ScheduleKind::Guarded
                       ? ScheduleKind::Peeled
                       : ScheduleKind::Guarded;
  add(Other);
  LoopForm Rolled;
  Rolled.Unroll = Unrolling::Never;
  add(Rolled);
  for (unsigned Fewer = Stages; --Fewer > 1;) {
    LoopForm F;
    F.Stages = Fewer;
    add(F);
  }
  LoopForm Route;
  if (P.Routes != RouteMix::Registers)
    Route.Variant = Variant::Ldg;
  else if (P.HasAsyncCopy && Stages > 1)
    Route.Variant = Variant::CpAsync;
  if (Route.Variant)
    add(Route);
  if (Stages > 1) {
    LoopForm One;
    One.Stages = 1;
    if (P.Asked.Variant != Variant::CpAsync)
      add(One);
  }
  return All;
}

} // namespace kpipe
