// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SharedMemoryPlan for stages and rows, see SharedMemoryPlan.h.

#include "SharedMemoryPlan.h"
#include "Padding.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace kpipe {

OverBudget SharedMemoryPlan::count() {
  Plan.Launches = {};
  // The last tile would move to the front by a name of the whole block.
  const bool Nameless = llvm::any_of(Loop.Buffers, [](const StagedBuffer &B) {
    return B.GivenOut && !B.MentionsAfter.empty();
  });
  Plan.BytesInBlock = stagesBlock(Loop) && Plan.Buffers > 1 && !Agreed.Grows &&
                              !Loop.Bulk && !Nameless
                          ? bytesInBlock(Loop, Kernel, Plan.Buffers)
                          : 0;
  const bool InBlock = Plan.BytesInBlock != 0;
  Plan.After =
      budgetFor(Loop, Kernel, Arch, Plan.Buffers,
                Agreed.Dynamic && Plan.Buffers > 1, PadBytes, InBlock);
  const bool Outgrown =
      Plan.After.SharedBytes > ArchLimits::StaticSharedPerBlock;
  if (Outgrown && !Agreed.Dynamic && Plan.Buffers > 1 && notDynamic().empty())
    Plan.After = budgetFor(Loop, Kernel, Arch, Plan.Buffers, true, PadBytes,
                           InBlock);
  Plan.Grown = {};
  if (Plan.After.Grows)
    Plan.After.OptsIn |= Agreed.OptsIn;
  if (Plan.After.Grows && Plan.After.OptsIn &&
      !Kernel.Regrown.NotOptingIn.empty())
    return {{msg::needs_opt_in, stagesNeed(Plan.Buffers),
             Kernel.Regrown.NotOptingIn},
            Kernel.Regrown.OptInCure.empty()
                ? Message(msg::name_kernel_in_launch)
                : Kernel.Regrown.OptInCure};
  // Whoever launches it elsewhere knows how much that is.
  bool Unknown = Plan.After.Grows && Kernel.Regrown.Elsewhere &&
                 !Plan.After.DynamicBytes;
  const bool MayDrop =
      Options.Form.AllowOccupancyDrop || Unknown ||
      (!PadBytes.empty() && Options.Form.Pad == Padding::Always);
  OverBudget Over =
      Plan.After.Grows && !Plan.After.DynamicBytes &&
              !Kernel.DynamicByBlock.empty()
          ? overOfBlocks(MayDrop)
          : overBudget(Plan.Before, Plan.After, Plan.Buffers, Arch, MayDrop);
  if (!Over)
    Over = overOfSisters();
  if (Over && Outgrown && !Plan.After.OptsIn && Kernel.Launched)
    Over.Reason = {msg::dynamic_would_be_larger, Over.Reason, notDynamic()};
  if (!Over && Plan.After.Grows)
    Plan.Grown = Kernel.Regrown.Counts;
  else if (!Over && Plan.After.OptsIn)
    Plan.Launches = Kernel.Launches;
  return Over;
}

/// Instances that are not looked at, as --instantiate names others, have the
/// stages as well: their launches ask for more than there is.
OverBudget SharedMemoryPlan::overOfSisters() const {
  const std::optional<uint64_t> Most = Kernel.Regrown.MostBytes;
  if (!Plan.After.Grows || !Most || !Kernel.DynamicByBlock.empty())
    return {};
  Budget Before = Plan.Before, After = Plan.After;
  Before.DynamicBytes = Most;
  After.DynamicBytes =
      Plan.Buffers * llvm::alignTo(*Most, Loop.stageAlignment());
  Before.FitsAtMost.reset();
  return overBudget(Before, After, Plan.Buffers, Arch, true);
}

/// What the first block that has no room for the stages says, of all that can
/// run as the author launches them.
OverBudget SharedMemoryPlan::overOfBlocks(bool MayDrop) const {
  KernelShape Block = Kernel;
  Block.DynamicByBlock.clear();
  for (const BlockBytes &B : Kernel.DynamicByBlock) {
    Block.Threads = B.Threads;
    Block.DynamicShared = B.Bytes;
    const Budget Before = budgetFor(Loop, Block, Arch, 1);
    const bool Runs =
        Before.shared() <= (Kernel.Regrown.AlwaysOptsIn
                                ? Arch.SharedPerBlockOptIn
                                : ArchLimits::StaticSharedPerBlock);
    if (!Runs)
      continue;
    const Budget After =
        budgetFor(Loop, Block, Arch, Plan.Buffers, false, PadBytes);
    if (OverBudget Over =
            overBudget(Before, After, Plan.Buffers, Arch, MayDrop))
      return {{msg::in_blocks_of, Over.Reason, B.Threads}, Over.Cure};
  }
  return {};
}

