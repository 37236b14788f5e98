// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms by their registers, see kpipe/RegisterChoice.h.
#include "kpipe/RegisterChoice.h"
#include "LostBlocks.h"
#include <algorithm>

namespace kpipe {

static double speedWith(unsigned Number,
                        llvm::ArrayRef<model::SpeedRow> Rows) {
  for (const model::SpeedRow &Row : Rows)
    if (Number <= Row.AtMost)
      return Row.Speed;
  return 1;
}

double keptSpeed(unsigned BlocksBefore, unsigned BlocksAfter,
                 unsigned WarpsPerBlock) {
  if (BlocksAfter >= BlocksBefore)
    return 1;
  if (BlocksAfter * 8 < BlocksBefore * model::LeastOfEight)
    return 0;
  double ByBlocks = speedWith(BlocksAfter, model::SpeedByBlocks) /
                    speedWith(BlocksBefore, model::SpeedByBlocks);
  return std::min(ByBlocks, speedWith(BlocksAfter * WarpsPerBlock,
                                      model::SpeedByWarps));
}

/// Are lost blocks made good by what a pipeline gains at least?
static bool costLittle(unsigned Before, unsigned After,
                       unsigned WarpsPerBlock) {
  return keptSpeed(Before, After, WarpsPerBlock) * model::LeastGain >= 1;
}

RegisterVerdict judge(const RegisterFigures &K, bool MayLoseBlocks) {
  if (K.SpilledAfter > K.SpilledBefore)
    return RegisterVerdict::Spills;
  if (!K.BlocksBefore || !K.BlocksAfter || *K.BlocksAfter >= *K.BlocksBefore)
    return RegisterVerdict::Free;
  if (*K.BlocksAfter == 0)
    return RegisterVerdict::Dear; // it would not run
  return MayLoseBlocks ||
                 costLittle(*K.BlocksBefore, *K.BlocksAfter, K.WarpsPerBlock)
             ? RegisterVerdict::Cheap
             : RegisterVerdict::Dear;
}

bool wantsRing(bool AllAsync, std::optional<double> Ratio) {
  return AllAsync && Ratio.value_or(0) >= model::RingRatio;
}

/// Of the plan's blocks all, or as many as hide latencies.
static bool enoughLeft(const RegisterFigures &Planned,
                       const RegisterFigures &Tried) {
  // Where blocks are not known, nobody knows what more registers cost.
  if (!Planned.BlocksAfter || !Tried.BlocksAfter)
    return false;
  const unsigned Blocks = *Tried.BlocksAfter;
  return Blocks >= *Planned.BlocksAfter ||
         (Blocks >= model::HidingBlocks &&
          Blocks * Tried.WarpsPerBlock >= model::HidingWarps &&
          costLittle(*Planned.BlocksAfter, Blocks, Tried.WarpsPerBlock));
}

static bool spillsMore(const TriedFigures &K) {
  return K.Tried.SpilledAfter > K.Planned.SpilledAfter;
}

bool paysUnrolled(const TriedFigures &K) {
  return !spillsMore(K) && K.Registers < model::MostRegisters &&
         enoughLeft(K.Planned, K.Tried);
}

bool paysFewerWarps(const TriedFigures &K) {
  return !spillsMore(K) &&
         K.Registers >= K.PlannedRegisters * model::ManyMoreRegisters &&
         enoughLeft(K.Planned, K.Tried);
}

bool paysDeeper(const TriedFigures &K) {
  return !spillsMore(K) && K.Planned.BlocksAfter && K.Tried.BlocksAfter &&
         *K.Tried.BlocksAfter >= *K.Planned.BlocksAfter;
}

bool isWorse(std::optional<double> Before, std::optional<double> After) {
  return Before && After && *After >= *Before * model::WorseCode;
}

bool paysLeaner(const TriedFigures &K) {
  return !spillsMore(K) && K.PlannedWork && K.Work &&
         *K.Work * model::LeanerCode <= *K.PlannedWork &&
         enoughLeft(K.Planned, K.Tried);
}

bool paysInPieces(const TriedFigures &K) {
  return !spillsMore(K) && enoughLeft(K.Planned, K.Tried) &&
         K.Tried.BlocksAfter.value_or(0) * K.Tried.WarpsPerBlock >=
             model::HidingWarps;
}

unsigned blocksThatHide(unsigned WarpsPerBlock) {
  return std::max(1u, model::HidingWarps / std::max(1u, WarpsPerBlock));
}

RegisterVerdict judge(llvm::ArrayRef<RegisterFigures> Kernels,
                      bool MayLoseBlocks) {
  RegisterVerdict Worst = RegisterVerdict::Free;
  for (const RegisterFigures &K : Kernels)
    Worst = std::max(Worst, judge(K, MayLoseBlocks));
  return Worst;
}

} // namespace kpipe
