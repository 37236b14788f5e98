// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel before and after: resources, blocks per SM, then its loops.
#include "kpipe/Verify.h"
#include "LoopChecks.h"
#include "Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

llvm::StringRef describe(CheckVerdict V) {
  switch (V) {
  case CheckVerdict::Holds:
    return "holds";
  case CheckVerdict::Fails:
    return "fails";
  case CheckVerdict::NotChecked:
    return "not checked";
  }
  return "";
}

namespace {

class KernelVerifier {
public:
  KernelVerifier(const CompiledKernel &Before, const CompiledKernel &After,
                 const ArchLimits &Arch, const KernelFacts &Facts,
                 llvm::StringRef NoCode)
      : Before(Before), After(After), Arch(Arch), Facts(Facts),
        NoCode(NoCode) {}

  KernelVerification run() {
    V.Kernel = kernelName(After.Name);
    V.Mangled = After.Name;
    V.Arch = Arch.Name;
    V.Before = Before.Use;
    V.After = After.Use;
    V.Threads = Facts.Threads;
    V.PlannedRegisters = Facts.PlannedRegisters;
    V.PlannedBlocks = Facts.PlannedBlocks;
    bool Planned = Facts.HasPlan && !Facts.Pipelined.empty();
    if (!Planned && sameCode()) {
      V.Unchanged = true;
      return std::move(V);
    }
    noSpills();
    sharedAsPlanned();
    blocksPerSM();
    if (!Before.Code || !After.Code) {
      for (llvm::StringRef Id : {"no-local-memory", "main-loop"})
        add(Id, CheckVerdict::NotChecked, NoCode.str());
      return std::move(V);
    }
    noLocalMemory();
    loops();
    return std::move(V);
  }

private:
  const CompiledKernel &Before, &After;
  const ArchLimits &Arch;
  const KernelFacts &Facts;
  llvm::StringRef NoCode;
  KernelVerification V;

  Check &add(llvm::StringRef Id, CheckVerdict Verdict, std::string Text) {
    V.Checks.push_back({Id.str(), Verdict, std::move(Text), {}, {}});
    return V.Checks.back();
  }

  /// Labels are numbered through the whole file, so of a branch only where it
  /// leads counts.
  bool sameCode() const {
    return Before.Code && After.Code &&
           llvm::equal(Before.Code->Instructions, After.Code->Instructions,
                       [](const auto &A, const auto &B) {
                         bool Branches = A.Text.find("`(") != std::string::npos;
                         return A.Text == B.Text ||
                                (Branches && A.Opcode == B.Opcode &&
                                 A.Predicate == B.Predicate);
                       }) &&
           llvm::equal(Before.Code->Blocks, After.Code->Blocks,
                       [](const auto &A, const auto &B) {
                         return A.Begin == B.Begin &&
                                A.Successors == B.Successors;
                       });
  }

  void noSpills() {
    uint64_t Old = Before.Use.SpillStores + Before.Use.SpillLoads;
    uint64_t New = After.Use.SpillStores + After.Use.SpillLoads;
    if (New <= Old) {
      add("no-spills", CheckVerdict::Holds,
          New ? llvm::utostr(New) + " bytes of registers are spilled, no more "
                                    "than in the original"
              : "no register is spilled");
      return;
    }
    add("no-spills", CheckVerdict::Fails,
        llvm::utostr(New) + " bytes of registers are spilled, " +
            llvm::utostr(Old) + " in the original")
        .Advice = "the staged tile takes too many registers: try "
                  "--variant=cp-async, or smaller __launch_bounds__";
  }

  void sharedAsPlanned() {
    if (!Facts.HasPlan || !Facts.PlannedShared) {
      add("shared-as-planned", CheckVerdict::NotChecked,
          "there is no plan for this text");
      return;
    }
    bool Same = After.Use.StaticShared == *Facts.PlannedShared;
    Check &C = add("shared-as-planned",
                   Same ? CheckVerdict::Holds : CheckVerdict::Fails,
                   llvm::utostr(After.Use.StaticShared) +
                       " bytes of static shared memory, " +
                       (Same ? "as planned"
                             : llvm::utostr(*Facts.PlannedShared) +
                                   " were planned"));
    if (!Same)
      C.Advice = "the budget was made with a wrong number; please report it "
                 "with the file";
  }

