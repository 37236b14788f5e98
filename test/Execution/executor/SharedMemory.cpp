// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow state's rules. See SharedMemory.h.
#include "SharedMemory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace kpipe::exec;

void SharedMemory::attach(char *Begin, char *End,
                          std::vector<SharedArray> TheArrays) {
  Base = Begin;
  Size = std::size_t(End - Begin);
  Arrays = std::move(TheArrays);
  Owner.assign(Size + 1, 0);
  for (std::size_t I = 0; I < Arrays.size(); ++I)
    std::fill_n(Owner.begin() + Arrays[I].Offset, Arrays[I].Size,
                std::uint16_t(I + 1));
  // Zero pages on demand: cells of kernels that do not run cost nothing.
  void *P = mmap(nullptr, (Size + 1) * sizeof(Cell), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  Cells = static_cast<Cell *>(P);
  std::memset(Base, 0xFF, Size);
}

void SharedMemory::startBlock(std::size_t Bytes) {
  DynamicBytes = Bytes;
  if (TouchedBegin < TouchedEnd)
    std::memset(Base + TouchedBegin, 0xFF, TouchedEnd - TouchedBegin);
  TouchedBegin = ~std::size_t(0);
  TouchedEnd = 0;
  BlockStart = ++Interval; // older stamps now mean "never written"
}

// Threads of one warp are ordered by a warp-wide operation between them; all
// others only by the block's barrier.
bool SharedMemory::writeConflicts(const Cell &C, const Thread &T,
                                  bool Atomic) const {
  if (C.WriteInterval != Interval || C.Writer == T.Id)
    return false;
  if (Atomic && C.AtomicWrite)
    return false;
  return C.Writer / 32u != T.warp() ||
         C.WriteWarpEpoch == std::uint16_t(T.WarpEpoch);
}

bool SharedMemory::readConflicts(const Cell &C, const Thread &T) const {
  if (C.ReadInterval != Interval || C.Reader == T.Id)
    return false;
  if (C.Reader == ManyReaders)
    return true;
  unsigned Warp = C.Reader & OneWarp ? C.Reader & ~OneWarp : C.Reader / 32u;
  return Warp != T.warp() || C.ReadWarpEpoch == std::uint16_t(T.WarpEpoch);
}

void SharedMemory::noteRead(Cell &C, const Thread &T, std::uint32_t PC) {
  if (C.ReadInterval != Interval) {
    C.ReadInterval = Interval;
    C.Reader = std::uint16_t(T.Id);
  } else if (C.Reader != T.Id && C.Reader != ManyReaders) {
    unsigned Warp = C.Reader & OneWarp ? C.Reader & ~OneWarp : C.Reader / 32u;
    C.Reader = Warp == T.warp() ? std::uint16_t(OneWarp | Warp) : ManyReaders;
  }
  C.ReadWarpEpoch = std::uint16_t(T.WarpEpoch);
  C.ReadPC = PC;
}

void SharedMemory::noteWrite(Cell &C, const Thread &T, bool Atomic,
                             std::uint32_t PC) {
  C.WriteInterval = Interval;
  C.Writer = std::uint16_t(T.Id);
  C.WriteWarpEpoch = std::uint16_t(T.WarpEpoch);
  C.WritePC = PC;
  C.AtomicWrite = Atomic;
}

SharedMemory::Outcome SharedMemory::access(const Thread &T, std::size_t Offset,
                                           unsigned Bytes, Access A,
                                           std::uint32_t PC) {
  Outcome Result;
  for (std::size_t At = Offset; At < Offset + Bytes; ++At) {
    Cell &C = Cells[At];
    auto Found = [&](Conflict What, std::uint32_t Other, unsigned Thread,
                     Access Earlier) {
      if (Result.What == Conflict::None)
        Result = {What, At, Other, Thread, C.Copy, Earlier};
    };
    if (C.Copy)
      Found(Conflict::InFlight, C.WritePC, C.Writer, Access::Write);
    else if (A != Access::Write && C.WriteInterval < BlockStart)
      Found(Conflict::Uninitialised, 0, ~0u, Access::Read);
    else if (writeConflicts(C, T, A == Access::Atomic))
      Found(Conflict::WriteThenAccess, C.WritePC, C.Writer, Access::Write);
    else if (A != Access::Read && readConflicts(C, T))
      Found(Conflict::ReadThenWrite, C.ReadPC,
            C.Reader >= OneWarp ? ~0u : C.Reader, Access::Read);
    if (A == Access::Read)
      noteRead(C, T, PC);
    else if (!C.Copy) // a copy keeps its issuer until it is complete
      noteWrite(C, T, A == Access::Atomic, PC);
  }
  if (A != Access::Read) {
    TouchedBegin = std::min(TouchedBegin, Offset);
    TouchedEnd = std::max(TouchedEnd, Offset + Bytes);
  }
  return Result;
}

SharedMemory::Outcome SharedMemory::beginCopy(const Thread &T,
                                              std::size_t Offset,
                                              unsigned Bytes, unsigned Copy,
                                              std::uint32_t PC) {
  Outcome Result = access(T, Offset, Bytes, Access::Write, PC);
  for (std::size_t At = Offset; At < Offset + Bytes; ++At) {
    noteWrite(Cells[At], T, false, PC);
    Cells[At].Copy = Copy;
  }
  return Result;
}

void SharedMemory::endCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
                           unsigned Copy, std::uint32_t PC) {
  for (std::size_t At = Offset; At < Offset + Bytes; ++At)
    if (Cells[At].Copy == Copy) { // else a later copy collided with this one
      Cells[At].Copy = 0;
      noteWrite(Cells[At], T, false, PC);
    }
}

void SharedMemory::dropCopy(std::size_t Offset, unsigned Bytes,
                            unsigned Copy) {
  for (std::size_t At = Offset; At < Offset + Bytes; ++At)
    if (Cells[At].Copy == Copy)
      Cells[At].Copy = 0;
}

std::string SharedMemory::describe(std::size_t Offset) const {
  const SharedArray *Best = nullptr;
  for (const SharedArray &A : Arrays)
    if (A.Offset <= Offset && (!Best || A.Offset > Best->Offset))
      Best = &A;
  if (!Best)
    return "shared memory before the first array";
  std::size_t Past = Offset - Best->Offset;
  std::size_t Extent = Best->Dynamic ? DynamicBytes : Best->Size;
  if (Past < Extent)
    return Best->Name + "+" + std::to_string(Past);
  return std::to_string(Past - Extent) + " bytes past the end of " +
         Best->Name + " (" + std::to_string(Extent) + " bytes)";
}
