// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms that are worth a compilation where what was planned for a loop
// loses blocks or spills. It must not know what came of any.
#ifndef KPIPE_TOOL_REGISTERS_FORMS_H
#define KPIPE_TOOL_REGISTERS_FORMS_H

#include "kpipe/Engine.h"
#include <optional>
#include <vector>

namespace kpipe {

/// What planning decided for a loop, and what is known of its kernel.
struct PlannedForm {
  LoopForm Made;  ///< what the loop got
  LoopForm Asked; ///< what was asked for it: stays as it is
  RouteMix Routes = RouteMix::Registers;
  bool HasAsyncCopy = true; ///< of the architecture
  /// Of the kernel as it was; empty if not known.
  std::optional<unsigned> BlocksBefore;
};

/// What to ask for beside what was asked, best first. A minimum of blocks is
/// tried where these are known, with each form that it might mend.
std::vector<LoopForm> formsToMeasure(const PlannedForm &Planned);

} // namespace kpipe

#endif // KPIPE_TOOL_REGISTERS_FORMS_H
