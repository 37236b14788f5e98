// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structs that recognition makes and that legality, planning and emission
// read: one tile loop of one function, as Clang's AST nodes with roles. Nothing
// here knows architectures, variants, stages or text edits.
#ifndef KPIPE_TILELOOP_H
#define KPIPE_TILELOOP_H

#include "kpipe/BulkTile.h"
#include "kpipe/MatrixTile.h"
#include "kpipe/Message.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace clang {
class DeclRefExpr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace kpipe {

using VarSet = llvm::SmallDenseSet<const clang::VarDecl *, 8>;

/// A shared array that a call gives for a parameter.
struct GivenArray {
  const clang::CallExpr *Call = nullptr;
  const clang::FunctionDecl *Caller = nullptr;
  const clang::VarDecl *Array = nullptr;
};

/// One shared variable that the load region fills. It may be an array of any
/// rank or a struct; a staged buffer gains a leading stage extent.
struct StagedBuffer {
  const clang::VarDecl *Var = nullptr;
  /// Bytes of one tile of it, 0 if unknown (`extern __shared__ float x[]`).
  uint64_t Bytes = 0;
  /// The kernel's dynamic shared memory, all of it one buffer: the launch
  /// decides its size, and every part of it moves by the same stage.
  bool Block = false;
  /// A Block that a function declares for itself and gives out (`T *s =
  /// SharedMemory<T>();`): the loop's function knows it by its Views alone.
  bool GivenOut = false;
  /// Pointers and references into it, made before the loop and never changed
  /// (`float *Bs = smem + BM * BK`), in source order.
  llvm::SmallVector<const clang::VarDecl *, 2> Views;
  /// Names into it that have no stage: what they reach, in the whole function,
  /// has nothing in common with the tile. Each with the name that stands for
  /// its part.
  llvm::SmallVector<std::pair<const clang::VarDecl *, const clang::VarDecl *>,
                    0>
      Apart;
  /// The size of the blocks for which that was found.
  std::optional<std::array<unsigned, 3>> ApartInBlock;
  /// Of a parameter: what each call of the function gives for it. The arrays get
  /// the stages, all of one size, which is Bytes.
  llvm::SmallVector<GivenArray, 1> Given;
  /// The widest alignment in bytes that an access to it relies on: element
  /// type, vector casts, 32 for pointers given to wmma loads.
  unsigned Alignment = 0;
  /// Declared inside the loop's body: the declaration moves before the loop.
  bool DeclaredInLoop = false;
  /// Empty if the buffer may become a ring of stages; else why its contents
  /// are kept exactly only by a single buffer.
  Message NoRing;
  /// Where NoRing was decided.
  clang::SourceLocation NoRingLoc;
  /// It is used outside the loop as well, before it or between its runs, where
  /// its names mean the first stage: all stages begin with what it holds, and
  /// the last tile moves to the first stage. There are no MentionsAfter then.
  bool KeepsContents = false;
  /// Tiles may leave elements out that others store: none reads what it does
  /// not store itself.
  bool Partial = false;
  /// Empty if the declaration can become a part of dynamic shared memory; else
  /// why not, as a clause.
  Message NotDynamic;
  /// Mentions behind the loop, in source order.
  llvm::SmallVector<const clang::DeclRefExpr *, 2> MentionsAfter;
  /// Mentions in closures that copy what they mention (`[=]`): a reference
  /// there would be a copy of the stage.
  llvm::SmallVector<const clang::DeclRefExpr *, 2> CopiedMentions;

