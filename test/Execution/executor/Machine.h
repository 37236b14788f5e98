// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor as a whole while it runs one module under one configuration:
// joins memory, copies and scheduler, and turns what they find into hazards
// with a text. There is one machine, because instrumented code calls it from
// anywhere.
#pragma once

#include "Arrivals.h"
#include "AsyncCopies.h"
#include "Config.h"
#include "GlobalMemory.h"
#include "Module.h"
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
  std::vector<bool> BytesRead;
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
  void requireAligned(const void *Address, std::size_t Bytes, void *PC);
  void copyAsync(void *Dst, const void *Src, unsigned Bytes, unsigned Valid,
                 void *PC);
  int barrier(int Predicate, KxReduce Reduce, void *PC);
  void warp(unsigned Mask, void *Slot, KxCombine Combine, bool OrdersMemory,
            void *PC);
  void commit();
  void waitPrior(unsigned Groups);
  void waitAll();
  /// Barrier objects: see Arrivals.h. Which is a phase's number, or its parity.
  void makeBarrier(void *Object, unsigned Count, void *PC);
  std::uint64_t arrive(void *Object, unsigned Count, bool Drops, void *PC);
  void copiesArrive(void *Object, bool Counted, void *PC);
  bool phaseIsOver(void *Object, std::uint64_t Which, bool ByParity, void *PC);
  void pollPhase(void *PC);
  void waitPhase(void *Object, std::uint64_t Which, bool ByParity, void *PC);
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
  void barrierOpens() override;
  void diverged(bool Block, const Thread &Of, std::uint32_t OtherSite,
                const std::string &Text) override;

  void report(Hazard H, std::uint32_t PC, std::uint32_t OtherPC,
              const std::string &Text);
  void reportShared(const SharedMemory::Outcome &Found, unsigned Bytes,
                    Access A, bool IsCopy, std::uint32_t PC);
  void reportGlobal(const GlobalMemory::Outcome &Found, std::size_t Bytes,
                    Access A, bool IsCopy, std::uint32_t PC);
  ArrivalBarrier *barrierAt(void *Object, void *PC);
  bool settle(ArrivalBarrier &B, bool Asked);
  void endBarriers();
  void execute(const PtxInstruction &I, PtxOperands &V, void *PC);
  std::string other(const Earlier &E) const;
  std::string where() const;

  Clock Now;
  GlobalMemory Global{Now};
  std::unique_ptr<AsyncCopies> Copies;
  struct Loaded {
    const Module *M;
    std::unique_ptr<SharedMemory> Memory;
  };
  std::vector<Loaded> Memories; // one shadow per module, made once
  Arrivals Objects;
  Module *Program = nullptr;
  Report *Hazards = nullptr;
  Config Setup;
  Random Rng{1};
  std::string CaseName, Label;
  std::vector<Record> Records;
  bool UsedCopies = false, CaseComplete = true;
  sigjmp_buf OutOfFault;
};

extern Machine *TheMachine;

} // namespace kpipe::exec
