// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor as a whole while it runs one module under one configuration:
// joins memory, copies and scheduler, and turns what they find into hazards
// with a text. There is one machine, because instrumented code calls it from
// anywhere.
#pragma once

#include "AsyncCopies.h"
#include "BulkCopies.h"
#include "Clocks.h"
#include "Config.h"
#include "GlobalMemory.h"
#include "Mbarriers.h"
#include "Module.h"
#include "NamedBarriers.h"
#include "Ptx.h"
#include "Report.h"
#include "Scheduler.h"
#include "SharedMemory.h"

#include <csetjmp>
#include <memory>
#include <string>
#include <vector>

namespace kpipe::exec {

/// A buffer as a case left it.
struct Record {
  std::string Where, Buffer;
  std::vector<unsigned char> Bytes;
  std::vector<unsigned char> BytesRead; ///< per byte, 0 or 1
  bool Complete = true; ///< false: a launch of its case was abandoned
};

class Machine final : private SchedulerEvents {
public:
  Machine();

  /// Runs all cases of M whose name contains Filter. Hazards go to R.
  std::vector<Record> run(Module &M, const Config &C, Report &R,
                          const std::string &Filter);
  /// Whether the last run issued any asynchronous copy.
  bool usedCopies() const { return UsedCopies; }

  // --- What instrumented code asks for; PC is the return address there. ---
  bool running() const { return Sched.Current; }
  void access(const void *Address, std::size_t Bytes, Access A, void *PC);
  /// Whether it is a sound read of shared memory that is settled; then it is
  /// noted. False says nothing.
  KPIPE_INLINE bool readsSettled(const void *Address, std::size_t Bytes,
                                 void *PC);
  /// The same as access as a part of its caller: MachineAccess.h.
  KPIPE_INLINE void accessHere(const void *Address, std::size_t Bytes, Access A,
                               void *PC);
  void requireAligned(const void *Address, std::size_t Bytes, void *PC);
  void copyAsync(void *Dst, const void *Src, unsigned Bytes, unsigned Valid,
                 void *PC);
  int barrier(int Predicate, KxReduce Reduce, void *PC);
  void warp(unsigned Mask, void *Slot, KxCombine Combine, bool OrdersMemory,
            void *PC);
  void commit();
  void waitPrior(unsigned Groups);
  void waitAll();
  /// Barrier objects of the library: see BarrierObjects.cpp. Which is the state
  /// that an arrival returned, or a phase's parity.
  void makeBarrier(void *Object, unsigned Count, void *PC);
  std::uint64_t arriveAt(void *Object, unsigned Count, bool Drops, void *PC);
  void copiesArriveAt(void *Object, bool Counted, void *PC);
  bool testPhase(void *Object, std::uint64_t Which, bool ByParity,
                 bool MayBlock, void *PC);
  void ptx(const char *Text, KxOperand *Operands, unsigned Count, void *PC);
  void launch(uint3 Grid, uint3 Block, std::size_t DynamicShared,
              void (*Entry)(void *), void *Closure, void *PC);
  void *allocate(const char *Name, std::size_t Bytes);
  void release(void *Buffer);
  /// The case goes on with another size: Label names it in what is reported.
  void startIteration(const char *Label);
  /// Reports and leaves the block.
  [[noreturn]] void fail(Hazard H, void *PC, const std::string &Text);
  /// Called from a signal handler: the fiber that runs is lost.
  [[noreturn]] void fault(void *PC, void *Address);

  Scheduler Sched;
  SharedMemory *Shared = nullptr; ///< of the module that runs
  uint3 GridDim{}, BlockDim{}, BlockIndex{};
  unsigned Stages = 2;

private:
  void threadArrives(Thread &T) override;
  void threadEnds(Thread &T) override;
  void barrierOpens(Thread *const *List, unsigned Count) override;
  void warpMeets(Thread *const *Lanes, unsigned Count) override;
  bool idle() override;
  void deadlock() override;
  void diverged(bool Block, const Thread &Of, std::uint32_t OtherSite,
                const std::string &Text) override;

