// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan for one legal tile loop: the route of each copy, the number of
// stages, and what it costs on one architecture. Made by planning, read by
// emission and reporting; knows no text edits.
#ifndef KPIPE_PLAN_H
#define KPIPE_PLAN_H

#include "kpipe/Options.h"
#include "kpipe/Target.h"
#include "kpipe/TileLoop.h"
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// The way of one copy from global to shared memory.
enum class Route {
  AsyncCopy, ///< cp.async, past the registers
  Registers  ///< a load to registers, later a store (LDG, STS)
};

struct CopyPlan {
  Route Way = Route::Registers;
  std::string Reason;
};

/// What a kernel takes of an SM, before or after.
struct Budget {
  uint64_t SharedBytes = 0; ///< static, per block
  /// Filled when the block's size is known.
  std::optional<Occupancy> Fits;
};

struct PipelinePlan {
  /// Buffers per staged array: 2, or 1 for the single-buffer form, in which
  /// only registers run ahead.
  unsigned Stages = 2;
  /// Parallel to TileLoop::Copies.
  llvm::SmallVector<CopyPlan, 4> Copies;
  /// 4-byte registers per thread that hold a tile on its way.
  unsigned StagedRegisters = 0;
  Budget Before, After;
  /// What was decided and why, in the order of the decisions.
  std::vector<std::string> Reasons;

  bool hasRoute(Route R) const {
    for (const CopyPlan &C : Copies)
      if (C.Way == R)
        return true;
    return false;
  }
};

/// What planning is told of the kernel around the loop.
struct KernelShape {
  /// Bytes of all static shared variables of the kernel.
  uint64_t SharedBytes = 0;
  /// Threads of one block, and where that is known from; empty if unknown.
  std::optional<unsigned> Threads;
  std::string ThreadsFrom;
};

/// A plan, or the rule (`budget`, `async-shape`) that forbids one with the
/// reason and the cure.
struct PlanResult {
  std::optional<PipelinePlan> Plan;
  std::string Rule, Reason, Cure;
};

/// Plans one loop for one architecture. Pure; deterministic.
PlanResult planLoop(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options);

} // namespace kpipe

#endif // KPIPE_PLAN_H
