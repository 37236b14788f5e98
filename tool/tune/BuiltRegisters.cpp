// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are those of the program that would run, with the build's own
// flags, and cost no compilation.
#include "BuiltRegisters.h"
#include "kpipe/RegisterChoice.h"
#include "kpipe/Target.h"
#include "kpipe/Verify.h"
#include "llvm/Support/Process.h"

namespace kpipe {

std::string askForResourceUse() {
  const char *Name = "NVCC_APPEND_FLAGS";
  std::string Flags = llvm::sys::Process::GetEnv(Name).value_or("");
  return std::string(Name) + "=" + Flags + (Flags.empty() ? "" : " ") +
         "--resource-usage";
}

static RegisterFigures figuresOf(const LoopKernel &Kernel,
                                 const ArchLimits &Limits,
                                 const ResourceUse &Old,
                                 const ResourceUse &New) {
  constexpr unsigned Warp = 32;
  RegisterFigures F;
  F.SpilledBefore = Old.SpillStores + Old.SpillLoads;
  F.SpilledAfter = New.SpillStores + New.SpillLoads;
  if (!Kernel.Threads || !Kernel.DynamicBefore || !Kernel.DynamicAfter)
    return F;
  F.WarpsPerBlock = (*Kernel.Threads + Warp - 1) / Warp;
  F.BlocksBefore =
      occupancy(Limits, {*Kernel.Threads, Old.StaticShared,
                         *Kernel.DynamicBefore, Old.Registers})
          .BlocksPerSM;
  F.BlocksAfter = occupancy(Limits, {*Kernel.Threads, New.StaticShared,
                                     *Kernel.DynamicAfter, New.Registers})
                      .BlocksPerSM;
  return F;
}

std::string whyNotByRegisters(const MadeForm &Form, llvm::StringRef Arch,
                              llvm::StringRef Original, llvm::StringRef Log) {
  llvm::Expected<const ArchLimits &> Limits = findArch(Arch);
  if (!Limits) {
    llvm::consumeError(Limits.takeError());
    return "";
  }
  llvm::StringMap<ResourceUse> Before = parseResourceUse(Original),
                               After = parseResourceUse(Log);
  for (const LoopKernel &Kernel : Form.Kernels) {
    auto Old = Before.find(Kernel.Mangled), New = After.find(Kernel.Mangled);
    if (Old == Before.end() || New == After.end())
      continue;
    RegisterFigures F =
        figuresOf(Kernel, *Limits, Old->second, New->second);
    bool MayLose = Form.Asked.Form.AllowOccupancyDrop.has_value();
    switch (judge(F, MayLose)) {
    case RegisterVerdict::Spills:
      return std::to_string(F.SpilledAfter) +
             " bytes of registers are spilled, " +
             std::to_string(F.SpilledBefore) + " in the original";
    case RegisterVerdict::Dear:
      return std::to_string(New->second.Registers) + " registers leave " +
             std::to_string(*F.BlocksAfter) + " of " +
             std::to_string(*F.BlocksBefore) + " blocks per SM";
    case RegisterVerdict::Free:
    case RegisterVerdict::Cheap:
      break;
    }
  }
  return "";
}

} // namespace kpipe
