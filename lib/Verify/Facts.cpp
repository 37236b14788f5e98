// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reports of a run say of one kernel. Clang and the demangler spell
// template arguments in two ways, so names are compared without what differs.
#include "kpipe/Engine.h"
#include "kpipe/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

/// `k<128, 8U>` and `k<128u, 8>` are the same kernel: blanks and the suffixes of
/// numbers are left out.
static std::string comparable(llvm::StringRef Name) {
  std::string Out;
  bool InWord = false, InNumber = false;
  for (char C : Name) {
    InNumber = InNumber ? llvm::isAlnum(C) : !InWord && llvm::isDigit(C);
    InWord = llvm::isAlnum(C) || C == '_';
    if (C != ' ' && !(InNumber && llvm::StringRef("uUlL").contains(C)))
      Out += C;
  }
  return Out;
}

static llvm::StringRef withoutArguments(llvm::StringRef Name) {
  return Name.split('<').first;
}

/// The report of a loop on one architecture; null if there is none.
static const ArchReport *on(const LoopReport &Loop, llvm::StringRef Arch) {
  auto It = llvm::find_if(Loop.Archs, [&](const ArchReport &A) {
    return A.Arch == Arch;
  });
  return It == Loop.Archs.end() ? nullptr : &*It;
}

static PlannedLoop plannedLoop(const LoopReport &Loop, const ArchReport &A) {
  PlannedLoop P;
  P.Where = Loop.Where;
  P.Stages = A.stages();
  P.Ratio = Loop.Ratio;
  for (const CopyReport &Copy : A.Copies)
    if (Copy.Way == Route::AsyncCopy)
      P.AsyncBytes.push_back(Copy.Bytes);
    else
      P.HasRegisterCopies = true;
  return P;
}

KernelFacts factsOf(llvm::StringRef Kernel, llvm::StringRef Arch,
                    llvm::ArrayRef<LoopReport> Loops, bool PlanIsOfText) {
  KernelFacts Facts;
  Facts.HasPlan = PlanIsOfText;
  for (const LoopReport &Loop : Loops) {
    const ArchReport *A = on(Loop, Arch);
    if (!A || !A->Launch ||
        withoutArguments(A->Launch->Kernel) != withoutArguments(Kernel))
      continue;
    // Of a template's instantiations the plan shows one; the others take the
    // same steps with other numbers.
    bool Exactly = comparable(A->Launch->Kernel) == comparable(Kernel);
    if (Exactly) {
      Facts.Threads = A->Launch->Threads;
      Facts.DynamicBefore = Facts.DynamicAfter = A->Launch->DynamicShared;
    }
    if (A->Verdict != LoopVerdict::Pipelined || !PlanIsOfText)
      continue;
    Facts.Pipelined.push_back(plannedLoop(Loop, *A));
    // Lost blocks were weighed with the compiler's numbers.
    Facts.MayLoseBlocks |= A->Registers && A->Registers->Measured;
    Facts.MayGrowDynamic |= !A->Launch->DynamicShared && A->stages() > 1 &&
                            A->Budget->LaunchAfter.StaticShared ==
                                A->Budget->LaunchBefore.StaticShared;
    if (!Exactly) {
      Facts.Pipelined.back().Ratio.reset();
      continue;
    }
    // Each loop's budget is that of a kernel in which the loops before it are
    // pipelined.
    const LaunchShape &Before = A->Budget->LaunchBefore;
    const LaunchShape &After = A->Budget->LaunchAfter;
    Facts.PlannedShared = Facts.PlannedShared.value_or(Before.StaticShared) +
                          After.StaticShared - Before.StaticShared;
    if (Facts.DynamicAfter)
      *Facts.DynamicAfter += After.DynamicShared - Before.DynamicShared;
    Facts.PlannedRegisters = A->Launch->Registers;
    Facts.PlannedBlocks = A->Budget->BlocksAfter;
  }
  if (Facts.Pipelined.size() > 1)
    Facts.PlannedBlocks.reset();
  return Facts;
}

} // namespace kpipe
