// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of each copy, see Routes.h.

#include "Routes.h"
#include "Model.h"
#include "Registers.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

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
  const double Ratio = R.Kernel.Ratio.value_or(0);
  return R.Arch.Major == 9 && !R.Agreed.Generations && !R.Loop.TensorCores &&
         Ratio > model::WideRatio && Ratio < model::MostWideRatio &&
         R.Loop.NotSplittable.empty() && Needed >= model::WideRegisters &&
         Needed <= spareRegisters(R.Kernel, R.Arch);
}

/// In registers such a load is a branch, in which nvcc sets the register to
/// zero first; that waits for the load before it, and so each load for another.
/// Where the last turn alone is one, little waits: a convolution gained 1.33
/// through registers and 1.22 by both ways, another one 1.38 and 1.34 (H200).
static bool isGuardedTwice(const TileCopy &C) {
  return C.Kind != Fill::None && llvm::any_of(C.Loops, [](const CopyLoop &L) {
           return !L.ConstantInit && L.Partly == CopyLoop::Partial::Any;
         });
}

CopyPlan chooseRoute(const PlanRequest &R, unsigned Copy) {
  const TileCopy &C = R.Loop.Copies[Copy];
  if (!R.Arch.hasAsyncCopy())
    return {Route::Registers, {msg::arch_has_no_async, R.Arch.Name}};
  if (R.asked(Variant::Ldg))
    return {Route::Registers, {msg::registers_asked}};
  if (!C.NotAsync.empty())
    return {Route::Registers, C.NotAsync};
  if (Message Agreed = R.registersAgreed(Copy))
    return {Route::Registers, Agreed};
  if (R.asked(Variant::CpAsync))
    return {Route::AsyncCopy, {msg::async_asked}};
  // Sums of wgmma leave few registers, and copies overlap them by themselves.
  if ((C.Bytes == model::AsyncBytes && !wideInRegisters(R)) || R.Loop.Matrix)
    return {Route::AsyncCopy, {msg::pure_copy, C.Bytes}};
  // What waits in registers for one mapping would take them for both.
  if (llvm::is_contained(R.Loop.Remapped, C.Buffer))
    return {Route::AsyncCopy, {msg::beside_remapped_copy, C.Bytes}};
  // What needs no count is right for all blocks, and checks none; and it has no
  // parts that a smaller tile leaves out.
  if (llvm::any_of(C.Loops, [](const CopyLoop &L) {
        return L.BlockAxes || L.Limit || L.SharesStart;
      }))
    return {Route::AsyncCopy, {msg::pure_copy, C.Bytes}};
  if (isGuardedTwice(C))
    return {Route::AsyncCopy, {msg::loads_would_wait, C.Bytes}};
  if (!R.Loop.NotSplittable.empty())
    return {Route::AsyncCopy,
            {msg::registers_cannot_hold, R.Loop.NotSplittable}};
  return {Route::Registers,
          {C.Bytes == model::AsyncBytes ? msg::wide_copy_faster_in_registers
                                        : msg::copy_faster_in_registers,
           C.Bytes}};
}

unsigned registersNeeded(const PlanRequest &R,
                         llvm::ArrayRef<CopyPlan> Copies) {
  // Of branches that share their registers one runs, by the first that does.
  std::map<unsigned, unsigned> Held;
  for (unsigned I = 0; I != Copies.size(); ++I)
    if (Copies[I].Way == Route::Registers) {
      unsigned &Most = Held[R.Loop.Copies[I].SharesRegisters];
      Most = std::max(Most, stagedRegisters(R.Loop.Copies[I]));
    }
  unsigned Sum = 0;
  for (auto &[First, Most] : Held)
    Sum += Most;
  return Sum;
}

Message tooManyRegisters(const PlanRequest &R, unsigned Needed,
                         unsigned Tiles) {
  const unsigned Spare = spareRegisters(R.Kernel, R.Arch),
                 All = registersPerThread(R.Kernel, R.Arch);
  return Tiles == 1
             ? Message(msg::too_many_registers, Needed, Spare, All)
             : Message(msg::too_many_registers_for_tiles, Tiles, Needed, Spare,
                       All);
}

Message relieveRegisters(const PlanRequest &R,
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
      Copies[I] = {Route::AsyncCopy, {msg::too_few_registers}};
      Any = true;
    }
  return Any ? tooManyRegisters(R, Needed) : Message();
}

Message firstObstacle(const PlanRequest &R) {
  if (!R.Arch.hasAsyncCopy())
    return {msg::arch_has_no_async, R.Arch.Name};
  for (const TileCopy &C : R.Loop.Copies)
    if (!C.NotAsync.empty())
      return C.NotAsync;
  for (unsigned I = 0; I != R.Loop.Copies.size(); ++I)
    if (Message Agreed = R.registersAgreed(I))
      return Agreed;
  return {msg::instantiation_needs_registers};
}

std::vector<Message> fallbacks(const PlanRequest &R,
                               llvm::ArrayRef<CopyPlan> Copies) {
  std::vector<Message> All;
  llvm::SmallVector<unsigned, 4> Said;
  for (unsigned I = 0; I != Copies.size(); ++I) {
    const TileCopy &C = R.Loop.Copies[I];
    if (Copies[I].Way != Route::Registers || llvm::is_contained(Said, C.Buffer))
      continue;
    Said.push_back(C.Buffer);
    All.push_back({msg::filled_through_registers,
                   R.Loop.Buffers[C.Buffer].Var->getName(),
                   C.NotAsync ? C.NotAsync : R.registersAgreed(I)});
  }
  return All;
}

} // namespace kpipe