  /// By what the loop's function names it first.
  const clang::VarDecl *named() const {
    return GivenOut && !Views.empty() ? Views.front() : Var;
  }
};

/// How a copy treats threads and elements for which there is nothing to load.
enum class Fill {
  None,    ///< unconditional, or a guard without fill
  Ternary, ///< `dst = cond ? load : fill`
  IfElse   ///< `if (cond) dst = load; else dst = fill;`, same dst
};

/// A counted loop inside a load region: `for (i = Init; i < Bound; i += Step)`.
struct CopyLoop {
  const clang::ForStmt *For = nullptr;
  const clang::VarDecl *Index = nullptr;
  const clang::Expr *Init = nullptr;
  const clang::Expr *Bound = nullptr;
  const clang::Expr *Step = nullptr; ///< null for `++i`
  /// How the condition compares: `i < Bound`, `i <= Bound`, or
  /// `i + Step <= Bound`.
  enum class Test { Less, LessEqual, StepFits } Compare = Test::Less;
  /// Most iterations that any thread runs, 0 if that is no constant.
  uint64_t Trips = 0;
  /// Init is a constant; else the loop starts at a thread's own index.
  bool ConstantInit = false;
  bool ConstantInitIsZero = false;
  /// Where the loop starts at a thread's own index: which of the Trips some
  /// thread may have to leave out.
  enum class Partial { Any, Last, None } Partly = Partial::Any;
  /// Where only the run knows Bound: no array that the loop stores has an element
  /// for an Index of this or more. Trips goes up to it. 0: Bound is known.
  uint64_t Limit = 0;
  /// Limit as the declaration of the array spells it: its extents, multiplied,
  /// by how many elements an Index counts; empty where none does.
  llvm::SmallVector<const clang::Expr *, 2> LimitSizes;
  unsigned LimitWidth = 1;
  /// Bound and Init share what is no constant: `i = h + t; i < h + W`. Trips is
  /// counted by their difference, which is the sum of Span at most.
  bool SharesStart = false;
  struct Addend {
    const clang::Expr *Constant;
    bool Minus;
  };
  /// Empty where the constants are not written as they are added.
  llvm::SmallVector<Addend, 2> Span;
  /// The axes of `blockDim` on which Trips depends, as bits, and what they are
  /// taken to be: the loop is counted for blocks of this size alone.
  unsigned BlockAxes = 0;
  std::array<unsigned, 3> Block = {0, 0, 0};
};

/// A variable of the load region's own, or the elements of an array, that values
/// wait in on their way to a tile: `float v = x[i]; xs[t] = v;`.
struct Temporary {
  const clang::VarDecl *Var = nullptr; ///< null: there is none
  /// What gives it the value, once: its declaration or an assignment.
  const clang::Stmt *Set = nullptr;
  /// Its declaration in the load region, perhaps with others; null where it is
  /// declared before the loop.
  const clang::DeclStmt *Declaration = nullptr;
  /// The variables of loops around Set, each with that of the loop around the
  /// store which takes the same values.
  llvm::SmallVector<
      std::pair<const clang::VarDecl *, const clang::VarDecl *>, 2>
      Counters;
};

/// One statement of the load region that stores one value into a staged
/// buffer.
struct TileCopy {
  unsigned Buffer = 0; ///< index into TileLoop::Buffers
  /// The view that the store goes through, else the buffer itself.
  const clang::VarDecl *Through = nullptr;
  /// The assignment; for Fill::IfElse the one that loads.
  const clang::Expr *Store = nullptr;
  const clang::Expr *Dst = nullptr;   ///< left-hand side as written
  const clang::Expr *Written = nullptr; ///< right-hand side as written
  /// The same, or what the temporary that stands there was given.
  const clang::Expr *Value = nullptr;
  Temporary Via;
  /// The value is loaded from global memory, at once or through variables of
  /// the load region; else the store half computes it again.
  bool ValueIsLoaded = true;
  /// The global lvalue whose value is copied, when the copy is a pure one.
  const clang::Expr *Source = nullptr;
  /// Nothing is read or changed to compute Source's address and Guard, and no
  /// division stands in it: the address may be computed where the guard fails.
  bool AddressIsFree = false;
  Fill Kind = Fill::None;
  const clang::Expr *Guard = nullptr;       ///< for Ternary and IfElse
  const clang::Stmt *IfElse = nullptr;      ///< the whole if, for IfElse
  const clang::Expr *FillStore = nullptr;   ///< the else's assignment
  /// Contiguous bytes that one execution of the store writes.
  unsigned Bytes = 0;
  /// Loops of the load region around the store, outermost first.
  llvm::SmallVector<CopyLoop, 2> Loops;
  /// Variables that the place of the store, the guards and loops around it,
  /// and its value are computed from, through the load region's own variables.
  VarSet PlaceNeeds, GuardNeeds, ValueNeeds;
  /// The helper `__device__` function that holds the store, if any, and the
  /// call in the loop's body.
  const clang::FunctionDecl *Helper = nullptr;
  const clang::CallExpr *HelperCall = nullptr;
  /// Empty if the shape allows cp.async; else why not (rule async-shape).
  Message NotAsync;
  /// A branch that no thread takes holds it: `if (Trans)` of an instantiation
  /// without. It is a part of the text, and takes no registers.
  bool NeverRuns = false;
  /// The first copy of which it takes the registers, as one branch of an `if`
  /// has the place of the other; its own index where it takes none.
  unsigned SharesRegisters = 0;
};

/// A statement directly in the loop's body, and where its text goes.
struct BodyItem {
  const clang::Stmt *S = nullptr;
  bool InLoad = false;
  bool InCompute = false;
  bool Barrier = false;    ///< a block barrier of the input
  /// Declares __shared__ variables, or what their types are made of: moves out.
  bool SharedDecl = false;
  bool Step = false;       ///< became the loop's step (while and do loops)
  /// A wait for a bulk tile or for wgmma, or a proxy fence behind plain stores:
  /// the pipeline has its own in its place.
  bool Replaced = false;
};

/// One variable that the loop's header advances.
struct HeaderVar {
  const clang::VarDecl *Var = nullptr;
  const clang::Expr *Update = nullptr; ///< `k += BK`, `++t`, …
  bool ReadByLoad = false;
  bool ReadByCompute = false;
};

enum class LoopKind { For, While, Do };

/// A recognised tile loop.
struct TileLoop {
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr;
  LoopKind Kind = LoopKind::For;
  const clang::Stmt *Init = nullptr; ///< null for while and do loops
  const clang::Expr *Cond = nullptr;
  /// The step that the condition itself takes, `n--` of `while (n--)`: also the
  /// Update of its variable. Cond names the variable nowhere else.
  const clang::UnaryOperator *CondStep = nullptr;
  llvm::SmallVector<HeaderVar, 2> HeaderVars;

