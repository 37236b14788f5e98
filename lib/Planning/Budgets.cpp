// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory before and after, see Budgets.h.

#include "Budgets.h"
#include "Registers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace kpipe {

uint64_t layoutShared(llvm::ArrayRef<SharedVariable> Variables,
                      uint64_t Rounding) {
  uint64_t End = 0;
  for (const SharedVariable &V : Variables)
    End = llvm::alignTo(End, V.Alignment) + std::max(V.Bytes, V.Grown);
  return llvm::alignTo(End, Rounding);
}

bool stagesBlock(const TileLoop &Loop) {
  return llvm::any_of(Loop.Buffers,
                      [](const StagedBuffer &B) { return B.Block; });
}

/// Is V what has the stages of B?
static bool holds(const StagedBuffer &B, const clang::VarDecl *V) {
  return B.Var == V || llvm::any_of(B.Given, [&](const GivenArray &G) {
           return G.Array == V;
         });
}

uint64_t bytesInBlock(const TileLoop &Loop, const KernelShape &Kernel,
                      unsigned Stages) {
  if (!Kernel.Regrown.LeastBytes || !Kernel.Regrown.Not.empty())
    return 0;
  // Names outside the loop may mean any of the block, before it as well; and
  // names of parts mean what is there.
  if (llvm::any_of(Loop.Buffers, [](const StagedBuffer &B) {
        return B.KeepsContents || !B.Apart.empty();
      }))
    return 0;
  // All threads of the block move the last tile to the first stage.
  if (Loop.LeftBefore && llvm::any_of(Loop.Buffers, [](const StagedBuffer &B) {
        return B.Block && !B.MentionsAfter.empty();
      }))
    return 0;
  // As kpipe::bytes_per_stage counts.
  const uint64_t Unit = Loop.stageAlignment();
  const uint64_t Stage = *Kernel.Regrown.LeastBytes / (Unit * Stages) * Unit;
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
    if (Loop.Buffers[I].Block &&
        (I >= Kernel.Layouts.size() || !Kernel.Layouts[I].Reach ||
         *Kernel.Layouts[I].Reach > Stage))
      return 0;
  return Stage;
}

Budget budgetFor(const TileLoop &Loop, const KernelShape &Kernel,
                 const ArchLimits &Arch, unsigned Stages, bool Dynamic,
                 llvm::ArrayRef<uint64_t> PadBytes, bool InBlock) {
  std::vector<SharedVariable> Shared = Kernel.Shared;
  uint64_t Moved = 0, Rounding = Kernel.SharedRounding;
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
    for (SharedVariable &V : Shared)
      if (holds(Loop.Buffers[I], V.Var)) {
        V.Bytes = (V.Bytes + (PadBytes.empty() ? 0 : PadBytes[I])) * Stages;
        // Emission declares what the accesses rely on.
        if (Stages > 1)
          V.Alignment =
              std::max<uint64_t>(V.Alignment, Loop.Buffers[I].Alignment);
      }
  if (Dynamic) {
    llvm::erase_if(Shared, [&](const SharedVariable &V) {
      bool Staged = llvm::any_of(
          Loop.Buffers,
          [&](const StagedBuffer &B) { return holds(B, V.Var); });
      Moved += Staged ? V.Bytes : 0;
      return Staged;
    });
    Rounding = std::max<uint64_t>(Rounding, 16);
  }
  Budget Result;
  Result.SharedBytes = layoutShared(Shared, Rounding);
  const auto Others = [&](std::optional<uint64_t> Bytes) {
    return Bytes ? std::optional(std::max(*Bytes, Kernel.DynamicGrown)) : Bytes;
  };
  Result.DynamicBytes =
      Dynamic ? Moved + Kernel.DynamicGrown : Others(Kernel.DynamicShared);
  Result.OptsIn = Dynamic;
  Result.Grows = Stages > 1 && stagesBlock(Loop) && !InBlock;
  if (Result.Grows) {
    // As kpipe::staged_bytes counts.
    const uint64_t Multiple = Loop.stageAlignment();
    auto Grown = [&](std::optional<uint64_t> Bytes) {
      return Bytes ? std::optional(Stages * llvm::alignTo(*Bytes, Multiple)) : Bytes;
    };
    Result.DynamicBytes = Others(Grown(Kernel.DynamicShared));
    auto Most = Grown(Kernel.Regrown.MostBytes);
    Result.OptsIn =
        Kernel.Regrown.AlwaysOptsIn || !Most ||
        Result.SharedBytes + *Most > ArchLimits::StaticSharedPerBlock;
  }
  Result.Registers = likelyRegisters(Kernel, Arch);
  Result.Fits = fitsWith(Result, Kernel, Arch, Result.Registers);
  Result.FitsAtMost =
      fitsWith(Result, Kernel, Arch, leastRegisters(Kernel, Arch));
  return Result;
}

