// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in registers, see InRegisters.h.

#include "InRegisters.h"
#include "Budgets.h"
#include "Registers.h"
#include "Routes.h"
#include <algorithm>

namespace kpipe {

/// Blocks per SM when a thread holds so many registers more than its variables;
/// empty if unknown. They take the place of loads that ptxas would hoist, so
/// that up to the likely number they cost nothing.
static std::optional<unsigned> blocksWith(const PlanRequest &R,
                                          const Budget &B, unsigned More) {
  std::optional<unsigned> Least = leastRegisters(R.Kernel, R.Arch);
  if (!B.Fits || !B.Registers || !Least)
    return std::nullopt;
  return fitsWith(B, R.Kernel, R.Arch,
                  std::min(std::max(*B.Registers, *Least + More),
                           registersPerThread(R.Kernel, R.Arch)))
      ->BlocksPerSM;
}

/// Why so many tiles may not be held, as a clause; empty if they may.
static Message obstacle(const PlanRequest &R, const PipelinePlan &Plan,
                        unsigned Tiles) {
  const unsigned Needed = Tiles * Plan.StagedRegisters;
  if (Needed > spareRegisters(R.Kernel, R.Arch))
    return tooManyRegisters(R, Needed, Tiles);
  if (Tiles > R.Agreed.MostInRegisters)
    return R.Agreed.InRegisters.clauseFor(R.Arch, msg::instantiation_needs_it);
  auto One = blocksWith(R, Plan.After, Plan.StagedRegisters);
  auto All = blocksWith(R, Plan.After, Needed);
  if (One && All && *All < *One && !R.Options.Form.AllowOccupancyDrop)
    return {msg::tiles_lower_blocks, Tiles, *One, *All, R.Arch.Name};
  return {};
}

TilesHeld tilesInRegisters(const PlanRequest &R, const PipelinePlan &Plan,
                           unsigned Asked) {
  TilesHeld Held{Asked, {}};
  for (; Held.Tiles > 1; --Held.Tiles) {
    Message Why = obstacle(R, Plan, Held.Tiles);
    if (Why.empty())
      break;
    Held.Why = std::move(Why);
  }
  return Held;
}

} // namespace kpipe
