// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification: does the machine code of a pipelined kernel do what was planned?
// From the listings and resource counts of a kernel before and after, and from
// the plan where there is one, to checks with a verdict, evidence and advice.
// Pure functions of texts and numbers; it must not know Clang, compilers,
// options or files.
#ifndef KPIPE_VERIFY_H
#define KPIPE_VERIFY_H

#include "kpipe/CheckVerdict.h"
#include "kpipe/Reporting.h"
#include "kpipe/Sass.h"
#include "kpipe/Target.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// What ptxas says that a kernel uses. Registers are per thread; bytes per
/// thread, those of shared memory per block.
struct ResourceUse {
  unsigned Registers = 0;
  uint64_t SpillStores = 0, SpillLoads = 0, Stack = 0, StaticShared = 0;
};

/// Reads what ptxas prints with -v, by the kernels' mangled names.
llvm::StringMap<ResourceUse> parseResourceUse(llvm::StringRef PtxasOutput);

/// The same summed up for functions that kernels call and that were not inlined:
/// ptxas tells their spills apart from the kernels'.
ResourceUse parseCalledUse(llvm::StringRef PtxasOutput);

/// The name of a kernel as people know it, with template arguments and without
/// parameters, from the mangled one; names of unnamed namespaces and of static
/// kernels lose what depends on the file's name.
std::string kernelName(llvm::StringRef Mangled);

/// What is known of a kernel by the name that nvcc gave it; null if that is
/// nothing, or not sure.
/// \param Mangled as Clang does; names that hold a file's are compared as
/// people know them.
template <typename T>
const T *valueOf(const llvm::StringMap<T> &All, llvm::StringRef Mangled) {
  auto It = All.find(Mangled);
  if (It != All.end())
    return &It->second;
  const T *Found = nullptr;
  std::string Name = kernelName(Mangled);
  for (const auto &Entry : All)
    if (!Entry.first().empty() && kernelName(Entry.first()) == Name) {
      if (Found)
        return nullptr; // an overload
      Found = &Entry.second;
    }
  return Found;
}

/// A loop without loops in it, as often as a listing has it.
struct InnerLoop {
  unsigned Instructions = 0;
  unsigned SharedBytes = 0; ///< that a thread reads of shared memory
  double perByte() const { return double(Instructions) / SharedBytes; }
};

/// The innermost loop in a loop with a barrier that reads most of shared
/// memory; empty if none does, as where a tile's compute is unrolled.
std::optional<InnerLoop> innerLoop(const sass::Function &Code);

/// What a plan says that the machine code can be held against.
struct PlannedLoop {
  Place Where;
  unsigned Stages = 0;
  /// Bytes of each copy that goes by cp.async; its LDGSTS are that wide.
  std::vector<unsigned> AsyncBytes;
  bool HasRegisterCopies = false;
  /// Operations per byte, from the source.
  std::optional<double> Ratio;
};

/// What is known of one kernel besides its code.
struct KernelFacts {
  /// Threads and dynamic shared memory of a block; empty: unknown.
  std::optional<unsigned> Threads;
  std::optional<uint64_t> DynamicBefore, DynamicAfter;
  /// A plan was made for the text that was compiled. What follows is empty
  /// without.
  bool HasPlan = false;
  std::vector<PlannedLoop> Pipelined;
  /// Registers per thread, static shared memory and blocks per SM that the
  /// plan counted with, after the rewrite.
  std::optional<unsigned> PlannedRegisters;
  std::optional<uint64_t> PlannedShared;
  std::optional<unsigned> PlannedBlocks;
  /// Fewer blocks per SM were asked for, or accepted when they were measured.
  bool MayLoseBlocks = false;
  /// The plan has stages that static shared memory does not hold: dynamic
  /// memory, whose size is not known, may be that of several tiles.
  bool MayGrowDynamic = false;
};

/// What the reports of a run of kpipe say of a kernel.
/// \param Kernel as kernelName() gives it.
/// \param PlanIsOfText the reports belong to the text that was compiled; else
/// only the launch is taken from them.
KernelFacts factsOf(llvm::StringRef Kernel, llvm::StringRef Arch,
                    llvm::ArrayRef<LoopReport> Loops, bool PlanIsOfText);

