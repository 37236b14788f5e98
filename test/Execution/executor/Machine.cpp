// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs cases and launches, and records buffers. The texts of hazards are in
// Hazards.cpp. See Machine.h.
#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace kpipe::exec;

Machine *kpipe::exec::TheMachine = nullptr;

Machine::Machine() : Sched(*this) { TheMachine = this; }

/// Does a case's name contain one of the words that commas separate?
static bool selected(const std::string &Name, const std::string &Filter) {
  for (std::size_t Begin = 0; Begin <= Filter.size();) {
    std::size_t End = std::min(Filter.find(',', Begin), Filter.size());
    if (Name.find(Filter.substr(Begin, End - Begin)) != std::string::npos)
      return true;
    Begin = End + 1;
  }
  return false;
}

std::vector<Record> Machine::run(Module &M, const Config &C, Report &R,
                                 const std::string &Filter) {
  Program = &M;
  Setup = C;
  Hazards = &R;
  auto It = std::find_if(Memories.begin(), Memories.end(),
                         [&](const Loaded &L) { return L.M == &M; });
  if (It == Memories.end()) {
    Memories.push_back({&M, std::make_unique<SharedMemory>(Now)});
    It = Memories.end() - 1;
    It->Memory->attach(M.SharedBegin, M.SharedEnd, M.Arrays);
  }
  Shared = It->Memory.get();
  Copies = std::make_unique<AsyncCopies>(Now, *Shared, Global);
  Report Before = R;
  NeedsClocks = It->Clocked |= C.Clocks;
  runCases(M, Filter);
  if (NeedsClocks && !It->Clocked) {
    It->Clocked = true;
    R = std::move(Before);
    runCases(M, Filter);
  }
  return std::move(Records);
}

void Machine::runCases(Module &M, const std::string &Filter) {
  Rng = Random(Setup.Seed);
  UsedCopies = NeedsClocks; // waits may fail as well as copies be late
  Now.Vectors = NeedsClocks ? &Vectors : nullptr;
  Now.Sets = &Sets;
  Records.clear();
  for (const Case &Next : M.Cases) {
    if (!selected(Next.Name, Filter))
      continue;
    CaseName = Next.Name;
    Label.clear();
    CaseComplete = true;
    Next.Body();
    Global.releaseAll();
  }
}

void Machine::launch(uint3 Grid, uint3 Block, std::size_t DynamicShared,
                     void (*Entry)(void *), void *Closure, void *PC) {
  std::uint64_t Threads = std::uint64_t(Block.x) * Block.y * Block.z;
  std::uint64_t Blocks = std::uint64_t(Grid.x) * Grid.y * Grid.z;
  if (Threads == 0 || Threads > 1024 || Blocks == 0) {
    report(Hazard::Unsupported, Program->offsetOf(PC), 0,
           "a launch of " + std::to_string(Blocks) + " blocks of " +
               std::to_string(Threads) + " threads");
    CaseComplete = false;
    return;
  }
  if (NeedsClocks && !Now.Vectors)
    return; // this run is given up
  GridDim = Grid;
  BlockDim = Block;
  std::vector<std::uint64_t> Sequence(Blocks);
  for (std::uint64_t I = 0; I < Blocks; ++I)
    Sequence[I] = Setup.Threads == Order::Reverse ? Blocks - 1 - I : I;
  if (Setup.Threads == Order::Shuffled)
    for (std::uint64_t I = Blocks; I > 1; --I)
      std::swap(Sequence[I - 1], Sequence[Rng.below(unsigned(I))]);
  for (std::uint64_t I : Sequence) {
    BlockIndex = {unsigned(I % Grid.x), unsigned(I / Grid.x % Grid.y),
                  unsigned(I / Grid.x / Grid.y)};
    Now.BlockStart = ++Now.Interval; // older stamps are another block's
    Shared->startBlock(DynamicShared);
    Copies->startBlock(Setup, Rng);
    startClocks(unsigned(Threads));
    bool Ended = false;
    if (sigsetjmp(OutOfFault, 1) == 0)
      Ended = Sched.runBlock(Block, Setup.Threads, Rng, Entry, Closure);
    UsedCopies |= Copies->any();
    endBulk(Ended);
    if (!Ended) {
      CaseComplete = false;
      Sched.Current = nullptr;
      Copies->forget();
      return;
    }
  }
}

void *Machine::allocate(const char *Name, std::size_t Bytes) {
  void *P = Global.allocate(Name, Bytes);
  if (!P) {
    std::fprintf(stderr,
                 "error: case %s needs more global memory than the "
                 "executor has (64 MiB)\n",
                 CaseName.c_str());
    std::_Exit(2);
  }
  return P;
}

void Machine::release(void *P) {
  Record R;
  Buffer B = Global.release(P, R.BytesRead);
  R.Where = where();
  R.Buffer = B.Name;
  const auto *Bytes = static_cast<const unsigned char *>(P);
  R.Bytes.assign(Bytes, Bytes + B.Size);
  R.Complete = CaseComplete;
  Records.push_back(std::move(R));
}

void Machine::startIteration(const char *TheLabel) {
  Label = TheLabel;
  CaseComplete = true;
}

int Machine::barrier(int Predicate, KxReduce Reduce, void *PC) {
  return running() ? Sched.barrier(Predicate, Reduce, Program->offsetOf(PC))
                   : 0;
}

void Machine::warp(unsigned Mask, void *Slot, KxCombine Combine,
                   bool OrdersMemory, void *PC) {
  if (running())
    Sched.warp(Mask, Slot, Combine, OrdersMemory, Program->offsetOf(PC));
}

void Machine::commit() {
  if (!running())
    return;
  Copies->commit(*Sched.Current);
  Copies->tick(*Sched.Current);
}

void Machine::waitPrior(unsigned Groups) {
  if (running())
    Copies->waitPrior(*Sched.Current, Groups);
}

void Machine::waitAll() {
  if (running())
    Copies->waitAll(*Sched.Current);
}

void Machine::fault(void *PC, void *Address) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "fault at address %p", Address);
  report(Hazard::WildAccess, Program->offsetOf(PC), 0,
         std::string(Text) + " by " + name(*Sched.Current));
  siglongjmp(OutOfFault, 1);
}

void Machine::fail(Hazard H, void *PC, const std::string &Text) {
  report(H, Program->offsetOf(PC), 0,
         Text + (running() ? " in " + name(*Sched.Current) : std::string()));
  if (!running())
    std::_Exit(2);
  Sched.abandon();
}

std::string Machine::where() const {
  return Label.empty() ? CaseName : CaseName + ", " + Label;
}
