// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules sync-order and foreign-async: only block barriers order memory in
// the body, and no asynchronous copies of the author's own are in flight.

#include "Queries.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Of a tile that wgmma reads: it orders what threads did before what the tensor
/// cores read, which the pipeline does once more.
static bool isProxyFence(const LoopFacts &F, const Event &E) {
  return F.Tile.crossesProxies() &&
         (E.Name == "fence.proxy.async" ||
          llvm::StringRef(E.Name).starts_with("fence.proxy.async.shared::"));
}

/// wgmma and what belongs to it: recognition has looked at when it is waited
/// for.
static bool isMatrix(const LoopFacts &F, const Event &E) {
  return F.Tile.crossesProxies() && E.OnlyMatrix;
}

/// Does missing-barrier say that this would be the tile's end, were it plain?
static bool isTileEnd(const LoopFacts &F, const Event &E) {
  for (unsigned I = 0; I != F.Items.size(); ++I)
    if (F.Tile.Body[I].S == F.NearlyEnd)
      return llvm::any_of(F.Items[I].Events,
                          [&](const Event &Its) { return Its.At == E.At; });
  return false;
}

void syncOrder(const LoopFacts &F, const Directives &, Findings &Out) {
  auto Report = [&](const Event &E, Message What) {
    Out.push_back({RuleId::SyncOrder, startOf(E.At), std::move(What), {}});
  };
  for (const Event &E : F.Body.Events) {
    if (E.Kind == EventKind::NamedBarrier)
      // Of assembly the barrier's number and its threads are not read.
      Report(E, {isa<GCCAsmStmt>(E.At) ? msg::is_no_plain_barrier
                                       : msg::synchronizes_others,
                 E.Name});
    else if (E.Kind == EventKind::GridSync)
      Report(E, {msg::synchronizes_grid, E.Name});
    else if (E.Kind == EventKind::Fence && !isProxyFence(F, E))
      Report(E, {msg::orders_memory, E.Name});
  }
  // In the load region these are load-effects.
  for (const Event &E : F.Compute.Events)
    if (E.Kind == EventKind::UnknownCall)
      Report(E, {msg::callee_may_synchronize, E.Callee});
    else if (E.Kind == EventKind::UnknownAsm && !isMatrix(F, E))
      Report(E, {msg::assembly_may_order, E.Name});
  for (const Event &E : beforeBarrier(F).Events)
    if (E.Kind == EventKind::WarpSync)
      Report(E, {msg::exchanges_in_load, E.Name});
    else if ((E.Kind == EventKind::BlockBarrier ||
              E.Kind == EventKind::ValueBarrier) &&
             !isTileEnd(F, E))
      Report(E, msg::barrier_in_load);
}

void foreignAsync(const LoopFacts &F, const Directives &, Findings &Out) {
  for (const Event &E : F.Body.Events)
    if (E.Kind == EventKind::AsyncCopy || E.Kind == EventKind::KpipePrimitive) {
      Out.push_back({RuleId::ForeignAsync,
                     startOf(E.At),
                     {msg::already_asynchronous, E.Name},
                     {}});
      return;
    }
  if (F.AsyncBefore)
    Out.push_back({RuleId::ForeignAsync,
                   startOf(F.AsyncBefore),
                   msg::in_flight_before,
                   {{startOf(F.Tile.Loop), msg::drain_before_loop}}});
}

} // namespace kpipe
