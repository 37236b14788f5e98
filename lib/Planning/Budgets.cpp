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
    End = llvm::alignTo(End, V.Alignment) + V.Bytes;
  return llvm::alignTo(End, Rounding);
}

bool stagesBlock(const TileLoop &Loop) {
  return llvm::any_of(Loop.Buffers,
                      [](const StagedBuffer &B) { return B.Block; });
}

Budget budgetFor(const TileLoop &Loop, const KernelShape &Kernel,
                 const ArchLimits &Arch, unsigned Stages, bool Dynamic,
                 llvm::ArrayRef<uint64_t> PadBytes) {
  std::vector<SharedVariable> Shared = Kernel.Shared;
  uint64_t Moved = 0, Rounding = Kernel.SharedRounding;
  for (unsigned I = 0; I != Loop.Buffers.size(); ++I)
    for (SharedVariable &V : Shared)
      if (V.Var == Loop.Buffers[I].Var) {
        V.Bytes = (V.Bytes + (PadBytes.empty() ? 0 : PadBytes[I])) * Stages;
        // Emission declares what the accesses rely on.
        if (Stages > 1)
          V.Alignment =
              std::max<uint64_t>(V.Alignment, Loop.Buffers[I].Alignment);
      }
  if (Dynamic) {
    llvm::erase_if(Shared, [&](const SharedVariable &V) {
      bool Staged = llvm::any_of(
          Loop.Buffers, [&](const StagedBuffer &B) { return B.Var == V.Var; });
      Moved += Staged ? V.Bytes : 0;
      return Staged;
    });
    Rounding = std::max<uint64_t>(Rounding, 16);
  }
  Budget Result;
  Result.SharedBytes = layoutShared(Shared, Rounding);
  Result.DynamicBytes = Dynamic ? Moved : Kernel.DynamicShared;
  Result.OptsIn = Dynamic;
  Result.Grows = Stages > 1 && stagesBlock(Loop);
  if (Result.Grows) {
    // As kpipe::staged_bytes counts.
    auto Grown = [&](std::optional<uint64_t> Bytes) {
      return Bytes ? std::optional(Stages * llvm::alignTo(*Bytes, 128)) : Bytes;
    };
    Result.DynamicBytes = Grown(Kernel.DynamicShared);
    auto Most = Grown(Kernel.Regrown.MostBytes);
    Result.OptsIn =
        Kernel.Regrown.AlwaysOptsIn || !Most ||
        Result.SharedBytes + *Most > ArchLimits::StaticSharedPerBlock;
  }
  Result.Registers = estimatedRegisters(Kernel, Arch);
  Result.Fits = fitsWith(Result, Kernel, Arch, Result.Registers);
  return Result;
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

std::string stagesText(unsigned Stages) {
  if (Stages == 1)
    return "one buffer";
  return (Stages == 2 ? "two" : std::to_string(Stages)) +
         std::string(" stages");
}

OverBudget overBudget(const Budget &Before, const Budget &After,
                      unsigned Stages, const ArchLimits &Arch, bool AllowDrop) {
  constexpr uint64_t Static = ArchLimits::StaticSharedPerBlock;
  std::string Text = stagesText(Stages);
  const char *Take = Stages == 1 ? " takes " : " take ";
  std::string Bytes = std::to_string(After.SharedBytes) + " bytes";
  const char *Smaller = "use a smaller tile";
  if (After.SharedBytes > Static)
    return {Text + Take + Bytes +
                " of static shared memory, and a block "
                "may declare " +
                std::to_string(Static),
            Smaller};
  if (After.SharedBytes == Before.SharedBytes && !After.OptsIn && !After.Grows)
    return {};
  if (!After.DynamicBytes) {
    if (AllowDrop)
      return {};
    if (After.Grows)
      return {Text + Take +
                  (Stages == 2 ? "twice" : std::to_string(Stages) + " times") +
                  " the kernel's dynamic shared memory, which is not known",
              "launch the kernel with a constant size in the same file, or say "
              "--allow-occupancy-drop"};
    return {Text + Take + Bytes +
                ", and the kernel's dynamic shared memory beside them is not "
                "known",
            "launch the kernel with a constant size in the same file, or say "
            "--allow-occupancy-drop"};
  }
  std::string Both = After.OptsIn || After.Grows
                         ? Text + Take + std::to_string(After.shared()) +
                               " bytes of shared memory, "
                         : Text + Take + Bytes + " beside " +
                               std::to_string(*After.DynamicBytes) +
                               " of dynamic shared memory, ";
  if (!After.OptsIn && *After.DynamicBytes && After.shared() > Static &&
      Before.shared() <= Static)
    return {Both + "and a launch that does not opt in to more may have " +
                std::to_string(Static),
            Smaller};
  if (After.shared() > Arch.SharedPerBlockOptIn &&
      Before.shared() <= Arch.SharedPerBlockOptIn)
    return {Both + "and a block may have " +
                std::to_string(Arch.SharedPerBlockOptIn) + " on " + Arch.Name,
            Smaller};
  if (!Before.Fits || !After.Fits)
    return {};
  unsigned Was = Before.Fits->BlocksPerSM, Is = After.Fits->BlocksPerSM;
  if (Is >= Was || (AllowDrop && Is != 0))
    return {};
  return {Text + " (" + std::to_string(After.shared()) +
              " bytes) would lower the blocks per SM from " +
              std::to_string(Was) + " to " + std::to_string(Is) + " on " +
              Arch.Name,
          "use a smaller tile, or say --allow-occupancy-drop"};
}

std::string describeRoom(const Budget &Before, const Budget &After) {
  if (!Before.Fits || !After.Fits)
    return {};
  unsigned Was = Before.Fits->BlocksPerSM, Is = After.Fits->BlocksPerSM;
  if (Is == Was)
    return "blocks per SM stay as they are";
  return "blocks per SM go from " + std::to_string(Was) + " to " +
         std::to_string(Is);
}

} // namespace kpipe
