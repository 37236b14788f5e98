// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagingMistakes.h"
#include "kpipe/HandStaged.h"

namespace kpipe {

/// Large: loops over it have turns enough.
static constexpr int64_t ManyTiles = 16384;

std::optional<StagedByHand>
findStagedByHand(const clang::FunctionDecl *Function, const clang::Stmt *Loop,
                 const Scope &In, std::array<unsigned, 3> Block) {
  AsyncCode Code(In.context());
  const TraceOf Of{Function, Loop, In, Code.of(Function), Block};
  std::optional<HandStaging> S =
      findHandStaging(traceStages(Of, ManyTiles, TurnsToTell));
  if (!S)
    return std::nullopt;
  return StagedByHand{S->Stages, S->Routes, findStagingMistakes(Of, *S)};
}

} // namespace kpipe
