// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory of a plan under way: whether its stages fit, static or
// dynamic, and which rows may be longer. Knows nothing of routes and registers.
// Private to lib/Planning.
#ifndef KPIPE_PLANNING_SHAREDMEMORYPLAN_H
#define KPIPE_PLANNING_SHAREDMEMORYPLAN_H

#include "Budgets.h"
#include "Planner.h"

namespace kpipe {

class SharedMemoryPlan {
public:
  SharedMemoryPlan(const PlanRequest &R, PipelinePlan &Plan)
      : Plan(Plan), Loop(R.Loop), Kernel(R.Kernel), Arch(R.Arch),
        Options(R.Options), Agreed(R.Agreed) {}

  /// Fills Plan.After, Plan.Launches and Plan.Grown for Plan.Buffers; tells if
  /// that is more than there is.
  OverBudget count();

  /// Makes rows longer where their accesses conflict for banks, that was asked
  /// for, and nothing speaks against it.
  void pad();
  /// Rows were tried to be made longer.
  bool padded() const { return !PadBytes.empty(); }

private:
  PipelinePlan &Plan;
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  const Agreement &Agreed;
  /// Bytes that a buffer of each array is longer; empty stands for none.
  llvm::SmallVector<uint64_t, 2> PadBytes;

  Message notDynamic() const;
  void padWithinBudget(llvm::SmallVectorImpl<BankConflict *> &Wanted);
  Message overWithPadding();
  OverBudget overOfBlocks(bool MayDrop) const;
  OverBudget overOfSisters() const;
};

} // namespace kpipe

#endif // KPIPE_PLANNING_SHAREDMEMORYPLAN_H
