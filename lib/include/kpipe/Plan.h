// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan for one legal tile loop: the route of each copy, the number of
// stages, and what it costs on one architecture. Made by planning, read by
// emission and reporting; knows no text edits.
#ifndef KPIPE_PLAN_H
#define KPIPE_PLAN_H

#include "kpipe/Obstacle.h"
#include "kpipe/Options.h"
#include "kpipe/Route.h"
#include "kpipe/SharedLayout.h"
#include "kpipe/Target.h"
#include "kpipe/TextEdit.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace clang {
class CUDAKernelCallExpr;
class DeclRefExpr;
class Expr;
} // namespace clang

namespace kpipe {

struct CopyPlan {
  Route Way = Route::Registers;
  Message Reason;
};

/// What a block takes of an SM, before or after.
struct Budget {
  uint64_t SharedBytes = 0; ///< static, per block
  /// Dynamic, per block; empty if the kernel has some of unknown size.
  std::optional<uint64_t> DynamicBytes = 0;
  /// Registers per thread that Fits is counted with: an estimate of what ptxas
  /// takes for the input, the same before and after.
  std::optional<unsigned> Registers;
  /// The launches are edited to opt in to more than 48 KB.
  bool OptsIn = false;
  /// Dynamic shared memory holds staged arrays of the author's own: it takes
  /// as many times the input's bytes as there are stages.
  bool Grows = false;
  /// Filled when the block's size and its dynamic shared memory are known.
  std::optional<Occupancy> Fits;
  /// The same with as few registers as the input is known to need. Decisions
  /// rest on this: where shared memory takes no block from it, it takes none
  /// from a kernel with more registers either.
  std::optional<Occupancy> FitsAtMost;