/// Why the staged arrays cannot become dynamic shared memory, as a clause.
Message SharedMemoryPlan::notDynamic() const {
  if (!Options.DynamicShared)
    return {msg::dynamic_shared_never};
  for (const StagedBuffer &B : Loop.Buffers)
    if (!B.NotDynamic.empty())
      return B.NotDynamic;
  if (Kernel.DynamicShared != 0u)
    return {msg::has_dynamic_already};
  if (Kernel.Launches.empty() && Kernel.NotRelaunched.empty())
    return {msg::no_launch_known};
  return Kernel.NotRelaunched;
}

void SharedMemoryPlan::pad() {
  Plan.Pads.assign(Loop.Buffers.size(), 0);
  Plan.Conflicts = findConflicts(Loop, Kernel);
  if (Options.Form.Pad == Padding::Never)
    return;
  llvm::SmallVector<BankConflict *, 2> Wanted;
  for (BankConflict &C : Plan.Conflicts) {
    if (C.NotPadded.empty() &&
        llvm::is_contained(Agreed.NotPadded, C.Buffer))
      C.NotPadded = Agreed.Rows.clauseFor(
          Arch, msg::instantiation_needs_other_rows);
    if (C.NotPadded.empty())
      Wanted.push_back(&C);
  }
  if (!Wanted.empty())
    padWithinBudget(Wanted);
  for (const BankConflict &C : Plan.Conflicts) {
    const llvm::StringRef Name = Loop.Buffers[C.Buffer].Var->getName();
    if (!C.Padded) {
      say(Plan, {msg::rows_not_padded, Name, C.NotPadded},
          Options.Form.Pad.has_value());
      continue;
    }
    Plan.Pads[C.Buffer] = C.PadElements;
    for (const clang::Expr *E : Kernel.Layouts[C.Buffer].Strides)
      Plan.Strides.push_back({E, C.PadElements});
    say(Plan, {C.PadElements == 1 ? msg::rows_padded_by_one : msg::rows_padded,
               Name, C.PadBytes, C.PadElements});
  }
}

/// All of them, if need be with a stage less that nobody asked for; else one
/// after the other, the worst first, as far as there is room.
void SharedMemoryPlan::padWithinBudget(
    llvm::SmallVectorImpl<BankConflict *> &Wanted) {
  const unsigned Planned = Plan.Buffers;
  Message Why;
  unsigned Fewest = Planned > 2 && !Options.Form.Stages ? 2 : Planned;
  for (; Plan.Buffers >= Fewest; --Plan.Buffers) {
    for (BankConflict *C : Wanted)
      C->Padded = true;
    Message Obstacle = overWithPadding();
    if (Obstacle.empty()) {
      if (Plan.Buffers != Planned)
        say(Plan, {msg::fewer_stages_for_padding, stagesText(Plan.Buffers),
                   Planned, Why});
      return;
    }
    if (Why.empty())
      Why = Obstacle;
  }
  Plan.Buffers = Planned;
  for (BankConflict *C : Wanted)
    C->Padded = false;
  llvm::stable_sort(Wanted, [](const BankConflict *A, const BankConflict *B) {
    return A->Degree > B->Degree;
  });
  for (BankConflict *C : Wanted) {
    C->Padded = true;
    C->NotPadded = overWithPadding();
    C->Padded = C->NotPadded.empty();
  }
  overWithPadding(); // the budget of what is left
}

/// Counts the budget with the rows that are padded now; tells why that may
/// not be, empty if it may.
Message SharedMemoryPlan::overWithPadding() {
  PadBytes.clear();
  OverBudget Plain = count();
  Budget Without = Plan.After;
  PadBytes.assign(Loop.Buffers.size(), 0);
  for (const BankConflict &C : Plan.Conflicts)
    if (C.Padded)
      PadBytes[C.Buffer] = C.PadBytes;
  OverBudget Over = count();
  if (Over && Options.Form.Pad == Padding::IfFree &&
      !overBudget(Plan.Before, Plan.After, Plan.Buffers, Arch, true))
    return {msg::unless_pad_always, Over.Reason};
  if (Over)
    return Over.Reason;
  if (Options.Form.Pad != Padding::Always && !Plain &&
      Without.FitsAtMost && Plan.After.FitsAtMost &&
      Plan.After.FitsAtMost->BlocksPerSM < Without.FitsAtMost->BlocksPerSM)
    return {msg::unless_pad_always,
            lowersBlocks(Plan.Buffers, Without, Plan.After, Arch)};
  return {};
}

} // namespace kpipe
