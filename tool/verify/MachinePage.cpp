// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MachinePage.h.
#include "MachinePage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace kpipe {

/// The page tells apart what a margin of one word does not.
static MachineRole roleOf(const AnnotatedLine &Line) {
  llvm::StringRef Text = Line.Text;
  if (Line.Role == "load")
    return Text.contains("LDGSTS") ? MachineRole::AsyncCopy
                                   : MachineRole::GlobalLoad;
  return llvm::StringSwitch<MachineRole>(Line.Role)
      .Case("commit", MachineRole::Commit)
      .Case("wait", MachineRole::Wait)
      .Case("store", MachineRole::SharedStore)
      .Case("read", MachineRole::SharedLoad)
      .Case("compute", MachineRole::Compute)
      .Case("barrier", MachineRole::Barrier)
      .Case("local", MachineRole::Spill)
      .Default(Text.contains(" BRA") ? MachineRole::Branch : MachineRole::None);
}

static MachineResources resourcesOf(const ResourceUse &Use) {
  return {Use.Registers, static_cast<unsigned>(Use.SpillStores),
          static_cast<unsigned>(Use.SpillLoads), Use.StaticShared};
}

static void addChecks(MachineCode &Code, llvm::ArrayRef<Check> Checks) {
  for (const Check &C : Checks) {
    std::string Text = C.Text;
    if (!C.Advice.empty())
      Text += "; " + C.Advice;
    Code.Checks.push_back({C.Id, C.Verdict, std::move(Text)});
  }
}

std::vector<MachineCode> machineCode(const VerifyReport &Report) {
  std::vector<MachineCode> All;
  for (const KernelVerification &Kernel : Report.Kernels) {
    MachineCode Code;
    Code.Kernel = Kernel.Kernel;
    Code.Arch = Kernel.Arch;
    Code.Before = resourcesOf(Kernel.Before);
    Code.After = resourcesOf(Kernel.After);
    addChecks(Code, Kernel.Checks);
    for (const LoopVerification &Loop : Kernel.Loops) {
      addChecks(Code, Loop.Checks);
      std::string Heading =
          "loop at 0x" + llvm::utohexstr(Loop.Begin, /*LowerCase=*/true) +
          (Loop.Tiles > 1
               ? ", " + llvm::utostr(Loop.Tiles) + " tiles in one run"
               : "");
      for (const AnnotatedLine &Line : Loop.Lines) {
        Code.Lines.push_back({Line.Text, roleOf(Line), Heading, ""});
        Heading.clear();
      }
    }
    All.push_back(std::move(Code));
  }
  return All;
}

} // namespace kpipe
