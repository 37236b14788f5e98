// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins of vector clocks. See Clocks.h.
#include "Clocks.h"

#include <algorithm>

using namespace kpipe::exec;

static void raise(std::uint16_t *Into, const std::uint16_t *From,
                  std::size_t Count) {
  for (std::size_t I = 0; I < Count; ++I)
    Into[I] = Into[I] < From[I] ? From[I] : Into[I];
}

void Clocks::startBlock(unsigned Count) {
  Threads = Count;
  Width = Count + Agents;
  Async.clear();
  All.assign(std::size_t(Count) * Rows * Width, 0);
  ++Version;
}

unsigned Clocks::addAgent(bool IsAsync) {
  if (Async.size() == Agents)
    return ~0u;
  Async.push_back(IsAsync);
  return Threads + unsigned(Async.size()) - 1;
}

bool Clocks::seenByAny(unsigned Who, unsigned Tick) const {
  for (unsigned T = 0; T < Threads; ++T)
    if (row(T, Seen)[Who] >= Tick)
      return true;
  return false;
}

void Clocks::advance(Thread &T) {
  ++T.Tick;
  ++Version;
}

void Clocks::release(Thread &T, Vector &Into) {
  row(T.Id, Seen)[T.Id] = std::uint16_t(T.Tick);
  Into.resize(std::size_t(Rows) * Width);
  raise(Into.data(), row(T.Id, 0), Into.size());
  advance(T);
}

void Clocks::acquire(const Thread &T, const Vector &From) {
  raise(row(T.Id, 0), From.data(), From.size());
  ++Version;
}

void Clocks::see(const Thread &T, unsigned Who, unsigned Tick) {
  std::uint16_t &Known = row(T.Id, Seen)[Who];
  Known = std::max(Known, std::uint16_t(Tick));
  ++Version;
}

void Clocks::join(Vector &Into, const Vector &From) {
  Into.resize(std::max(Into.size(), From.size()));
  raise(Into.data(), From.data(), From.size());
}

void Clocks::mark(Vector &Into, unsigned Who, unsigned Tick) const {
  Into.resize(std::size_t(Rows) * Width);
  std::uint16_t &Known = Into[std::size_t(Seen) * Width + Who];
  Known = std::max(Known, std::uint16_t(Tick));
}

// What T does after the fence is another moment: no fence covers it yet.
void Clocks::fence(Thread &T, bool Shared, bool Global) {
  row(T.Id, Seen)[T.Id] = std::uint16_t(T.Tick);
  if (Shared)
    raise(row(T.Id, FencedShared), row(T.Id, Seen), Width);
  if (Global)
    raise(row(T.Id, FencedGlobal), row(T.Id, Seen), Width);
  advance(T);
}

void Clocks::meet(Thread *const *List, unsigned Count) {
  Scratch.assign(std::size_t(Rows) * Width, 0);
  for (unsigned I = 0; I < Count; ++I) {
    row(List[I]->Id, Seen)[List[I]->Id] = std::uint16_t(List[I]->Tick);
    raise(Scratch.data(), row(List[I]->Id, 0), Scratch.size());
  }
  for (unsigned I = 0; I < Count; ++I) {
    std::copy(Scratch.begin(), Scratch.end(), row(List[I]->Id, 0));
    advance(*List[I]);
  }
}
