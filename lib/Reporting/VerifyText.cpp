// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `kpipe verify` prints. It must not decide anything: what it prints is in
// the report.
#include "Words.h"
#include "kpipe/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

namespace {

std::string change(uint64_t Before, uint64_t After) {
  return llvm::utostr(Before) + " -> " + llvm::utostr(After);
}

std::string decimal(double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.6g", Value);
  return Text;
}

void printCheck(llvm::raw_ostream &OS, const Check &C) {
  OS << "  " << llvm::left_justify(describe(C.Verdict), 12)
     << llvm::left_justify(C.Id, 21) << ' ';
  printWrapped(OS, C.Text, 36, 36);
  // Evidence of what holds is for --annotate and for the JSON.
  if (C.Verdict != CheckVerdict::Fails)
    return;
  for (const std::string &Line : C.Evidence)
    OS << "      " << Line << '\n';
  if (!C.Advice.empty()) {
    OS << "    try: ";
    printWrapped(OS, C.Advice, 9, 9);
  }
}

/// "limited by registers, next cliff at 33024 bytes (+16640)".
std::string limits(const Occupancy &O) {
  std::string Text = "limited by " + describe(O.Limit).str();
  if (O.BlocksPerSM)
    Text += ", next cliff at " + llvm::utostr(O.CliffBytes) +
            " bytes of shared memory (+" + llvm::utostr(O.DistanceToCliff) +
            ")";
  return Text;
}

void printResources(llvm::raw_ostream &OS, const KernelVerification &K) {
  OS << "  registers " << change(K.Before.Registers, K.After.Registers)
     << ", spilled bytes "
     << change(K.Before.SpillStores + K.Before.SpillLoads,
               K.After.SpillStores + K.After.SpillLoads)
     << ", stack " << change(K.Before.Stack, K.After.Stack)
     << ", static shared " << change(K.Before.StaticShared, K.After.StaticShared)
     << '\n';
  if (!K.FitsAfter)
    return;
  OS << "  ";
  printWrapped(OS,
               "blocks per SM " +
                   change(K.FitsBefore->BlocksPerSM, K.FitsAfter->BlocksPerSM) +
                   ", " + limits(*K.FitsAfter),
               2, 4);
  if (!K.PlannedBlocks)
    return;
  OS << "  ";
  int Off = int(K.FitsAfter->BlocksPerSM) - int(*K.PlannedBlocks);
  std::string Text = "the plan's estimate was " +
                     llvm::utostr(*K.PlannedBlocks) + " blocks per SM";
  // Blocks may be right for another reason than registers.
  bool SameRegisters =
      !K.PlannedRegisters || *K.PlannedRegisters == K.After.Registers;
  if (K.PlannedRegisters && (SameRegisters || Off))
    Text += " with " + llvm::utostr(*K.PlannedRegisters) + " registers";
  Text += Off == 0 ? ", which is right"
                   : ": wrong by " + std::string(Off > 0 ? "+" : "") +
                         std::to_string(Off);
  if (!SameRegisters && !Off)
    Text += "; it counted with " + llvm::utostr(*K.PlannedRegisters) +
            " registers, and the code takes " +
            llvm::utostr(K.After.Registers);
  else if (Off && K.PlannedRegisters)
    Text += ", as the code takes " + llvm::utostr(K.After.Registers) +
            " registers";
  printWrapped(OS, Text, 2, 4);
}

void printLoop(llvm::raw_ostream &OS, const LoopVerification &L) {
  OS << "  loop at " << llvm::format_hex(L.Begin, 6) << " to "
     << llvm::format_hex(L.End, 6) << ", " << L.Tiles
     << (L.Tiles == 1 ? " tile" : " tiles") << " a run";
  if (L.ComputePerTile && L.BytesPerTile)
    OS << ": for a tile " << decimal(*L.ComputePerTile) << ' ' << L.ComputeKind
       << ", " << decimal(*L.BytesPerTile) << " bytes a thread";
  OS << '\n';
  if (L.Ratio) {
    OS << "  compute/load: " << llvm::format("%.1f", *L.Ratio)
       << " operations per byte in the code";
    if (L.PlannedRatio)
      OS << ", " << llvm::format("%.1f", *L.PlannedRatio)
         << " estimated from the source";
    OS << '\n';
  }
  for (const Check &C : L.Checks)
    printCheck(OS, C);
}

void printKernel(llvm::raw_ostream &OS, const KernelVerification &K) {
  printWrapped(OS, K.Kernel + " on " + K.Arch + ":", 0, 2);
  printResources(OS, K);
  for (const Check &C : K.Checks)
    printCheck(OS, C);
  for (const LoopVerification &L : K.Loops)
    printLoop(OS, L);
  OS << '\n';
}

} // namespace

void printVerification(llvm::raw_ostream &OS, const VerifyReport &Report) {
  unsigned Unchanged = 0;
  for (const KernelVerification &K : Report.Kernels)
    if (K.Unchanged)
      ++Unchanged;
    else
      printKernel(OS, K);
  // Not wrapped: it may end with a command that somebody wants to copy.
  for (const std::string &Why : Report.NotMade)
    OS << "not checked: " << Why << '\n';
  if (Unchanged)
    OS << Unchanged
       << (Unchanged == 1 ? " kernel has" : " kernels have")
       << " the same code before and after\n";
  unsigned Holds = Report.count(CheckVerdict::Holds),
           Fails = Report.count(CheckVerdict::Fails),
           Open = Report.count(CheckVerdict::NotChecked);
  size_t Checked = Report.Kernels.size() - Unchanged;
  OS << Checked << (Checked == 1 ? " kernel" : " kernels")
     << " checked: " << Holds << " checks hold, " << Fails << " fail, " << Open << " were not made\n";
}

void printAnnotated(llvm::raw_ostream &OS, const VerifyReport &Report) {
  for (const KernelVerification &K : Report.Kernels)
    for (const LoopVerification &L : K.Loops) {
      OS << K.Kernel << " on " << K.Arch << ":\n";
      for (const AnnotatedLine &Line : L.Lines)
        OS << llvm::left_justify(describe(Line.What), 10) << " /*"
           << llvm::format_hex_no_prefix(Line.Address, 4) << "*/ " << Line.Text
           << '\n';
    }
}

} // namespace kpipe
