// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issue, landing and completion of asynchronous copies. See AsyncCopies.h.
#include "AsyncCopies.h"

#include <cstring>

using namespace kpipe::exec;

AsyncCopies::Outcome AsyncCopies::issue(Thread &T, std::size_t Dst,
                                        const char *Src, unsigned Bytes,
                                        unsigned Valid, std::uint32_t PC) {
  Copies.push_back({Dst, Src, Bytes, Valid, T.Group, PC, false, false});
  unsigned Number = unsigned(Copies.size());
  Outcome Found;
  Found.Dst = Shared.beginCopy(T, Dst, Bytes, Number, PC);
  if (Valid)
    Found.Src = Global.pin(T, Global.offset(Src), Valid, PC);
  T.Pending.push_back(Number);
  if (Mode == Completion::Early)
    land(Copies.back());
  tick(T);
  return Found;
}

void AsyncCopies::land(Copy &C) {
  if (C.Landed)
    return;
  C.Landed = true;
  char *Dst = Shared.address(C.Dst);
  std::memcpy(Dst, C.Src, C.Valid);
  std::memset(Dst + C.Valid, 0, C.Bytes - C.Valid);
}

void AsyncCopies::complete(Thread &T, Copy &C, unsigned Number) {
  land(C);
  C.Ended = true;
  // The bytes count as written at the copy's issue, for reports' sake.
  Shared.endCopy(T, C.Dst, C.Bytes, Number, C.PC);
  if (C.Valid)
    Global.unpin(&T, Global.offset(C.Src), C.Valid, C.PC);
}

void AsyncCopies::waitPrior(Thread &T, unsigned Groups) {
  // Pending is in order of issue, so the complete ones are a prefix.
  auto It = T.Pending.begin();
  for (; It != T.Pending.end(); ++It) {
    Copy &C = Copies[*It - 1];
    if (C.Group + Groups >= T.Group)
      break;
    complete(T, C, *It);
  }
  T.Pending.erase(T.Pending.begin(), It);
}

void AsyncCopies::waitAll(Thread &T) {
  for (unsigned Number : T.Pending)
    complete(T, Copies[Number - 1], Number);
  T.Pending.clear();
}

void AsyncCopies::completeUpTo(Thread &T, unsigned UpTo) {
  auto It = T.Pending.begin();
  for (; It != T.Pending.end() && *It <= UpTo; ++It)
    complete(T, Copies[*It - 1], *It);
  T.Pending.erase(T.Pending.begin(), It);
}

void AsyncCopies::tick(Thread &T) {
  if (Mode != Completion::Random)
    return;
  for (unsigned Number : T.Pending)
    if (Rng->below(4) == 0)
      land(Copies[Number - 1]);
}

void AsyncCopies::drop(Copy &C, unsigned Number) {
  C.Ended = true;
  Shared.dropCopy(C.Dst, C.Bytes, Number);
  if (C.Valid)
    Global.unpin(nullptr, Global.offset(C.Src), C.Valid, C.PC);
}

void AsyncCopies::forget() {
  for (unsigned I = 0; I < Copies.size(); ++I)
    if (!Copies[I].Ended)
      drop(Copies[I], I + 1);
  Copies.clear();
}

unsigned AsyncCopies::abandon(Thread &T) {
  auto First = T.Pending.begin();
  while (First != T.Pending.end() && *First <= T.ArrivesUpTo)
    ++First;
  auto Count = unsigned(T.Pending.end() - First);
  for (auto It = First; It != T.Pending.end(); ++It)
    drop(Copies[*It - 1], *It);
  T.Pending.erase(First, T.Pending.end());
  return Count;
}
