// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arena and its flags. See GlobalMemory.h.
#include "GlobalMemory.h"

#include <algorithm>
#include <cstring>

using namespace kpipe::exec;

GlobalMemory::GlobalMemory(Clock &Now)
    : Now(Now), Base(zeroPages<char>(Capacity)),
      Flags(zeroPages<std::uint8_t>(Capacity)),
      Pins(zeroPages<std::uint16_t>(Capacity)) {
  Shadows.allocate(Capacity);
}

void *GlobalMemory::allocate(const char *Name, std::size_t Bytes) {
  std::size_t Offset = Used + RedZone;
  std::size_t End = (Offset + Bytes + 255) / 256 * 256;
  if (End + RedZone > Capacity)
    return nullptr;
  Used = End;
  Buffers.push_back({Name, Offset, Bytes});
  std::memset(Flags + Offset, Valid, Bytes);
  std::memset(Base + Offset, 0xFF, Bytes);
  return Base + Offset;
}

Buffer GlobalMemory::release(void *P, std::vector<unsigned char> &BytesRead) {
  std::size_t Offset = offset(P);
  auto It = std::find_if(Buffers.begin(), Buffers.end(),
                         [&](const Buffer &B) { return B.Offset == Offset; });
  if (It == Buffers.end())
    return {};
  Buffer Result = *It;
  BytesRead.resize(Result.Size);
  for (std::size_t I = 0; I < Result.Size; ++I)
    BytesRead[I] = (Flags[Offset + I] & WasRead) != 0;
  std::memset(Flags + Offset, 0, Result.Size);
  Buffers.erase(It);
  if (Buffers.empty())
    Used = 0;
  return Result;
}

void GlobalMemory::releaseAll() {
  for (const Buffer &B : Buffers)
    std::memset(Flags + B.Offset, 0, B.Size);
  Buffers.clear();
  Used = 0;
}

GlobalMemory::Outcome GlobalMemory::pin(const Thread &T, std::size_t Offset,
                                        std::size_t Bytes, std::uint32_t PC,
                                        Proxy From, const Thread *Agent) {
  for (std::size_t I = 0; I < Bytes; ++I)
    ++Pins[Offset + I];
  return access(T, Offset, Bytes, Access::Read, PC, From, Agent);
}

// A copy may read until its end: another thread's write in that same interval
// is as unordered with it as one in the interval of its issue.
void GlobalMemory::unpin(const Thread *T, std::size_t Offset, std::size_t Bytes,
                         std::uint32_t PC) {
  for (std::size_t I = 0; I < Bytes; ++I)
    --Pins[Offset + I];
  if (T)
    Shadows.forEach(Offset, Bytes, [&](ShadowByte &S, std::size_t) {
      S.noteRead(*T, Now, PC);
    });
}

std::string GlobalMemory::describe(std::size_t Offset) const {
  const Buffer *Before = nullptr, *After = nullptr;
  for (const Buffer &B : Buffers) {
    if (B.Offset <= Offset)
      Before = &B;
    else if (!After)
      After = &B;
  }
  if (Before && Offset < Before->Offset + Before->Size)
    return Before->Name + "+" + std::to_string(Offset - Before->Offset);
  std::size_t Past = Before ? Offset - Before->Offset - Before->Size : 0;
  if (After && (!Before || After->Offset - Offset < Past))
    return std::to_string(After->Offset - Offset) +
           " bytes before the start of " + After->Name;
  if (!Before)
    return "global memory outside every buffer";
  return std::to_string(Past) + " bytes past the end of " + Before->Name +
         " (" + std::to_string(Before->Size) + " bytes)";
}
