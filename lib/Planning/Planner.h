// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of one body under what its sister bodies need. Private to
// lib/Planning.
#ifndef KPIPE_PLANNING_PLANNER_H
#define KPIPE_PLANNING_PLANNER_H

#include "kpipe/Plan.h"
#include <climits>

namespace kpipe {

/// The architecture for which something had to be agreed on, and why it had.
struct Need {
  const ArchLimits *Arch = nullptr;
  Message Why;

  /// As a clause for a plan for Of; Sister is what is said where another body
  /// needs it on the same architecture.
  Message clauseFor(const ArchLimits &Of, msg::Id Sister) const {
    if (!Arch || Arch == &Of)
      return Sister;
    return {msg::arch_needs_it, Arch->Name};
  }
};

/// What the other bodies of the same text, and the other architectures, leave
/// to choose.
struct Agreement {
  /// Architectures of different generations get one plan: what only one of them
  /// would rather have is not done.
  bool Generations = false;
  /// Buffers per staged array, at most; 1 is the single-buffer form.
  unsigned MostBuffers = UINT_MAX;
  Need Buffers;
  /// Tiles that registers hold at once, at most.
  unsigned MostInRegisters = UINT_MAX;
  Need InRegisters;
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
  /// Parallel to Registers.
  std::vector<Need> ByRegisters;
  /// Indices into TileLoop::Buffers of arrays whose rows stay as they are.
  llvm::SmallVector<unsigned, 2> NotPadded;
  Need Rows;
};

/// A body, and what is to be kept to in planning it.
struct PlanRequest {
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  const Agreement &Agreed;

  bool asked(Variant V) const { return Options.Form.Variant == V; }

  /// Why a copy has to go through registers; empty if none is agreed on.
  Message registersAgreed(unsigned Copy) const {
    for (unsigned I = 0; I != Agreed.Registers.size(); ++I)
      if (Agreed.Registers[I] == Copy)
        return Agreed.ByRegisters[I].clauseFor(
            Arch, msg::instantiation_needs_registers);
    return {};
  }
};

/// A producer's part is asked for, by the schedule that has one or by who it
/// is.
inline bool wantsProducer(const LoopForm &Form) {
  return Form.Schedule == ScheduleKind::Specialized ||
         Form.Producer.has_value();
}

/// What helps where there is none.
inline msg::Id withoutProducer(const LoopForm &Form) {
  return Form.Producer ? msg::producer_none : msg::producer_other_schedule;
}

/// Notes a decision; the text is a clause for people.
inline void say(PipelinePlan &Plan, Message Why, bool StepDown = false) {
  Plan.Reasons.push_back({std::move(Why), StepDown});
}

llvm::Expected<PipelinePlan> planBody(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options,
                    const Agreement &Agreed);

} // namespace kpipe

#endif // KPIPE_PLANNING_PLANNER_H