void noteGrowth(const TileLoop &Loop, const KernelShape &Kernel,
                const PipelinePlan &Plan, SharedGrowth &Growth) {
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I) {
    uint64_t Pad = 0;
    for (const BankConflict &C : Plan.Conflicts)
      if (C.Padded && C.Buffer == I)
        Pad = C.PadBytes;
    for (const SharedVariable &V : Kernel.Shared)
      if (holds(Loop.Buffers[I], V.Var)) {
        uint64_t &Bytes = Growth.Arrays[V.Var];
        Bytes = std::max(Bytes, (V.Bytes + Pad) * Plan.Buffers);
        if (Plan.dynamic())
          Growth.Moved.insert(V.Var);
      }
  }
}

std::optional<Occupancy> fitsWith(const Budget &B, const KernelShape &Kernel,
                                  const ArchLimits &Arch,
                                  std::optional<unsigned> Registers) {
  if (!Kernel.Threads || !B.DynamicBytes)
    return std::nullopt;
  LaunchShape Launch;
  Launch.Registers = Registers;
  Launch.ThreadsPerBlock = *Kernel.Threads;
  Launch.StaticShared = B.SharedBytes;
  Launch.DynamicShared = *B.DynamicBytes;
  return occupancy(Arch, Launch);
}

Message stagesText(unsigned Stages) {
  return Stages == 1   ? Message(msg::one_buffer)
         : Stages == 2 ? Message(msg::two_stages)
                       : Message(msg::n_stages, Stages);
}

Message stagesNeed(unsigned Stages) {
  return Stages == 1   ? Message(msg::one_buffer_needs)
         : Stages == 2 ? Message(msg::two_stages_need)
                       : Message(msg::n_stages_need, Stages);
}

Message lowersBlocks(unsigned Stages, const Budget &Before, const Budget &After,
                     const ArchLimits &Arch) {
  return {msg::lowers_blocks,
          stagesText(Stages),
          After.shared(),
          Before.FitsAtMost->BlocksPerSM,
          After.FitsAtMost->BlocksPerSM,
          Arch.Name};
}

/// Where it is not known how much dynamic shared memory a block has.
static OverBudget overUnknown(const Budget &After, unsigned Stages) {
  if (After.Grows)
    return {{msg::grows_by_unknown, stagesNeed(Stages), Stages},
            {msg::launch_with_constant}};
  return {{msg::beside_unknown, stagesNeed(Stages), After.SharedBytes},
          {msg::launch_with_constant}};
}

OverBudget overBudget(const Budget &Before, const Budget &After,
                      unsigned Stages, const ArchLimits &Arch, bool AllowDrop) {
  constexpr uint64_t Static = ArchLimits::StaticSharedPerBlock;
  if (After.SharedBytes > Static)
    return {{msg::more_than_static, stagesNeed(Stages), After.SharedBytes,
             Static},
            {msg::use_smaller_tile}};
  if (After.SharedBytes == Before.SharedBytes && !After.OptsIn && !After.Grows)
    return {};
  if (!After.DynamicBytes)
    return AllowDrop ? OverBudget() : overUnknown(After, Stages);
  const Message Bytes =
      After.OptsIn || After.Grows
          ? Message(msg::bytes_of_shared, After.shared())
          : Message(msg::bytes_beside_dynamic, After.SharedBytes,
                    *After.DynamicBytes);
  if (!After.OptsIn && *After.DynamicBytes && After.shared() > Static &&
      Before.shared() <= Static)
    return {{msg::more_than_launch, stagesNeed(Stages), Bytes, Static},
            {msg::use_smaller_tile}};
  if (After.shared() > Arch.SharedPerBlockOptIn &&
      Before.shared() <= Arch.SharedPerBlockOptIn)
    return {{msg::more_than_block, stagesNeed(Stages), Bytes,
             Arch.SharedPerBlockOptIn, Arch.Name},
            {msg::use_smaller_tile}};
  if (!Before.FitsAtMost || !After.FitsAtMost)
    return {};
  unsigned Was = Before.FitsAtMost->BlocksPerSM,
           Is = After.FitsAtMost->BlocksPerSM;
  if (Is >= Was || (AllowDrop && Is != 0))
    return {};
  return {lowersBlocks(Stages, Before, After, Arch),
          {msg::smaller_tile_or_allow_drop}};
}

Message describeRoom(const Budget &Before, const Budget &After) {
  if (!Before.Fits || !After.Fits)
    return {};
  unsigned Was = Before.Fits->BlocksPerSM, Is = After.Fits->BlocksPerSM;
  return Is == Was ? Message(msg::blocks_unchanged, Is)
                   : Message(msg::blocks_change, Was, Is);
}

} // namespace kpipe
