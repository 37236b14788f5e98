// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagingMistakes.h"
#include "kpipe/HandStaged.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>
#include <vector>

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

bool copiesToOnePlace(const clang::FunctionDecl *Function,
                      const clang::Stmt *Loop, const Scope &In,
                      std::array<unsigned, 3> Block) {
  AsyncCode Code(In.context());
  const StageTrace Trace = traceStages(
      {Function, Loop, In, Code.of(Function), Block}, ManyTiles, TurnsToTell);
  // By mention: one in a copy loop goes to several places in a turn.
  std::map<std::pair<const clang::Stmt *, int>,
           std::vector<std::pair<const clang::VarDecl *, int64_t>>>
      Places;
  std::set<std::pair<const clang::VarDecl *, int>> Read;
  for (const TraceEvent &E : Trace.Events) {
    if (E.Turn < 0 || E.After || unsigned(E.Turn) >= Trace.Turns)
      continue;
    if (E.Kind == TraceKind::Read)
      Read.insert({E.Base, E.Turn}); // null: any
    if (E.Kind != TraceKind::Write || !E.Async)
      continue;
    if (!E.Base || Read.count({E.Base, E.Turn}) ||
        Read.count({nullptr, E.Turn}))
      return false;
    Places[{E.At, E.Turn}].push_back({E.Base, E.Offset});
  }
  if (Trace.Turns < TurnsToTell || Places.empty())
    return false;
  return llvm::all_of(Places, [&](const auto &One) {
    auto First = Places.find({One.first.first, 0});
    return First != Places.end() && First->second == One.second;
  });
}

} // namespace kpipe
