// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of one body under what its sister bodies need. Private to
// lib/Planning.
#ifndef KPIPE_PLANNING_PLANNER_H
#define KPIPE_PLANNING_PLANNER_H

#include "kpipe/Plan.h"
#include <climits>

namespace kpipe {

/// What the other bodies of the same text leave to choose.
struct Agreement {
  /// Buffers per staged array, at most; 1 is the single-buffer form.
  unsigned MostBuffers = UINT_MAX;
  /// Tiles that registers hold at once, at most.
  unsigned MostInRegisters = UINT_MAX;
  /// The staged arrays become dynamic shared memory.
  bool Dynamic = false;
  /// The launches opt in to the bytes of dynamic shared memory that grows.
  bool OptsIn = false;
  /// The launches ask for the dynamic shared memory of all stages.
  bool Grows = false;
  /// The last tiles are peeled, unless another schedule was asked for.
  bool Peeled = false;
  /// Indices into TileLoop::Copies of those that go through registers.
  llvm::SmallVector<unsigned, 4> Registers;
  /// Indices into TileLoop::Buffers of arrays whose rows stay as they are.
  llvm::SmallVector<unsigned, 2> NotPadded;
};

/// A body, and what is to be kept to in planning it.
struct PlanRequest {
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  const Agreement &Agreed;

  bool asked(Variant V) const { return Options.Form.Variant == V; }
};

/// Notes a decision; the text is a clause for people.
inline void say(PipelinePlan &Plan, Message Why, bool StepDown = false) {
  Plan.Reasons.push_back({std::move(Why), StepDown});
}

llvm::Expected<PipelinePlan> planBody(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options,
                    const Agreement &Agreed);

} // namespace kpipe

#endif // KPIPE_PLANNING_PLANNER_H