  /// Where the block or its dynamic shared memory is not known, registers may
  /// decide all the same. \returns false if they do not.
  bool blocksByRegisters() {
    const bool MoreShared =
        Facts.MayGrowDynamic ||
        After.Use.StaticShared > Before.Use.StaticShared ||
        (Facts.DynamicBefore && Facts.DynamicAfter &&
         *Facts.DynamicAfter > *Facts.DynamicBefore);
    if (After.Use.Registers <= Before.Use.Registers && !MoreShared) {
      add("blocks-per-sm", CheckVerdict::Holds,
          "whatever the block, no fewer fit: neither more registers nor more "
          "static shared memory are taken");
      return true;
    }
    auto Fits = [&](const ResourceUse &Use, unsigned Threads) {
      return occupancy(Arch, {Threads, 0, 0, Use.Registers}).BlocksPerSM;
    };
    bool AnyLoses = false;
    constexpr unsigned Warp = 32, MostThreads = 1024;
    for (unsigned T = Facts.Threads.value_or(Warp);
         T <= Facts.Threads.value_or(MostThreads); T += Warp)
      AnyLoses |= Fits(After.Use, T) < Fits(Before.Use, T);
    if (!AnyLoses && !MoreShared) {
      add("blocks-per-sm", CheckVerdict::Holds,
          std::string(Facts.Threads ? "" : "whatever the block, ") +
              "no fewer fit: " + llvm::utostr(Before.Use.Registers) + " -> " +
              llvm::utostr(After.Use.Registers) +
              " registers leave as many blocks per SM, and no more static "
              "shared memory is taken");
      return true;
    }
    if (!Facts.Threads || !AnyLoses || Facts.MayLoseBlocks)
      return false;
    unsigned Old = Fits(Before.Use, *Facts.Threads),
             New = Fits(After.Use, *Facts.Threads);
    add("blocks-per-sm", CheckVerdict::Fails,
        llvm::utostr(Before.Use.Registers) + " -> " +
            llvm::utostr(After.Use.Registers) + " registers leave " +
            llvm::utostr(New) + " blocks per SM of " +
            llvm::utostr(*Facts.Threads) + " threads, was " +
            llvm::utostr(Old) +
            ", unless dynamic shared memory, which is not known, leaves fewer")
        .Advice = CappedAdvice;
    return true;
  }

  static constexpr const char *CappedAdvice =
      "try --variant=cp-async, which holds no tile in registers, or "
      "__launch_bounds__ with a minimum of blocks (--min-blocks)";

  void blocksPerSM() {
    if ((!Facts.Threads || !Facts.DynamicBefore || !Facts.DynamicAfter) &&
        blocksByRegisters())
      return;
    if (!Facts.Threads) {
      add("blocks-per-sm", CheckVerdict::NotChecked,
          "the threads of a block are not known; say them with --block");
      return;
    }
    if (!Facts.DynamicBefore || !Facts.DynamicAfter) {
      add("blocks-per-sm", CheckVerdict::NotChecked,
          "the dynamic shared memory of a block is not known");
      return;
    }
    V.FitsBefore = occupancy(Arch, {*Facts.Threads, Before.Use.StaticShared,
                                    *Facts.DynamicBefore,
                                    Before.Use.Registers});
    V.FitsAfter = occupancy(Arch, {*Facts.Threads, After.Use.StaticShared,
                                   *Facts.DynamicAfter, After.Use.Registers});
    unsigned Old = V.FitsBefore->BlocksPerSM, New = V.FitsAfter->BlocksPerSM;
    std::string Text = llvm::utostr(Old) + " -> " + llvm::utostr(New) +
                       " blocks per SM of " + llvm::utostr(*Facts.Threads) +
                       " threads";
    if (New >= Old || (Facts.MayLoseBlocks && New)) {
      add("blocks-per-sm", CheckVerdict::Holds, Text);
      return;
    }
    add("blocks-per-sm", CheckVerdict::Fails,
        Text + ", limited by " + describe(V.FitsAfter->Limit).str())
        .Advice = V.FitsAfter->Limit == Limiter::Registers
                      ? CappedAdvice
                      : "try fewer stages, or --stages=1";
  }

