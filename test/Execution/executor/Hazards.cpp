// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that judges accesses and copies and words what is
// wrong with them. See Machine.h.
#include "MachineAccess.h"

using namespace kpipe::exec;

void Machine::report(Hazard H, std::uint32_t PC, std::uint32_t OtherPC,
                     const std::string &Text) {
  Hazards->add(H, PC, OtherPC, Setup, where(),
               [&] { return place(PC) + ": hazard: " + Text; });
}

std::string Machine::other(const Earlier &E) const {
  if (E.Thread == ~0u)
    return "several threads at " + place(E.PC);
  if (isAgent(E))
    return "the hardware for what was issued at " + place(E.PC);
  return "thread (" + std::to_string(E.Thread % BlockDim.x) + "," +
         std::to_string(E.Thread / BlockDim.x % BlockDim.y) + "," +
         std::to_string(E.Thread / BlockDim.x / BlockDim.y) + ") at " +
         place(E.PC);
}

static const char *verb(Access A, bool IsCopy) {
  return IsCopy               ? "asynchronous copy"
         : A == Access::Read  ? "read"
         : A == Access::Write ? "write"
                              : "atomic";
}

void Machine::reportShared(const SharedMemory::Outcome &Found, unsigned Bytes,
                           Access A, bool IsCopy, std::uint32_t PC) {
  std::string What = std::string(verb(A, IsCopy)) + " of " +
                     std::to_string(Bytes) + " bytes at " +
                     Shared->describe(Found.At) + " by " + name(*Sched.Current);
  switch (Found.What) {
  case Conflict::None:
    return;
  case Conflict::Uninitialised:
    return report(Hazard::Uninitialised, PC, 0,
                  What + ", which nothing wrote in this block");
  case Conflict::InFlight: {
    Hazard H = IsCopy              ? Hazard::CopyCollision
               : A == Access::Read ? Hazard::ReadInFlight
                                   : Hazard::WriteInFlight;
    return report(H, PC, Found.Other.PC,
                  What + " while a copy to it is in flight, issued by " +
                      other(Found.Other));
  }
  case Conflict::OfBarrier:
    return report(Hazard::BadMbarrier, PC, 0, What + ", which is an mbarrier");
  case Conflict::Unfenced:
    return report(Hazard::ProxyFence, PC, Found.Other.PC,
                  What + " has no proxy fence behind the access by " +
                      other(Found.Other));
  case Conflict::WriteThenAccess:
    if (isAgent(Found.Other))
      return report(IsCopy              ? Hazard::CopyCollision
                    : A == Access::Read ? Hazard::ReadInFlight
                                        : Hazard::WriteInFlight,
                    PC, Found.Other.PC,
                    What + ", which has not waited for the copy issued at " +
                        place(Found.Other.PC));
    return report(Hazard::SharedRace, PC, Found.Other.PC,
                  What + " races with the write by " + other(Found.Other));
  case Conflict::ReadThenWrite:
    return report(
        isAgent(Found.Other) ? Hazard::SourceWritten : Hazard::SharedRace, PC,
        Found.Other.PC, What + " races with the read by " + other(Found.Other));
  }
}

void Machine::reportGlobal(const GlobalMemory::Outcome &Found,
                           std::size_t Bytes, Access A, bool IsCopy,
                           std::uint32_t PC) {
  std::string What =
      std::string(IsCopy ? "asynchronous copy from" : verb(A, false)) +
      (IsCopy ? " " : " of " + std::to_string(Bytes) + " bytes at ") +
      Global.describe(Found.At) + " by " + name(*Sched.Current);
  if (Found.What == Conflict::InFlight)
    report(Hazard::SourceWritten, PC, 0,
           What + " while an asynchronous copy reads it");
  else if (Found.What == Conflict::Unfenced)
    report(Hazard::ProxyFence, PC, Found.Other.PC,
           What + " has no proxy fence behind the access by " +
               other(Found.Other));
  else if (Found.What == Conflict::WriteThenAccess)
    report(Hazard::GlobalRace, PC, Found.Other.PC,
           What + " races with the write by " + other(Found.Other));
  else if (Found.What == Conflict::ReadThenWrite)
    report(isAgent(Found.Other) ? Hazard::SourceWritten : Hazard::GlobalRace,
           PC, Found.Other.PC,
           What + " races with the read by " + other(Found.Other));
}

void Machine::reportSharedBounds(std::size_t Offset, std::size_t Bytes,
                                 Access A, std::uint32_t PC) {
  report(Hazard::SharedBounds, PC, 0,
         std::string(verb(A, false)) + " of " + std::to_string(Bytes) +
             " bytes at " + Shared->describe(Offset) + " by " +
             name(*Sched.Current));
}