  /// Static and dynamic bytes, the unknown ones left out.
  uint64_t shared() const { return SharedBytes + DynamicBytes.value_or(0); }
};

/// Dynamic shared memory of blocks of so many threads.
struct BlockBytes {
  unsigned Threads = 0;
  uint64_t Bytes = 0;
  bool operator<(const BlockBytes &O) const {
    return std::tie(Threads, Bytes) < std::tie(O.Threads, O.Bytes);
  }
  bool operator==(const BlockBytes &O) const {
    return Threads == O.Threads && Bytes == O.Bytes;
  }
};

/// A count of bytes of dynamic shared memory in host code.
struct LaunchBytes {
  const clang::Expr *Count = nullptr;
  /// The kernel's name beside it, by which a launch opts in to more than 48
  /// KB; null where only the count is to be changed.
  const clang::DeclRefExpr *Kernel = nullptr;
  /// Both stand in the text of a macro, which is edited.
  bool InMacroText = false;
};

/// Whether the dynamic shared memory of a kernel can be made larger, as its
/// launches decide that.
struct DynamicSharedGrowth {
  /// Empty if all launches can be edited; else why not, as a clause.
  Message Not;
  /// What lets the launches be elsewhere, where that is all of Not.
  Message Cure;
  /// Of launches, then of settings, each in source order.
  llvm::SmallVector<LaunchBytes, 2> Counts;
  /// The most bytes that any launch of any instantiation asks for; empty if
  /// one is no constant or launches are elsewhere.
  std::optional<uint64_t> MostBytes;
  /// Every launch is seen and asks for at least so many; empty if not, or if
  /// Clang cannot tell.
  std::optional<uint64_t> LeastBytes;
  /// The launches opt in whatever they ask for: the host sets the most bytes
  /// itself, and may set fewer.
  bool AlwaysOptsIn = false;
  /// Why a launch cannot opt in, as a clause; empty if all can. And what helps,
  /// if that is not to name the kernel in the launch.
  Message NotOptingIn, OptInCure;
  /// Launches in other files are the user's to change.
  bool Elsewhere = false;
};

/// A staged array whose accesses conflict for banks: the worst of them, and what
/// longer rows do about it.
struct BankConflict {
  unsigned Buffer = 0; ///< index into TileLoop::Buffers
  clang::SourceLocation Where;
  bool Write = false;
  /// As written, and the least that compilers can make of it by joining accesses
  /// that follow one another.
  unsigned Degree = 0, LeastDegree = 0;
  /// How far rows or threads are apart, as a clause; may be empty.
  Message Spacing;
  /// Elements that are, or would be, added to each row; 0 if rows stay as they
  /// are in any case. Bytes of a stage that this takes, and the worst degrees
  /// of reads and of writes that are left.
  unsigned PadElements = 0;
  uint64_t PadBytes = 0;
  unsigned ReadsAfter = 0, WritesAfter = 0;
  bool Padded = false;
  /// Why rows stay as they are, if they were to be padded or cannot be.
  Message NotPadded;
};

/// One decision of the planner, as a clause for people.
struct Reason {
  Message Text;
  /// Less was done than was asked for or than would be best: worth a note
  /// under the remark, not only a line in the table.
  bool StepDown = false;
};

/// What it takes that a warp or a warpgroup of its own, behind the author's
/// threads of each block, has the copy engine bring the tiles.
struct ProducerWarp {
  static constexpr unsigned Warp = 32, Group = 128;
  /// The producer's: a warp's or a warpgroup's.
  unsigned Threads = Warp;
  bool isGroup() const { return Threads == Group; }
  /// Why there is none, as a clause, and what would help; empty if there may be
  /// one.
  Message Not, Cure;
  /// The author's threads of every block; the producer's follow.
  unsigned Authors = 0;
  /// The sizes of blocks in launches, each as written once.
  llvm::SmallVector<const clang::Expr *, 2> Blocks;
  /// Statements in front of the loop that only the author's threads run.
  llvm::SmallVector<const clang::Stmt *, 2> Guarded;
  /// From the loop on: barriers, which become one of the author's threads.
  llvm::SmallVector<const clang::Expr *, 2> Barriers;
  /// In the kernel: `blockDim.x`, which has to stay the number of the author's.
  llvm::SmallVector<const clang::Expr *, 2> Sizes;
  /// More threads in `__launch_bounds__`, and all of these as they then are.
  std::optional<TextEdit> Bounds;
  unsigned MaxThreads = 0;
  /// Registers of a thread behind the split, of a warpgroup: what the
  /// producer's keep and what the author's take. 0: each has what it was
  /// launched with.
  unsigned Keeps = 0, Takes = 0;
};

struct PipelinePlan {
  /// Buffers per staged array: 2 or more, or 1 for the single-buffer form, in
  /// which only registers run ahead.
  unsigned Buffers = 2;
  /// Tiles that wait in registers at once, where all copies go through them.
  unsigned TilesInRegisters = 1;
  ScheduleKind Schedule = ScheduleKind::Peeled;
  std::optional<Unrolling> Unroll;
  /// Written into the kernel's `__launch_bounds__`.
  std::optional<WrittenBounds> Bounds;
  /// With ScheduleKind::Specialized.
  std::optional<ProducerWarp> Producer;
  /// The staged arrays become parts of dynamic shared memory, and these
  /// launches give it to the kernel. Empty: they stay static.
  llvm::ArrayRef<const clang::CUDAKernelCallExpr *> Launches;
  bool dynamic() const { return !Launches.empty(); }
  /// Host code that has to ask for the bytes of all stages, where the kernel's
  /// own dynamic shared memory is staged (After.Grows).
  llvm::ArrayRef<LaunchBytes> Grown;
  /// Stages are parts of the dynamic shared memory that launches give as it is:
  /// each has so many bytes at least. 0: they are not.
  uint64_t BytesInBlock = 0;
  /// Stages of dynamic shared memory begin at multiples of so many bytes.
  unsigned StageAlignment = 128;
  /// Parallel to TileLoop::Copies.
  llvm::SmallVector<CopyPlan, 4> Copies;
  /// Elements added to each row, parallel to TileLoop::Buffers.
  llvm::SmallVector<unsigned, 2> Pads;
  /// Arguments that hold the length of a row that is padded, and the elements
  /// that are added to it.
  std::vector<std::pair<const clang::Expr *, unsigned>> Strides;
  /// At most one for each buffer, in their order.
  std::vector<BankConflict> Conflicts;
  /// 4-byte registers per thread that hold a tile on its way.
  unsigned StagedRegisters = 0;
  Budget Before, After;
  /// The compute region has short loops that nvcc leaves loops.
  bool StaysRolled = false;
  /// What was decided and why, in the order of the decisions.
  std::vector<Reason> Reasons;
  /// Why there are fewer buffers, or fewer tiles in registers, than were asked
  /// for or would be best; empty if there are not.
  Message WhyFewerBuffers, WhyFewerInRegisters;
  /// What was asked for the loop's form.
  LoopForm Wanted;
  /// Anything but the whole loop is for measurements.
  LoopPart Part = LoopPart::All;

