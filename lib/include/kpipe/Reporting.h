// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reporting: what kpipe tells about loops, as plain structs, and their two
// forms: the table of `kpipe analyze` and the JSON of `--report`. Nothing of
// Clang's AST is in it; diagnostics on the terminal are the driver's.
#ifndef KPIPE_REPORTING_H
#define KPIPE_REPORTING_H

#include "kpipe/Diagnostic.h"
#include "kpipe/LoopForm.h"
#include "kpipe/Route.h"
#include "kpipe/Target.h"
#include "kpipe/Timeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace kpipe {

/// What became of one loop with a block barrier.
enum class LoopVerdict { Pipelined, Refused, AlreadyPipelined, Off };

/// One copy of the load region and the way that was chosen for it.
struct CopyReport {
  /// The staged array as the source spells it.
  std::string Array;
  /// Contiguous bytes that one thread copies at once; 0 if unknown.
  unsigned Bytes = 0;
  Route Way = Route::Registers;
  /// Why this route, in one clause.
  Message Reason;
};

/// A staged array whose accesses conflict for banks of shared memory: the worst
/// of them.
struct ConflictReport {
  /// The staged array as the source spells it.
  std::string Array;
  Place Where;
  bool Write = false;
  /// Different words of one bank that lanes want at once: as written, and the
  /// least that compilers can make of it by joining accesses that follow one
  /// another.
  unsigned Degree = 0, LeastDegree = 0;
  /// How far rows or threads are apart, as a clause; may be empty.
  Message Spacing;
  /// Elements that are, or would be, added to each row, 0 if none; bytes of one
  /// stage that these take, and the worst degrees of reads and of writes that
  /// they leave; 0 where there are none.
  unsigned PadElements = 0;
  uint64_t PadBytes = 0;
  unsigned ReadsPadded = 0, WritesPadded = 0;
  /// The rows are padded.
  bool Padded = false;
  /// Why they are not, if they were to be or cannot be.
  Message NotPadded;
};

/// Shared memory and occupancy before and after. Bytes are per block.
struct BudgetReport {
  uint64_t SharedBefore = 0, SharedAfter = 0;
  /// Blocks per SM; empty if the number of threads of a block is unknown, as
  /// are then Limit, CliffBytes and DistanceToCliff.
  std::optional<unsigned> BlocksBefore, BlocksAfter;
  /// What keeps an SM from running one more block after the rewrite.
  std::optional<Limiter> Limit;
  /// Most shared bytes per block that keep BlocksAfter, and how many more than
  /// SharedAfter that is.
  std::optional<uint64_t> CliffBytes, DistanceToCliff;
  /// The launches that all of this was computed for.
  LaunchShape LaunchBefore, LaunchAfter;
};

/// The budget of a kernel on \p Arch from its launch before and after the
/// rewrite; ThreadsPerBlock 0 stands for an unknown block size.
BudgetReport makeBudget(const ArchLimits &Arch, const LaunchShape &Before,
                        const LaunchShape &After);

/// What the budget was counted with, for whoever has the compiler's numbers.
struct LaunchReport {
  /// The kernel that runs the loop: name and template arguments.
  std::string Kernel;
  /// Of a block; empty if unknown. Dynamic memory is in bytes.
  std::optional<unsigned> Threads;
  std::optional<uint64_t> DynamicShared;
  /// Per thread, a low estimate; empty if none was made.
  std::optional<unsigned> Registers;
};

/// What ptxas takes for a kernel.
struct RegisterUseReport {
  unsigned Registers = 0;     ///< per thread
  uint64_t SpilledBytes = 0;  ///< stores and loads together
  std::optional<unsigned> BlocksPerSM;
};

/// Where the registers of a loop's kernel are known from.
struct RegisterReport {
  /// Said by nvcc for Kernel before and after; else estimated, since WhyNot.
  bool Measured = false;
  Message WhyNot;
  std::string Kernel;
  RegisterUseReport Before, After;
  /// Texts that were compiled, or found in the cache, to decide.
  unsigned Compiled = 0;
  /// The options that ask for what was made in the place of what was planned;
  /// empty if that was made.
  std::string Instead;
};

/// One loop on one architecture. Only a pipelined loop has routes, stages
/// and copies; a budget may be had without.
struct ArchReport {
  std::string Arch; ///< "sm_86" form
  LoopVerdict Verdict{};
  /// For a refused loop each violated rule; else the planner's reasons.
  std::vector<Diagnostic> Reasons;
  /// What its copies go by.
  std::optional<RouteMix> Routes;
  /// What the loop got of what can be asked for.
  LoopForm Form;
  /// Tiles between their load and their last use; 1 is register prefetch into
  /// a single buffer, 0 no pipeline.
  unsigned stages() const { return Form.Stages.value_or(0); }
  std::vector<CopyReport> Copies;
  std::vector<ConflictReport> Conflicts;
  /// 32-bit registers per thread that hold a tile on its way.
  unsigned RegistersStaged = 0;
  std::optional<BudgetReport> Budget;
  /// What the pipeline does for a few tiles; only of a pipelined loop.
  std::optional<Timeline> Run;
  std::optional<LaunchReport> Launch;
  /// Empty where nobody asked.
  std::optional<RegisterReport> Registers;
};

/// One loop on every architecture that was asked for, in that order.
struct LoopReport {
  Place Where;
  std::string Function; ///< qualified name, with template arguments
  /// Arithmetic operations of the compute region per byte that the load region
  /// brings in, for one tile; empty if it cannot be told.
  std::optional<double> Ratio;
  bool TensorCores = false; ///< what the compute region uses
  /// It has short loops that the author has not said how to unroll.
  bool ShortLoops = false;
  /// It is no tile loop: nothing is copied from global to shared memory for use
  /// behind a barrier, as in a reduction. Such a loop is not counted as refused.
  bool LoadsNoTile = false;
  std::vector<ArchReport> Archs;
};

/// Of a loop that does so few operations per byte, most time is spent waiting
/// for tiles; of one that does so many, in the units that compute.
constexpr bool streams(double Ratio) { return Ratio < 5; }
constexpr bool computes(double Ratio) { return Ratio > 20; }

/// The class of a compute/load ratio: "under 5", "5 to 20" or "over 20".
llvm::StringRef ratioClass(double Ratio);

/// "remark", "warning" or "error".
llvm::StringRef describe(Severity Level);

/// Joins reports that tell of the same loop (same place and function) on
/// different architectures. Loops and architectures keep the order in which
/// they come first.
std::vector<LoopReport> mergeReports(llvm::ArrayRef<LoopReport> Reports);

/// Prints the table for a terminal: plain ASCII, at most 100 columns unless a
/// single word (a path, a name) is longer, ends with one line of counts per
/// architecture. Prints the line IfNone if there are no loops.
void printTable(llvm::raw_ostream &OS, llvm::ArrayRef<LoopReport> Loops,
                llvm::StringRef IfNone = "no loop with a block barrier");

/// Writes the same as JSON, with the diagnostics that belong to no loop. The
/// schema is in docs/report.md; its "version" changes when a key changes its
/// meaning.
void writeJson(llvm::raw_ostream &OS, llvm::ArrayRef<LoopReport> Loops,
               llvm::ArrayRef<Diagnostic> Others = {});

/// Writes diagnostics as SARIF 2.1.0 (OASIS), one run, for code-review tools.
/// \param Version of kpipe.
void writeSarif(llvm::raw_ostream &OS, llvm::ArrayRef<Diagnostic> Diagnostics,
                llvm::StringRef Version);

} // namespace kpipe

#endif // KPIPE_REPORTING_H
