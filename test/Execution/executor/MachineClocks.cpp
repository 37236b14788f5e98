// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that keeps vector clocks, for programs that order
// threads by more than the block's barrier and warps. Others do without: their
// barrier intervals say the same for less. See Machine.h.
#include "Machine.h"

using namespace kpipe::exec;

void Machine::needClocks() {
  if (Now.Vectors)
    return;
  NeedsClocks = true;
  Sched.abandon();
}

void Machine::startClocks(unsigned Threads) {
  if (!Now.Vectors)
    return;
  Vectors.startBlock(Threads);
  Sets.startBlock();
  Barriers.startBlock();
  Bulk.clear();
  Stores.clear();
  Arrivals.clear();
  Coming.clear();
  for (unsigned &Agent : WgmmaAgents)
    Agent = 0;
  for (NamedBarrier &B : Named)
    B = {};
}

unsigned Machine::newAgent(bool Async, void *PC) {
  unsigned Agent = Vectors.addAgent(Async);
  if (Agent == ~0u)
    fail(Hazard::Unsupported, PC, "more mbarriers than the executor has");
  return Agent;
}

void Machine::release(Clocks::Vector &Into, void *PC) {
  Thread &T = *Sched.Current;
  if (T.Tick >= Clocks::LastTick)
    fail(Hazard::Unsupported, PC, "more than 65535 arrivals of one thread");
  Vectors.release(T, Into);
}

void Machine::tickCopies() {
  if (Setup.Mode != Completion::Random)
    return;
  std::vector<UnderWay> Stay;
  for (const UnderWay &U : std::vector<UnderWay>(std::move(Coming)))
    if (Rng.below(4) != 0)
      Stay.push_back(U);
    else if (U.IsArrival)
      landArrival(U.Number);
    else
      land(U.Number);
  Coming = std::move(Stay);
}

void Machine::threadArrives(Thread &T) {
  Copies->tick(T);
  if (Now.Vectors)
    tickCopies();
}

void Machine::barrierOpens(Thread *const *List, unsigned Count) {
  ++Now.Interval;
  if (Now.Vectors)
    Vectors.meet(List, Count);
}

void Machine::warpMeets(Thread *const *Lanes, unsigned Count) {
  if (Now.Vectors)
    Vectors.meet(Lanes, Count);
}

// A copy that nothing hurries lands when all wait: the oldest, or any.
bool Machine::idle() {
  if (Coming.empty() || !Now.Vectors)
    return false;
  std::size_t I =
      Setup.Mode == Completion::Random ? Rng.below(unsigned(Coming.size())) : 0;
  UnderWay U = Coming[I];
  Coming.erase(Coming.begin() + std::ptrdiff_t(I));
  if (U.IsArrival)
    landArrival(U.Number);
  else
    land(U.Number);
  return true;
}

std::string Machine::describeWait(const Thread &T) const {
  std::string At = name(T) + " at " + place(T.Site) + ": ";
  switch (T.State) {
  case ThreadState::AtBarrier:
    return At + "the block's barrier";
  case ThreadState::AtWarp:
    return At + "a warp operation";
  default:
    break;
  }
  if (T.Waits.What == Waiting::Named)
    return At + "barrier " + std::to_string(T.Waits.At);
  return At + "mbarrier " + Shared->describe(T.Waits.At) +
         (T.Waits.ByParity ? ", parity " : ", phase ") +
         std::to_string(T.Waits.Phase);
}

// One line: all barriers, then who waits, each reason and place once.
void Machine::deadlock() {
  std::string Text = "no thread can ever go on;";
  for (const auto &[At, M] : Barriers.all())
    Text += " mbarrier " + Shared->describe(At) + ": " + describe(M) + ";";
  for (unsigned I = 0; I < NamedBarrierCount; ++I)
    if (Named[I].Expected)
      Text += " barrier " + std::to_string(I) + ": " +
              std::to_string(Named[I].Arrived) + " of " +
              std::to_string(Named[I].Expected) + " threads;";
  std::map<std::string, std::pair<std::string, unsigned>> Groups;
  std::uint32_t Site = 0;
  for (const Thread &T : Sched.threads()) {
    if (T.State == ThreadState::Done)
      continue;
    std::string Line = describeWait(T);
    auto &Group = Groups[Line.substr(Line.find(" at "))];
    if (!Group.second++)
      Group.first = Line;
    if (!Site && T.State != ThreadState::AtBarrier)
      Site = T.Site;
  }
  const char *Separator = " waiting are ";
  for (const auto &[Reason, Group] : Groups) {
    Text += Separator + Group.first;
    if (Group.second > 1)
      Text += " and " + std::to_string(Group.second - 1) + " more";
    Separator = "; ";
  }
  report(Hazard::Deadlock, Site, 0, Text);
}
