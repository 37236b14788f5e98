// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that runs bulk copies and the arrivals of cp.async:
// issue, landing, what is left at the end of a block. See Machine.h.
#include "Machine.h"

#include <cstring>

using namespace kpipe::exec;

/// In shadow state, where AsyncCopies has numbers as well.
static unsigned numberOf(std::size_t Index) {
  return 0x80000000u | unsigned(Index);
}

static Thread agent(unsigned Id, unsigned Tick) {
  Thread Agent;
  Agent.Id = Id;
  Agent.Tick = Tick;
  return Agent;
}

void Machine::arriveAfterCopies(Mbarrier &M, bool Counted, void *PC) {
  Thread &T = *Sched.Current;
  if (!Counted)
    ++M.Pending;
  T.ArrivesUpTo = Copies->issued();
  Arrivals.push_back(
      {T.Id, T.ArrivesUpTo, M.At, Program->offsetOf(PC), false, 0, 0});
  if (Setup.Mode == Completion::Early)
    landArrival(Arrivals.size() - 1);
  else
    Coming.push_back({true, Arrivals.size() - 1});
}

// The copies of an arrival include those of its thread's earlier ones.
void Machine::landArrival(std::size_t Number) {
  unsigned Issuer = Arrivals[Number].Issuer;
  for (std::size_t I = 0; I <= Number; ++I) {
    CopyArrival &A = Arrivals[I];
    if (A.Done || A.Issuer != Issuer)
      continue;
    A.Done = true;
    Mbarrier &M = *Barriers.at(A.Barrier);
    Thread Agent = agent(M.CopyAgent, M.tick());
    if (Copies->completeFor(Sched.thread(Issuer), A.UpTo, Agent)) {
      A.Agent = Agent.Id;
      A.Tick = Agent.Tick;
    }
    if (M.Pending < 1) {
      report(Hazard::BadMbarrier, A.PC, 0,
             "an arrival after copies on the mbarrier " +
                 Shared->describe(M.At) + ", which has " + describe(M));
      continue;
    }
    --M.Pending;
    settle(M);
  }
}

void Machine::issueBulk(BulkCopy &&C, void *PC) {
  C.PC = Program->offsetOf(PC);
  C.Issuer = Sched.Current->Id;
  Bulk.push_back(std::move(C));
  if (Bulk.back().Store)
    issueStore(Bulk.back(), PC);
  else
    issueLoad(Bulk.size() - 1);
}

void Machine::issueLoad(std::size_t Number) {
  BulkCopy &C = Bulk[Number];
  Thread &T = *Sched.Current;
  Mbarrier &M = *Barriers.at(C.Barrier);
  if (!M.InitFenced && !Vectors.fenced(T, M.InitThread, M.InitTick, false))
    report(Hazard::ProxyFence, C.PC, M.InitPC,
           "bulk copy by " + name(T) + " completes on the mbarrier " +
               Shared->describe(M.At) +
               ", with no fence behind its "
               "initialisation at " +
               place(M.InitPC));
  Thread Agent = agent(M.BulkAgent, M.tick());
  SharedMemory::Outcome Dst;
  GlobalMemory::Outcome Src;
  for (const BulkCopy::Piece &P : C.Pieces) {
    auto Found = Shared->beginCopy(T, P.Shared, P.Bytes, numberOf(Number), C.PC,
                                   Proxy::AsyncShared);
    if (Dst.What == Conflict::None)
      Dst = Found;
    if (!P.Global)
      continue;
    auto Source = Global.pin(T, Global.offset(P.Global), P.Bytes, C.PC,
                             Proxy::AsyncGlobal, &Agent);
    if (Src.What == Conflict::None)
      Src = Source;
  }
  if (Dst.What != Conflict::None)
    reportShared(Dst, C.Bytes, Access::Write, true, C.PC);
  if (Src.What != Conflict::None)
    reportGlobal(Src, C.Bytes, Access::Read, true, C.PC);
  if (Setup.Mode == Completion::Early)
    land(Number);
  else
    Coming.push_back({false, Number});
}

void Machine::land(std::size_t Number) {
  BulkCopy &C = Bulk[Number];
  Mbarrier &M = *Barriers.at(C.Barrier);
  Thread Agent = agent(M.BulkAgent, M.tick());
  C.Landed = true;
  C.Agent = Agent.Id;
  C.Tick = Agent.Tick;
  for (const BulkCopy::Piece &P : C.Pieces) {
    if (P.Global)
      std::memcpy(Shared->address(P.Shared), P.Global, P.Bytes);
    else
      std::memset(Shared->address(P.Shared), 0, P.Bytes);
    Shared->endCopy(Agent, P.Shared, P.Bytes, numberOf(Number), C.PC);
    if (P.Global)
      Global.unpin(&Agent, Global.offset(P.Global), P.Bytes, C.PC);
  }
  M.Bytes -= C.Bytes;
  settle(M);
}

