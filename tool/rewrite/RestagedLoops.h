// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units whose hand-staged loops kpipe is to stage: which loops have one stage
// before anything else looks at them.
#ifndef KPIPE_TOOL_REWRITE_RESTAGEDLOOPS_H
#define KPIPE_TOOL_REWRITE_RESTAGEDLOOPS_H

#include "Session.h"

namespace kpipe {

/// Plain copies, see lowerUnit(), and the outcome; once more with one stage in
/// the loops whose form asks for that.
llvm::Error transformLowered(UnitResult &Unit, const FileRequest &Request,
                             llvm::ArrayRef<Place> LeaveAlone,
                             unsigned ArchIndex);

/// The unit with one stage in the loops of Unit.ToRestage, but for those;
/// null where there is none. What cannot be restaged is kept in Unit.
/// \param Loops gets the loops that have one stage.
llvm::Expected<std::unique_ptr<ParsedUnit>>
withOneStage(UnitResult &Unit, const TransformOptions &Options,
             llvm::ArrayRef<Place> LeaveAlone, std::vector<Place> &Loops);

/// Says why a loop keeps its author's stages, the first time.
void keepStaged(UnitResult &Unit, KeptStages Kept);

/// Had the loop one stage, and was not pipelined? Then it keeps its author's,
/// with what was said of it for a reason.
bool keepStagedInVain(UnitResult &Unit, const LoopOutcome &Loop);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_RESTAGEDLOOPS_H