  llvm::SmallVector<BodyItem, 16> Body; ///< in source order
  /// The input's barrier between load and compute.
  const clang::Stmt *LoadBarrier = nullptr;
  /// The barrier stands first in the body; a loop rotated so keeps one barrier
  /// before the prologue.
  bool BarrierFirst = false;
  /// A barrier has to follow the epilogue (LEGALITY.md, "also true of every
  /// rewrite").
  bool BarrierAfter = false;
  /// A barrier has to stand before the prologue: what precedes the loop wrote
  /// or read what a later tile's load touches.
  bool BarrierBefore = false;

  llvm::SmallVector<StagedBuffer, 2> Buffers;
  llvm::SmallVector<TileCopy, 4> Copies;
  /// Buffers that copies of 16 bytes fill, and the author's beside them: which of
  /// them run is known before the loop.
  llvm::SmallVector<unsigned, 2> Remapped;
  /// The tile is brought by the copy engine; there are no Copies then.
  std::optional<BulkTile> Bulk;
  /// The compute region has wgmma.
  std::optional<MatrixTile> Matrix;
  /// Variables that load and compute both advance: the load keeps a copy.
  llvm::SmallVector<const clang::VarDecl *, 2> PrivateToLoad;
  /// Short counted loops of the compute region, outermost ones, that the author
  /// has not said how to unroll; some may stand in functions it calls.
  llvm::SmallVector<const clang::ForStmt *, 2> Unrollable;
  /// The compute region multiplies matrices: wmma, or mma in inline assembly.
  bool TensorCores = false;
  /// A thread may not come to the loop: it may have left the kernel before, or
  /// a condition on the way there, also in a calling function, leads past it.
  /// It takes no part in what the whole block does in the loop or behind it.
  bool LeftBefore = false;
  /// Empty if the load region can be split into a fetch to registers and a
  /// store to shared memory; else why not.
  Message NotSplittable;
  clang::SourceLocation NotSplittableLoc;

  /// wgmma read tiles that plain stores or cp.async bring: another proxy.
  bool crossesProxies() const { return Matrix && !Bulk; }
  /// With so many stages, a tile's wgmma stay in flight while the next tile's
  /// are issued.
  bool matrixInFlight(unsigned Stages) const {
    return Matrix && Matrix->staysInFlight() &&
           (Bulk || Stages >= MatrixTile::StagesInFlight);
  }
  /// Stages of dynamic shared memory lie at multiples of so many bytes, which
  /// runtime/staged_bytes.h is told: no access relies on a wider alignment.
  unsigned stageAlignment() const {
    return Bulk || Matrix ? MatrixTile::Alignment : 128;
  }
};

} // namespace kpipe

#endif // KPIPE_TILELOOP_H
