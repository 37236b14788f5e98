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
}

SharedMemory::Outcome SharedMemory::access(const Thread &T, std::size_t Offset,
                                           unsigned Bytes, Access A,
                                           std::uint32_t PC) {
  Outcome Result;
  for (std::size_t At = Offset; At < Offset + Bytes; ++At) {
    Cell &C = Cells[At];
    Earlier Other;
    Conflict What;
    if (C.Copy) {
      What = Conflict::InFlight;
      Other = C.Shadow.lastWrite();
    } else if (A != Access::Write && !C.Shadow.writtenInBlock(Now)) {
      What = Conflict::Uninitialised;
    } else {
      What = C.Shadow.check(T, A, Now, Other);
    }
    if (What != Conflict::None && Result.What == Conflict::None)
      Result = {What, At, Other};
    if (A == Access::Read)
      C.Shadow.noteRead(T, Now, PC);
    else if (!C.Copy) // a copy keeps its issuer until it is complete
      C.Shadow.noteWrite(T, A == Access::Atomic, Now, PC);
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
    Cells[At].Shadow.noteWrite(T, false, Now, PC);
    Cells[At].Copy = Copy;
  }
  return Result;
}

void SharedMemory::endCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
                           unsigned Copy, std::uint32_t PC) {
  for (std::size_t At = Offset; At < Offset + Bytes; ++At)
    if (Cells[At].Copy == Copy) { // else a later copy collided with this one
      Cells[At].Copy = 0;
      Cells[At].Shadow.noteWrite(T, false, Now, PC);
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
