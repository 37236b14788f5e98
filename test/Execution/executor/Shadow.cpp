// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow's rules where vector clocks say what is ordered. See Shadow.h.
#include "Shadow.h"

using namespace kpipe::exec;

Conflict ShadowByte::checkVectors(const Thread &T, Access A, const Clock &Now,
                                  Earlier &Found, Proxy From) const {
  const Clocks &C = *Now.Vectors;
  auto Seen = [&](unsigned Who, unsigned Tick) {
    return Who == T.Id || C.seen(T, Who, Tick);
  };
  // What the async proxy did needs no fence, what T itself did does.
  auto Fenced = [&](unsigned Who, unsigned Tick) {
    return C.isAsync(Who) || C.fenced(T, Who, Tick, From == Proxy::AsyncGlobal);
  };
  bool Async = From != Proxy::Threads;
  if (WriteInterval >= Now.BlockStart &&
      !(A == Access::Atomic && AtomicWrite)) {
    Found = lastWrite();
    if (!Seen(Writer, WriteTick))
      return Conflict::WriteThenAccess;
    if (Async && !Fenced(Writer, WriteTick))
      return Conflict::Unfenced;
  }
  if (A == Access::Read || ReadInterval < Now.BlockStart)
    return Conflict::None;
  const ReadSets::Read *R =
      Now.Sets->firstBad(readers(), T, 0, C, [&](const ReadSets::Read &R) {
        return Seen(R.Thread, R.Tick);
      });
  if (R) {
    Found = {R->PC, R->Thread};
    return Conflict::ReadThenWrite;
  }
  if (Async)
    R = Now.Sets->firstBad(
        readers(), T, unsigned(From), C,
        [&](const ReadSets::Read &R) { return Fenced(R.Thread, R.Tick); });
  if (!R)
    return Conflict::None;
  Found = {R->PC, R->Thread};
  return Conflict::Unfenced;
}
