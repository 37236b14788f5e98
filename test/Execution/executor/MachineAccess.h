// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each instrumented access goes through, as a part of its callback, which
// knows the number of bytes and what is done with them: most of the time of a
// run is spent here. The texts of what is found are in Hazards.cpp.
#pragma once

#include "Machine.h"

namespace kpipe::exec {

// A few instructions for what most accesses are, without a frame.
inline bool Machine::readsSettled(const void *Address, std::size_t Bytes,
                                  void *ReturnAddress) {
  if (!running() || !Shared->contains(Address) || Now.Vectors)
    return false;
  std::size_t Offset = Shared->offset(Address);
  // A word was written as one, so that it is of one array.
  return (Bytes == 4 || Shared->arrayAt(Offset, unsigned(Bytes))) &&
         Shared->readSettled(*Sched.Current, Now, Offset, unsigned(Bytes),
                             Program->offsetOf(ReturnAddress));
}

inline void Machine::accessHere(const void *Address, std::size_t Bytes,
                                Access A, void *ReturnAddress) {
  if (!running() || !Bytes)
    return;
  std::uint32_t PC = Program->offsetOf(ReturnAddress);
  const Thread &T = *Sched.Current;
  if (Shared->contains(Address)) {
    std::size_t Offset = Shared->offset(Address);
    if (!Shared->arrayAt(Offset, unsigned(Bytes)))
      return reportSharedBounds(Offset, Bytes, A, PC);
    auto Found = Shared->access(T, Offset, unsigned(Bytes), A, PC);
    if (Found.What != Conflict::None)
      reportShared(Found, unsigned(Bytes), A, false, PC);
    return;
  }
  if (!Global.contains(Address)) {
    // The thread's own stack, constants, __device__ variables.
    if (!T.WgmmaSums.empty())
      checkSums(T, Address, Bytes, A, PC);
    return;
  }
  std::size_t Offset = Global.offset(Address);
  if (!Global.covers(Offset, Bytes))
    return reportGlobalBounds(Offset, Bytes, A, PC);
  auto Found = Global.access(T, Offset, Bytes, A, PC);
  if (Found.What != Conflict::None)
    reportGlobal(Found, Bytes, A, false, PC);
}

} // namespace kpipe::exec