  void noLocalMemory() {
    auto Count = [](const sass::Function &F) {
      return llvm::count_if(F.Instructions, [](const sass::Instruction &I) {
        return I.mnemonic() == "LDL" || I.mnemonic() == "STL";
      });
    };
    size_t Old = Count(*Before.Code), New = Count(*After.Code);
    // Peeling the last tile out of the loop repeats what one tile does.
    if (New == 0 || (Old != 0 && New <= 2 * Old)) {
      add("no-local-memory", CheckVerdict::Holds,
          New ? "local memory is used as in the original"
              : "no instruction uses local memory");
      return;
    }
    Check &C = add("no-local-memory", CheckVerdict::Fails,
                   llvm::utostr(New) + " instructions use local memory, " +
                       llvm::utostr(Old) + " in the original");
    for (const sass::Instruction &I : After.Code->Instructions)
      if ((I.mnemonic() == "LDL" || I.mnemonic() == "STL") &&
          C.Evidence.size() < 4) {
        std::string Line;
        llvm::raw_string_ostream(Line)
            << "/*" << llvm::format_hex_no_prefix(I.Address, 4) << "*/ "
            << I.Text;
        C.Evidence.push_back(std::move(Line));
      }
    C.Advice = "a staged array found no registers: try --variant=cp-async, or "
               "unroll the loops of the copy";
  }

  void noLoop(std::string Why) {
    add("main-loop", CheckVerdict::NotChecked,
        std::move(Why) + ", so the order of loads and compute was not checked");
  }

  void loops() {
    std::vector<TileCode> Old = findTileCode(*Before.Code);
    std::vector<TileCode> New = findTileCode(
        *After.Code, Old.empty() ? ComputeKind::None : Old.front().Kind);
    // Loops that were not pipelined keep their steps; if the plan pipelines
    // all, one that looks as it did is no such loop but a failure.
    bool AllPlanned =
        Facts.HasPlan && Facts.Pipelined.size() >= Old.size();
    unsigned Left = 0;
    for (const TileCode &T : New) {
      bool Untouched =
          !AllPlanned && llvm::any_of(Old, [&](const TileCode &O) {
            return sameSteps(T, O);
          });
      if (Untouched) {
        ++Left;
        continue;
      }
      V.Loops.push_back(verifyLoop(T, Old, Facts));
    }
    if (Facts.Pipelined.size() == 1)
      for (LoopVerification &L : V.Loops)
        L.PlannedRatio = Facts.Pipelined.front().Ratio;
    else if (Facts.Pipelined.size() == V.Loops.size())
      for (auto [L, P] : llvm::zip_equal(V.Loops, Facts.Pipelined))
        L.PlannedRatio = P.Ratio;
    if (New.empty())
      return noLoop("no loop of the code has loads, a barrier and compute; "
                    "ptxas may have unrolled it completely");
    if (V.Loops.size() < std::max<size_t>(1, Facts.Pipelined.size()))
      return noLoop(V.Loops.empty()
                        ? "the loop takes the same steps as in the original"
                        : "of " + llvm::utostr(Facts.Pipelined.size()) +
                              " pipelined loops only " +
                              llvm::utostr(V.Loops.size()) +
                              " are loops in the code");
    add("main-loop", CheckVerdict::Holds,
        llvm::utostr(V.Loops.size()) +
            (V.Loops.size() == 1 ? " loop was" : " loops were") + " found" +
            (Left ? ", besides " + llvm::utostr(Left) + " as in the original"
                  : ""));
  }
};

unsigned countIn(llvm::ArrayRef<Check> Checks, CheckVerdict V) {
  return llvm::count_if(Checks,
                        [&](const Check &C) { return C.Verdict == V; });
}

} // namespace

unsigned KernelVerification::count(CheckVerdict Verdict) const {
  unsigned Number = countIn(Checks, Verdict);
  for (const LoopVerification &L : Loops)
    Number += countIn(L.Checks, Verdict);
  return Number;
}

unsigned VerifyReport::count(CheckVerdict Verdict) const {
  unsigned Number = 0;
  for (const KernelVerification &K : Kernels)
    Number += K.count(Verdict);
  return Number;
}

KernelVerification verifyKernel(const CompiledKernel &Before,
                                const CompiledKernel &After,
                                const ArchLimits &Arch,
                                const KernelFacts &Facts,
                                llvm::StringRef NoCode) {
  return KernelVerifier(Before, After, Arch, Facts, NoCode).run();
}

} // namespace kpipe
