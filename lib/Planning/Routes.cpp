// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of each copy, see Routes.h.

#include "Routes.h"
#include "Model.h"
#include "Registers.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

/// All copies are of 16 bytes, a thread makes several of them for a tile, and
/// the compute takes long without tensor cores: measured on sm_90 alone.
static bool wideInRegisters(const PlanRequest &R) {
  unsigned Needed = 0;
  for (const TileCopy &C : R.Loop.Copies) {
    if (C.Bytes != model::AsyncBytes || !C.NotAsync.empty())
      return false;
    Needed += stagedRegisters(C);
  }
  return R.Arch.Major == 9 && !R.Loop.TensorCores &&
         R.Kernel.Ratio.value_or(0) > model::WideRatio &&
         R.Loop.NotSplittable.empty() && Needed >= model::WideRegisters &&
         Needed <= spareRegisters(R.Kernel, R.Arch);
}

CopyPlan chooseRoute(const PlanRequest &R, unsigned Copy) {
  const TileCopy &C = R.Loop.Copies[Copy];
  std::string Bytes = std::to_string(C.Bytes) + " bytes";
  if (!R.Arch.hasAsyncCopy())
    return {Route::Registers, R.Arch.Name + std::string(" has no cp.async")};
  if (R.asked(Variant::Ldg))
    return {Route::Registers, "registers were asked for"};
  if (!C.NotAsync.empty())
    return {Route::Registers, C.NotAsync};
  if (llvm::is_contained(R.Agreed.Registers, Copy))
    return {Route::Registers, "another instantiation needs registers"};
  if (R.asked(Variant::CpAsync))
    return {Route::AsyncCopy, "cp.async was asked for"};
  if (C.Bytes == model::AsyncBytes && !wideInRegisters(R))
    return {Route::AsyncCopy, "a pure copy of " + Bytes};
  if (!R.Loop.NotSplittable.empty())
    return {Route::AsyncCopy,
            "registers cannot take it: " + R.Loop.NotSplittable.str()};
  return {Route::Registers,
          "a copy of " + Bytes + " is faster through registers" +
              (C.Bytes == model::AsyncBytes ? " where FMAs take that long"
                                            : "")};
}

unsigned registersNeeded(const PlanRequest &R,
                         llvm::ArrayRef<CopyPlan> Copies) {
  unsigned Sum = 0;
  for (unsigned I = 0; I != Copies.size(); ++I)
    if (Copies[I].Way == Route::Registers)
      Sum += stagedRegisters(R.Loop.Copies[I]);
  return Sum;
}

std::string tooManyRegisters(const PlanRequest &R, unsigned Needed,
                             unsigned Tiles) {
  std::string Take =
      Tiles == 1 ? "the tile takes " : std::to_string(Tiles) + " tiles take ";
  return Take + std::to_string(Needed) + " registers a thread on " +
         (Tiles == 1 ? "its" : "their") + " way, and about " +
         std::to_string(spareRegisters(R.Kernel, R.Arch)) + " of " +
         std::to_string(registersPerThread(R.Kernel, R.Arch)) +
         " are to spare";
}

std::string relieveRegisters(const PlanRequest &R,
                             llvm::MutableArrayRef<CopyPlan> Copies) {
  unsigned Needed = registersNeeded(R, Copies);
  if (Needed <= spareRegisters(R.Kernel, R.Arch) || R.asked(Variant::Ldg) ||
      !R.Arch.hasAsyncCopy())
    return {};
  bool Any = false;
  for (unsigned I = 0; I != Copies.size(); ++I)
    if (Copies[I].Way == Route::Registers &&
        R.Loop.Copies[I].NotAsync.empty() &&
        !llvm::is_contained(R.Agreed.Registers, I)) {
      Copies[I] = {Route::AsyncCopy, "registers do not suffice"};
      Any = true;
    }
  return Any ? tooManyRegisters(R, Needed) : std::string();
}

std::string firstObstacle(const PlanRequest &R) {
  if (!R.Arch.hasAsyncCopy())
    return R.Arch.Name + std::string(" has no cp.async");
  for (const TileCopy &C : R.Loop.Copies)
    if (!C.NotAsync.empty())
      return C.NotAsync;
  return "another instantiation of the template needs registers";
}

std::vector<std::string> fallbacks(const PlanRequest &R,
                                   llvm::ArrayRef<CopyPlan> Copies) {
  std::vector<std::string> All;
  llvm::SmallVector<unsigned, 4> Said;
  for (unsigned I = 0; I != Copies.size(); ++I) {
    const TileCopy &C = R.Loop.Copies[I];
    if (Copies[I].Way != Route::Registers || llvm::is_contained(Said, C.Buffer))
      continue;
    Said.push_back(C.Buffer);
    All.push_back(("'" + R.Loop.Buffers[C.Buffer].Var->getName() +
                   "' is filled through registers: " +
                   (C.NotAsync.empty() ? "another instantiation needs them"
                                       : C.NotAsync.str()))
                      .str());
  }
  return All;
}

} // namespace kpipe
