// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow state's rules. See SharedMemory.h.
#include "SharedMemory.h"

#include <algorithm>
#include <cstring>

using namespace kpipe::exec;

void SharedMemory::attach(char *Begin, char *End,
                          std::vector<SharedArray> TheArrays) {
  Base = Begin;
  Size = std::size_t(End - Begin);
  Arrays = std::move(TheArrays);
  Owner.assign(Size + 1, 0);
  for (std::size_t I = 0; I < Arrays.size(); ++I) {
    std::fill_n(Owner.begin() + Arrays[I].Offset, Arrays[I].Size,
                std::uint16_t(I + 1));
    if (Arrays[I].Dynamic) // at most one: all names of it are one symbol's
      DynamicOwner = std::uint16_t(I + 1);
  }
  Shadows.allocate(Size + 1);
  std::memset(Base, 0xFF, Size);
}

void SharedMemory::startBlock(std::size_t Bytes) {
  DynamicBytes = Bytes;
  if (TouchedBegin < TouchedEnd)
    std::memset(Base + TouchedBegin, 0xFF, TouchedEnd - TouchedBegin);
  TouchedBegin = ~std::size_t(0);
  TouchedEnd = 0;
}

SharedMemory::Outcome SharedMemory::beginCopy(const Thread &T,
                                              std::size_t Offset,
                                              unsigned Bytes, unsigned Copy,
                                              std::uint32_t PC, Proxy From) {
  Outcome Result = access(T, Offset, Bytes, Access::Write, PC, From);
  Shadows.forEach(Offset, Bytes, [&](Cell &C, std::size_t) {
    C.Shadow.noteWrite(T, false, Now, PC);
    C.Copy = Copy;
  });
  return Result;
}

SharedMemory::Outcome SharedMemory::beginBarrier(const Thread &T,
                                                 std::size_t Offset,
                                                 std::uint32_t PC) {
  return beginCopy(T, Offset, 8, OfBarrier, PC);
}

void SharedMemory::endCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
                           unsigned Copy, std::uint32_t PC) {
  Shadows.forEach(Offset, Bytes, [&](Cell &C, std::size_t) {
    if (C.Copy == Copy) { // else a later copy collided with this one
      C.Copy = 0;
      C.Shadow.noteWrite(T, false, Now, PC);
    }
  });
}

void SharedMemory::dropCopy(std::size_t Offset, unsigned Bytes, unsigned Copy) {
  Shadows.forEach(Offset, Bytes, [&](Cell &C, std::size_t) {
    if (C.Copy == Copy)
      C.Copy = 0;
  });
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