void Machine::issueStore(BulkCopy &C, void *PC) {
  Thread &T = *Sched.Current;
  BulkStores &S = Stores[T.Id];
  if (!S.ReadAgent) {
    S.ReadAgent = newAgent(true, PC);
    S.WriteAgent = newAgent(true, PC);
  }
  C.Group = S.Group;
  Thread Reads = agent(S.ReadAgent, S.Group + 1);
  Thread Writes = agent(S.WriteAgent, S.Group + 1);
  SharedMemory::Outcome Src;
  GlobalMemory::Outcome Dst;
  for (const BulkCopy::Piece &P : C.Pieces) {
    auto Found = Shared->access(T, P.Shared, P.Bytes, Access::Read, C.PC,
                                Proxy::AsyncShared, &Reads);
    if (Src.What == Conflict::None)
      Src = Found;
    auto Target =
        Global.access(T, Global.offset(P.Global), P.Bytes, Access::Write, C.PC,
                      Proxy::AsyncGlobal, &Writes);
    if (Dst.What == Conflict::None)
      Dst = Target;
  }
  if (Src.What != Conflict::None)
    reportShared(Src, C.Bytes, Access::Read, true, C.PC);
  if (Dst.What != Conflict::None)
    reportGlobal(Dst, C.Bytes, Access::Write, true, C.PC);
  if (Setup.Mode == Completion::Early)
    landStore(C);
}

void Machine::landStore(BulkCopy &C) {
  if (C.Landed)
    return;
  C.Landed = true;
  for (const BulkCopy::Piece &P : C.Pieces)
    std::memcpy(P.Global, Shared->address(P.Shared), P.Bytes);
}

void Machine::commitStores() {
  auto It = Stores.find(Sched.Current->Id);
  if (It != Stores.end())
    ++It->second.Group;
}

void Machine::waitStores(unsigned Groups, bool OnlyRead) {
  auto It = Stores.find(Sched.Current->Id);
  if (It == Stores.end() || It->second.Group <= Groups)
    return;
  unsigned Done = It->second.Group - Groups;
  for (BulkCopy &C : Bulk)
    if (C.Store && C.Issuer == It->first && C.Group < Done)
      landStore(C);
  Vectors.see(*Sched.Current, It->second.ReadAgent, Done);
  if (!OnlyRead)
    Vectors.see(*Sched.Current, It->second.WriteAgent, Done);
}

// A thread that ends may give the block's memory back.
void Machine::storesEnd(const Thread &T) {
  auto It = Stores.find(T.Id);
  if (It == Stores.end())
    return;
  for (const BulkCopy &C : Bulk)
    if (C.Store && C.Issuer == T.Id &&
        !Vectors.seen(T, It->second.ReadAgent, C.Group + 1)) {
      report(Hazard::UndrainedCopy, C.PC, 0,
             name(T) + " ends while its bulk stores read shared memory; this "
                       "is the first");
      return;
    }
}

// Copies for which nobody has waited may land in the next block's memory.
void Machine::endBulk(bool Judge) {
  if (!Now.Vectors)
    return;
  auto Judged = [&](bool Good, std::uint32_t PC, const char *What) {
    if (Judge && !Good)
      report(Hazard::UndrainedCopy, PC, 0,
             std::string("the block ends and no thread has waited for ") +
                 What);
  };
  for (std::size_t I = 0; I < Bulk.size(); ++I) {
    BulkCopy &C = Bulk[I];
    if (C.Store) {
      landStore(C);
      continue;
    }
    Judged(C.Landed && Vectors.seenByAny(C.Agent, C.Tick), C.PC,
           "this bulk copy");
    if (C.Landed)
      continue;
    for (const BulkCopy::Piece &P : C.Pieces) {
      Shared->dropCopy(P.Shared, P.Bytes, numberOf(I));
      if (P.Global)
        Global.unpin(nullptr, Global.offset(P.Global), P.Bytes, C.PC);
    }
  }
  for (const CopyArrival &A : Arrivals)
    Judged(A.Done && (!A.Agent || Vectors.seenByAny(A.Agent, A.Tick)), A.PC,
           "the copies of this arrival");
  Copies->forget();
  for (const auto &[At, M] : Barriers.all())
    Shared->endBarrier(At);
}
