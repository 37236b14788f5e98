// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread does and in which order: the pipeline as a value, before it
// is text. The writer prints it step by step; the validator runs it.
#ifndef KPIPE_EMISSION_SCHEDULE_H
#define KPIPE_EMISSION_SCHEDULE_H

#include "kpipe/LoopChoice.h"
#include "kpipe/Message.h"
#include "kpipe/Timeline.h"
#include <string>
#include <vector>

namespace kpipe {

struct PipelinePlan;
struct TileLoop;

/// One line of a pipeline.
struct ScheduleStep {
  enum class Kind {
    Load,    ///< issue asynchronous copies and loads to registers
    Commit,  ///< close a group of asynchronous copies
    Store,   ///< registers to shared memory
    Wait,    ///< until at most Pending groups are in flight
    Barrier, ///< of the block
    Compute, ///< read shared memory
    Touch,   ///< pretend to read it, in a loop of loads only
    WaitFull, ///< until the copy engine has brought the tile to the stage
    MatrixWait, ///< until at most Pending groups of wgmma are in flight
    Release, ///< what this thread has read may be overwritten
    ProxyFence, ///< what threads did comes before copies or wgmma that follow
    Start,   ///< the mbarriers of free stages are there; all threads meet
    WaitEmpty, ///< until the author's threads have released the stage
    Free,    ///< this thread has read the stage, and tells the producer
    Turn,    ///< the stage variable goes on to the next stage
    TurnBack ///< the stage variable goes back to the stage before
  };
  Kind Do;
  /// Load, Store, Compute: which tile, counted from the header's variables.
  unsigned Tile = 0;
  /// Load, Store, Compute, WaitFull, Free: which stage, counted from the stage
  /// variable. Turn: with which stage the parity flips.
  unsigned Stage = 0;
  /// Wait and MatrixWait.
  unsigned Pending = 0;
  /// Load, Store: only if the tile exists.
  bool IfThere = false;

  ScheduleStep ifThere(bool Asked = true) const {
    ScheduleStep Step = *this;
    Step.IfThere = Asked;
    return Step;
  }

  static ScheduleStep load(unsigned Tile, unsigned Stage) {
    return {Kind::Load, Tile, Stage};
  }
  static ScheduleStep store(unsigned Tile, unsigned Stage) {
    return {Kind::Store, Tile, Stage};
  }
  static ScheduleStep compute(unsigned Tile, unsigned Stage) {
    return {Kind::Compute, Tile, Stage};
  }
  static ScheduleStep wait(unsigned Pending) {
    return {Kind::Wait, 0, 0, Pending};
  }
  static ScheduleStep waitFull() { return {Kind::WaitFull}; }
  static ScheduleStep matrixWait(unsigned Pending) {
    return {Kind::MatrixWait, 0, 0, Pending};
  }
  static ScheduleStep release() { return {Kind::Release}; }
  static ScheduleStep proxyFence() { return {Kind::ProxyFence}; }
  static ScheduleStep commit() { return {Kind::Commit}; }
  static ScheduleStep barrier() { return {Kind::Barrier}; }
  static ScheduleStep start() { return {Kind::Start}; }
  static ScheduleStep waitEmpty() { return {Kind::WaitEmpty}; }
  static ScheduleStep free(unsigned Stage) { return {Kind::Free, 0, Stage}; }
  static ScheduleStep turn(unsigned Flips = 0) {
    return {Kind::Turn, 0, Flips};
  }
  static ScheduleStep turnBack() { return {Kind::TurnBack}; }
};

/// What a schedule has to respect: facts of the loop and of its plan.
struct ScheduleShape {
  /// Buffers per staged array.
  unsigned Buffers = 2;
  /// Some copies of a tile are asynchronous, some go through registers.
  bool Async = false, Registers = false;
  /// The loop may run zero times.
  bool MayBeEmpty = true;
  /// Others may still read the buffers when the loop is entered, or read or
  /// write them after it without a barrier of their own.
  bool BarrierBefore = false, BarrierAfter = false;
  /// The stage variable names the last tile's stage to what follows the loop.
  bool StageAfter = false;
  /// Tiles that registers hold at once; more than one only where nothing is
  /// asynchronous, and with one or two stages.
  unsigned InRegisters = 1;
  /// One thread has the copy engine bring the tiles, which are neither Async nor
  /// in Registers; the wgmma of a tile may be in flight while the next tile's are
  /// issued.
  bool Bulk = false, InFlight = false;
  /// wgmma read what Async and Registers bring.
  bool Proxies = false;
  /// The author's wait for a tile's wgmma was taken out, and none stays in
  /// flight.
  bool Drains = false;