  void report(Hazard H, std::uint32_t PC, std::uint32_t OtherPC,
              const std::string &Text);
  void reportShared(const SharedMemory::Outcome &Found, unsigned Bytes,
                    Access A, bool IsCopy, std::uint32_t PC);
  void reportGlobal(const GlobalMemory::Outcome &Found, std::size_t Bytes,
                    Access A, bool IsCopy, std::uint32_t PC);
  void reportSharedBounds(std::size_t Offset, std::size_t Bytes, Access A,
                          std::uint32_t PC);
  void reportGlobalBounds(std::size_t Offset, std::size_t Bytes, Access A,
                          std::uint32_t PC);
  void execute(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool readSpecial(const PtxInstruction &I, PtxOperands &V);
  bool executeMbarrier(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeBulk(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeOrder(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeArrive(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool waitForState(Mbarrier &M, std::uint64_t Which, bool ByParity,
                    bool MayBlock, void *PC);
  bool executeWait(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeLoad(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeStore(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeTensor(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeWgmma(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool readWgmma(const PtxInstruction &I, PtxOperands &V, Wgmma &W);
  void placeOperand(WgmmaMatrix &M, void *PC);
  void checkWgmma(const Wgmma &W, void *PC);
  void computeOldest(Thread &T);
  void waitWgmma(unsigned Groups);
  void checkSums(const Thread &T, const void *Address, std::size_t Bytes,
                 Access A, std::uint32_t PC);
  bool executeElect(const PtxInstruction &I, PtxOperands &V, void *PC);
  bool executeFence(const PtxInstruction &I);
  void requireBulk(std::uint64_t SharedEnd, const void *GlobalEnd,
                   std::uint64_t Bytes, void *PC);
  std::string other(const Earlier &E) const;

  // --- Vector clocks: MachineClocks.cpp ---
  void runCases(Module &M, const std::string &Filter);
  /// The program has barriers of its own. A run without clocks is given up
  /// then, and comes again with them.
  void needClocks();
  void startClocks(unsigned Threads);
  unsigned newAgent(bool Async, void *PC);
  void release(Clocks::Vector &Into, void *PC);
  bool isAgent(const Earlier &E) const {
    return Now.Vectors && E.Thread != ~0u && Vectors.isAgent(E.Thread);
  }
  /// Another moment at which copies may land (in random mode).
  void tickCopies();

  // --- mbarriers: MachineMbarriers.cpp ---
  void initMbarrier(std::uint64_t Address, std::uint64_t Count, void *PC);
  void invalMbarrier(std::uint64_t Address, void *PC);
  /// The mbarrier there, which must be one, initialised before.
  Mbarrier &mbarrier(std::uint64_t Address, void *PC);
  void arrive(Mbarrier &M, std::int64_t Count, bool Drop, bool Releases,
              void *PC);
  void expect(Mbarrier &M, std::int64_t Bytes, void *PC);
  bool waitFor(Mbarrier &M, bool ByParity, std::uint32_t Which, bool MayBlock,
               void *PC);
  bool refuses(const Mbarrier &M, std::uint32_t Which, bool Over);
  void settle(Mbarrier &M);
  std::string describeWait(const Thread &T) const;

  // --- Copies that end on an mbarrier or in bulk groups: MachineBulk.cpp ---
  void arriveAfterCopies(Mbarrier &M, bool Counted, void *PC);
  void issueBulk(BulkCopy &&C, void *PC);
  void issueLoad(std::size_t Number);
  void issueStore(BulkCopy &C, void *PC);
  void land(std::size_t Number);
  void landArrival(std::size_t Number);
  void landStore(BulkCopy &C);
  void commitStores();
  void waitStores(unsigned Groups, bool OnlyRead);
  void storesEnd(const Thread &T);
  /// At the end of a block; Judge: it came to its end.
  void endBulk(bool Judge);

  // --- Named barriers: NamedBarriers.cpp ---
  void namedBarrier(std::uint64_t Id, std::uint64_t Count, bool Wait, void *PC);
  std::string where() const;

  Clock Now;
  GlobalMemory Global{Now};
  std::unique_ptr<AsyncCopies> Copies;
  struct Loaded {
    const Module *M;
    std::unique_ptr<SharedMemory> Memory;
    bool Clocked = false; ///< needs vector clocks
  };
  std::vector<Loaded> Memories; // one shadow per module, made once
  Module *Program = nullptr;
  Report *Hazards = nullptr;
  Config Setup;
  Random Rng{1};
  std::string CaseName, Label;
  std::vector<Record> Records;

  bool NeedsClocks = false; // noticed in this run
  Clocks Vectors;
  ReadSets Sets;
  Mbarriers Barriers;
  NamedBarrier Named[NamedBarrierCount];
  std::vector<BulkCopy> Bulk;
  std::map<unsigned, BulkStores> Stores; // by thread
  unsigned WgmmaAgents[32] = {};         // by warp
  std::vector<CopyArrival> Arrivals;
  // What is under way, in order of issue: of Bulk, or of Arrivals.
  struct UnderWay {
    bool IsArrival;
    std::size_t Number;
  };
  std::vector<UnderWay> Coming;

  bool UsedCopies = false, CaseComplete = true;
  sigjmp_buf OutOfFault;
};

extern Machine *TheMachine;

} // namespace kpipe::exec