/// One kernel on one architecture, as the compiler and the disassembler gave
/// it. Code is null where no disassembler was to be had.
struct CompiledKernel {
  std::string Name; ///< mangled
  ResourceUse Use;
  const sass::Function *Code = nullptr;
};

/// "holds", "fails" or "not checked".
llvm::StringRef describe(CheckVerdict V);

/// One thing that was looked at. Ids are stable and listed in docs/verify.md.
struct Check {
  std::string Id;
  CheckVerdict Verdict = CheckVerdict::NotChecked;
  /// What was found; for NotChecked why it could not be said.
  std::string Text;
  /// Instructions as listed, with addresses.
  std::vector<std::string> Evidence;
  /// What to try when it fails.
  std::string Advice;
};

/// What an instruction does for the pipeline.
enum class Role {
  None,
  Load,      ///< global memory to registers, on the way to shared memory
  AsyncLoad, ///< LDGSTS: global to shared memory
  Commit,    ///< LDGDEPBAR: ends a group of LDGSTS
  Wait,      ///< DEPBAR: waits for a group
  Store,     ///< registers to shared memory, of what a Load brought
  Barrier,   ///< the block's threads meet
  Compute,   ///< arithmetic on what shared memory held
  OtherLoad, ///< global memory to registers, for something else
  SharedLoad,
  Local, ///< local memory: spills, arrays that found no registers
  Branch ///< a jump under a condition, as the loop's own is
};

/// The word that stands in the margin; empty for None and Branch.
llvm::StringRef describe(Role R);

/// One instruction of a loop with what it does there, often nothing.
struct AnnotatedLine {
  uint64_t Address = 0;
  Role What = Role::None;
  std::string Text;
};

/// One loop over tiles of the rewritten kernel.
struct LoopVerification {
  /// Addresses of the first and behind the last instruction.
  uint64_t Begin = 0, End = 0;
  /// Tiles that one run of the body computes.
  unsigned Tiles = 1;
  /// Mnemonics of the tile's compute ("FFMA") and how many one tile takes,
  /// after the rewrite and before; bytes that one thread loads for a tile.
  /// Empty where they cannot be counted.
  std::string ComputeKind;
  std::optional<double> ComputePerTile, ComputePerTileBefore;
  std::optional<double> BytesPerTile;
  /// Operations per byte that the code makes, and that the plan expected.
  std::optional<double> Ratio, PlannedRatio;
  std::vector<Check> Checks;
  std::vector<AnnotatedLine> Lines;
};

/// One kernel on one architecture.
struct KernelVerification {
  std::string Kernel; ///< as people know it
  std::string Mangled;
  std::string Arch;
  /// The code is the same before and after, so there is nothing to check.
  bool Unchanged = false;
  ResourceUse Before, After;
  std::optional<unsigned> Threads;
  /// Empty if the threads of a block are unknown.
  std::optional<Occupancy> FitsBefore, FitsAfter;
  std::optional<unsigned> PlannedRegisters, PlannedBlocks;
  std::vector<Check> Checks;
  std::vector<LoopVerification> Loops;

  /// All checks, those of loops included, with this verdict.
  unsigned count(CheckVerdict V) const;
};

/// What `kpipe verify` found, for people and machines alike.
struct VerifyReport {
  std::string Original, Rewritten;
  /// Why checks could not be made at all, one clause each: a tool that is
  /// missing, a kernel that only one file has.
  std::vector<std::string> NotMade;
  std::vector<KernelVerification> Kernels;

  unsigned count(CheckVerdict V) const;
};

/// Checks one kernel.
/// \param NoCode why there is no listing, as a clause; only read where there is
/// none.
KernelVerification verifyKernel(const CompiledKernel &Before,
                                const CompiledKernel &After,
                                const ArchLimits &Arch,
                                const KernelFacts &Facts,
                                llvm::StringRef NoCode = "");

/// Prints the findings for a terminal.
void printVerification(llvm::raw_ostream &OS, const VerifyReport &Report);

/// Prints the loops with the role of each instruction in the margin.
void printAnnotated(llvm::raw_ostream &OS, const VerifyReport &Report);

/// Writes the findings as JSON; the schema is docs/verify.schema.json.
void writeVerifyJson(llvm::raw_ostream &OS, const VerifyReport &Report);

} // namespace kpipe

#endif // KPIPE_VERIFY_H