  /// Tiles that are on their way, or there, while one is computed. The stage
  /// before is still read where wgmma stay in flight.
  unsigned ahead() const {
    return (Buffers > 1 ? Buffers - 1 : 1) + InRegisters - 1 -
           (InFlight && !Bulk);
  }
};

/// What a loop and its plan ask of the schedule.
ScheduleShape scheduleShape(const TileLoop &Loop, const PipelinePlan &Plan);

/// The parts of a pipeline, in the order in which they run.
struct Schedule {
  std::vector<ScheduleStep> Prologue; ///< once
  /// Fills times; tiles and stages count from the turn, 0, 1, ...
  std::vector<ScheduleStep> Fill;
  unsigned Fills = 0;
  /// For each tile that has a tile this many behind it; 0: for every tile.
  std::vector<ScheduleStep> Steady;
  unsigned SteadyAhead = 1;
  /// Tiles that are written as one turn of the loop: each of them has registers
  /// of its own, whose indices have to be constants.
  unsigned Slots = 1;
  /// For each tile that Steady left.
  std::vector<ScheduleStep> Drain;
  std::vector<ScheduleStep> Epilogue; ///< once
  /// The whole runs only if there is a first tile.
  bool Guarded = true;
  /// For each tile, by a thread that does nothing else: all other steps are then
  /// those of the author's threads.
  std::vector<ScheduleStep> Producer;
};

/// The schedule for a ring of stages or for a single buffer. Two stages and
/// peeled: the barrier at the end of a tile shows the next one. Else the
/// barrier at the head of a tile shows it, and frees the stage of the tile
/// before. Several tiles in registers are stored at the head of their own turn,
/// and never peeled.
Schedule makeSchedule(const ScheduleShape &Shape, ScheduleKind Kind);

/// The same with a producer of its own, see SpecializedSchedule.cpp.
Schedule makeSpecializedSchedule(const ScheduleShape &Shape);
Message validateSpecialized(const Schedule &S, const ScheduleShape &Shape);
Timeline traceSpecialized(const Schedule &S, const ScheduleShape &Shape,
                          unsigned Tiles);

/// The same for a ring that the copy engine fills, see RingSchedule.cpp.
Schedule makeRingSchedule(const ScheduleShape &Shape);
Message validateRing(const Schedule &S, const ScheduleShape &Shape);
Timeline traceRing(const Schedule &S, const ScheduleShape &Shape,
                   unsigned Tiles);

/// What is left of a valid schedule when only a part of the loop is measured.
Schedule partOf(Schedule S, LoopPart Part);

/// Runs a schedule for 0 … 2·(ahead+1)+1 tiles as one thread among others would,
/// and checks for each tile and buffer the order load, commit, wait, barrier,
/// read, barrier, overwrite; that each tile is computed once, in order; that no
/// tile is loaded which does not exist; that nothing is in flight at the end;
/// and where the stage variable is then. \returns empty if all hold, else what
/// is wrong, with the tile count.
Message validateSchedule(const Schedule &S, const ScheduleShape &Shape);

/// The steps of such a run for a number of \p Tiles, at least 1, of a schedule
/// that is valid.
Timeline traceSchedule(const Schedule &S, const ScheduleShape &Shape,
                       unsigned Tiles);

} // namespace kpipe

#endif // KPIPE_EMISSION_SCHEDULE_H