void Machine::reportGlobalBounds(std::size_t Offset, std::size_t Bytes,
                                 Access A, std::uint32_t PC) {
  report(Hazard::GlobalBounds, PC, 0,
         std::string(verb(A, false)) + " of " + std::to_string(Bytes) +
             " bytes at " + Global.describe(Offset) + " by " +
             name(*Sched.Current));
}

void Machine::access(const void *Address, std::size_t Bytes, Access A,
                     void *ReturnAddress) {
  accessHere(Address, Bytes, A, ReturnAddress);
}

void Machine::requireAligned(const void *Address, std::size_t Bytes,
                             void *ReturnAddress) {
  if (!running() || reinterpret_cast<std::uintptr_t>(Address) % Bytes == 0)
    return;
  bool InShared = Shared->contains(Address);
  if (!InShared && !Global.contains(Address))
    return;
  report(Hazard::Misaligned, Program->offsetOf(ReturnAddress), 0,
         "access of " + std::to_string(Bytes) + " bytes at " +
             (InShared ? Shared->describe(Shared->offset(Address))
                       : Global.describe(Global.offset(Address))) +
             " by " + name(*Sched.Current) + " is not aligned to its size");
}

void Machine::copyAsync(void *Dst, const void *Src, unsigned Bytes,
                        unsigned Valid, void *ReturnAddress) {
  if (!running())
    return;
  std::uint32_t PC = Program->offsetOf(ReturnAddress);
  Thread &T = *Sched.Current;
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    return report(Hazard::BadCopy, PC, 0,
                  "asynchronous copy of " + std::to_string(Bytes) +
                      " bytes by " + name(T) + ": only 4, 8 and 16 exist");
  if (Valid > Bytes)
    return report(Hazard::BadCopy, PC, 0,
                  "asynchronous copy of " + std::to_string(Bytes) +
                      " bytes reads " + std::to_string(Valid));
  if (!Shared->contains(Dst))
    return report(Hazard::BadCopy, PC, 0,
                  "asynchronous copy by " + name(T) +
                      " to what is not shared memory");
  std::size_t Offset = Shared->offset(Dst);
  if (!Shared->arrayAt(Offset, Bytes))
    return report(Hazard::SharedBounds, PC, 0,
                  "asynchronous copy of " + std::to_string(Bytes) +
                      " bytes to " + Shared->describe(Offset) + " by " +
                      name(T));
  // Where nothing is read the address may be any: runtime.md says why.
  if (Valid &&
      (!Global.contains(Src) || !Global.covers(Global.offset(Src), Bytes)))
    return report(
        Global.contains(Src) ? Hazard::GlobalBounds : Hazard::BadCopy, PC, 0,
        "asynchronous copy of " + std::to_string(Valid) + " bytes by " +
            name(T) +
            " from an address that is no "
            "buffer's: " +
            (Global.contains(Src) ? Global.describe(Global.offset(Src))
                                  : "not global memory"));
  requireAligned(Dst, Bytes, ReturnAddress);
  if (Valid)
    requireAligned(Src, Bytes, ReturnAddress);
  auto Found = Copies->issue(T, Offset, static_cast<const char *>(Src), Bytes,
                             Valid, PC);
  if (Found.Dst.What != Conflict::None)
    reportShared(Found.Dst, Bytes, Access::Write, true, PC);
  if (Found.Src.What != Conflict::None)
    reportGlobal(Found.Src, Valid, Access::Read, true, PC);
}

void Machine::threadEnds(Thread &T) {
  storesEnd(T);
  if (!T.WgmmaSums.empty())
    report(Hazard::UndrainedCopy, T.WgmmaSums.front().PC, 0,
           name(T) + " ends and has not waited for this wgmma");
  if (T.Pending.empty())
    return;
  std::uint32_t PC = (*Copies)[T.Pending.back()].PC;
  for (auto It = T.Pending.rbegin();
       It != T.Pending.rend() && *It > T.ArrivesUpTo; ++It)
    PC = (*Copies)[*It].PC;
  unsigned Count = Copies->abandon(T);
  if (!Count)
    return;
  report(Hazard::UndrainedCopy, PC, 0,
         name(T) + " ends while " + std::to_string(Count) +
             " of its asynchronous copies are in flight; this is the first");
}

void Machine::diverged(bool Block, const Thread &Of, std::uint32_t OtherSite,
                       const std::string &Text) {
  report(Block ? Hazard::BarrierDivergence : Hazard::WarpDivergence, Of.Site,
         OtherSite,
         Text + (OtherSite ? ", at " + place(OtherSite) : std::string()));
}