  /// What is asked for and reported as stages: tiles between their load and
  /// their last use, the one that is computed included.
  unsigned stages() const {
    return TilesInRegisters > 1 ? TilesInRegisters + 1 : Buffers;
  }

  /// What the loop got of what can be asked for; what planning does not settle
  /// is as it was asked.
  LoopForm form() const {
    LoopForm Form = Wanted;
    Form.Stages = stages();
    Form.Schedule = Schedule;
    Form.Producer = !Producer ? Asked<ProducerKind>::automatic()
                    : Producer->isGroup()
                        ? Asked<ProducerKind>(ProducerKind::Group)
                        : Asked<ProducerKind>(ProducerKind::Warp);
    Form.Unroll =
        Unroll ? Asked<Unrolling>(*Unroll) : Asked<Unrolling>::automatic();
    Form.MinBlocks = Bounds ? Asked<BlocksPerSM>(BlocksPerSM(Bounds->Blocks))
                            : Asked<BlocksPerSM>::automatic();
    return Form;
  }

  bool hasRoute(Route R) const {
    for (const CopyPlan &C : Copies)
      if (C.Way == R)
        return true;
    return false;
  }
};

/// One static shared variable of a kernel.
struct SharedVariable {
  const clang::VarDecl *Var = nullptr;
  uint64_t Bytes = 0;
  uint64_t Alignment = 1; ///< bytes, a power of two
  /// Bytes with the stages that other loops were given before; 0 without.
  uint64_t Grown = 0;
};

/// What loops that were planned before make of the unit's shared memory.
struct SharedGrowth {
  /// Bytes of arrays with their stages.
  llvm::DenseMap<const clang::VarDecl *, uint64_t> Arrays;
  /// Those that are dynamic shared memory now.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Moved;
  /// Bytes of the dynamic shared memory of kernels.
  llvm::DenseMap<const clang::FunctionDecl *, uint64_t> Dynamic;
};

/// What planning is told of the kernel around the loop.
struct KernelShape {
  /// The kernel as people know it: name and template arguments.
  std::string Name;
  /// Its static shared variables in the order in which nvcc lays them out.
  std::vector<SharedVariable> Shared;
  /// The sum is rounded up to this, bytes: 1, or the alignment of the dynamic
  /// shared memory that follows.
  uint64_t SharedRounding = 1;
  /// Bytes of dynamic shared memory, 0 if the kernel has none; empty if it has
  /// some and no constant launch tells how much.
  std::optional<uint64_t> DynamicShared = 0;
  /// Where it is empty, and every launch gives bytes that hang on the threads
  /// of its blocks alone: what there may be, in order.
  std::vector<BlockBytes> DynamicByBlock;
  /// Bytes with the stages that other loops were given before.
  uint64_t DynamicGrown = 0;
  /// Why the kernel's launches cannot give it dynamic shared memory, as a
  /// clause; empty if Launches, all of them, can.
  Message NotRelaunched;
  /// The file has launches of the kernel.
  bool Launched = false;
  llvm::SmallVector<const clang::CUDAKernelCallExpr *, 2> Launches;
  /// Looked for where a loop stages dynamic shared memory.
  DynamicSharedGrowth Regrown;
  /// Looked for where the copy engine brings the tiles.
  ProducerWarp Producer, ProducerGroup;
  /// Threads of one block; empty if unknown.
  std::optional<unsigned> Threads;
  /// The same per axis, where a launch or `--block` tells.
  std::optional<std::array<unsigned, 3>> Block;
  /// No block has more threads on an axis, as far as the file tells; and all
  /// are of this shape, where it tells that.
  std::array<unsigned, 3> MostThreads{1024, 1024, 64};
  std::optional<std::array<unsigned, 3>> OnlyBlock;
  /// How the loop's staged arrays are used, parallel to TileLoop::Buffers.
  std::vector<SharedLayout> Layouts;
  /// Where Threads is known from, and what does not agree with it; one clause.
  Message ThreadsFrom;
  /// All launches are seen, and each has blocks of so many threads.
  std::optional<unsigned> CertainThreads;
  /// `__launch_bounds__(MaxThreads, MinBlocks)` as far as given.
  std::optional<unsigned> MaxThreads, MinBlocks;
  /// `__maxnreg__(MaxRegisters)`: registers of a thread, at most.
  std::optional<unsigned> MaxRegisters;
  /// Operations of the loop's compute region per byte of a tile; empty if
  /// unknown.
  std::optional<double> Ratio;
  /// Registers that would hold the kernel's local variables, its arrays and
  /// objects alone, and those that ptxas is likely to take; 0 if unknown.
  unsigned LiveRegisters = 0, ArrayRegisters = 0, LikelyRegisters = 0;
  /// Those that ptxas takes for the input; empty if nobody asked it.
  std::optional<unsigned> InputRegisters;
};

/// Bytes that static shared variables take: in their order, each at the next
/// multiple of its alignment, the sum rounded up to Rounding. That is what
/// ptxas of CUDA 13.0 reports; test/Planning/shared-layout.test compares.
uint64_t layoutShared(llvm::ArrayRef<SharedVariable> Variables,
                      uint64_t Rounding);

/// Notes what a plan makes of the kernel's arrays.
/// \param Kernel as it was planned for.
void noteGrowth(const TileLoop &Loop, const KernelShape &Kernel,
                const PipelinePlan &Plan, SharedGrowth &Growth);

/// Plans one loop for one architecture. Pure; deterministic.
/// \returns a Refusal (kpipe/Refusal.h) where `budget`, `async-shape` or
/// `register-shape` forbids a plan.
llvm::Expected<PipelinePlan> planLoop(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options);

/// One body of a text: a function, or an instantiation of a template.
struct PlannedBody {
  const TileLoop *Loop = nullptr;
  const KernelShape *Kernel = nullptr;
};

/// Something that is as one architecture needs it, where another one would have
/// had it otherwise.
struct ArchDecision {
  enum Kind { Stages, TilesInRegisters, CopyRoute } What;
  unsigned Copy = 0; ///< of CopyRoute: index into TileLoop::Copies
  const ArchLimits *Arch = nullptr;
  Message Why; ///< a clause; may be empty
};

struct AgreedPlans {
  /// Parallel to the bodies.
  std::vector<PipelinePlan> Plans;
  /// The body with the least room: fewest blocks per SM, then nearest cliff.
  /// Its numbers are the ones to report.
  unsigned Tightest = 0;
  /// What architectures that are planned for together did not agree on by
  /// themselves; the plan that is shown has them among its reasons.
  std::vector<ArchDecision> Decisions;
};

/// Plans one text that stands for all of \p Bodies on all of \p Archs: each
/// gets the same stages, and copy by copy the same route.
/// \param Shown index of the architecture whose plans are returned.
/// \returns a Refusal if one of them cannot be pipelined.
llvm::Expected<AgreedPlans>
planBodies(llvm::ArrayRef<PlannedBody> Bodies,
           llvm::ArrayRef<const ArchLimits *> Archs, unsigned Shown,
           const TransformOptions &Options);

/// The same for one architecture.
inline llvm::Expected<AgreedPlans>
planBodies(llvm::ArrayRef<PlannedBody> Bodies, const ArchLimits &Arch,
           const TransformOptions &Options) {
  return planBodies(Bodies, {&Arch}, 0, Options);
}

} // namespace kpipe

#endif // KPIPE_PLAN_H
