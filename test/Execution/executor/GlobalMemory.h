// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's global memory: one arena in which every buffer stands between
// red zones. Knows for every byte whether it belongs to a buffer, whether a
// launch read it, how many asynchronous copies are reading it, and which thread
// of the block touched it last. (Blocks are not ordered, nor compared.)
#pragma once

#include "Cells.h"
#include "Shadow.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kpipe::exec {

struct Buffer {
  std::string Name;
  std::size_t Offset, Size; ///< bytes
};

class GlobalMemory {
public:
  explicit GlobalMemory(Clock &Now);

  bool contains(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base) < Capacity;
  }
  std::size_t offset(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base);
  }

  /// A buffer of Bytes bytes (0 is allowed), aligned to 256 as cudaMalloc's.
  /// Null when the arena is full.
  void *allocate(const char *Name, std::size_t Bytes);
  /// Gives the buffer back and returns it, with which bytes were read.
  Buffer release(void *P, std::vector<unsigned char> &BytesRead);
  /// Gives back whatever an aborted case left.
  void releaseAll();

  /// Whether all of the range lies in buffers.
  bool covers(std::size_t Offset, std::size_t Bytes) const {
    if (Offset + Bytes > Capacity)
      return false;
    std::uint8_t All = Valid;
    for (std::size_t I = 0; I < Bytes; ++I)
      All &= Flags[Offset + I];
    return All & Valid;
  }

  struct Outcome {
    Conflict What = Conflict::None; ///< InFlight: a copy reads the bytes
    std::size_t At = 0;
    Earlier Other;
  };
  /// Checks an access by T within buffers and remembers it.
  /// What an agent does in T's place is noted as the agent's.
  KPIPE_INLINE Outcome access(const Thread &T, std::size_t Offset,
                              std::size_t Bytes, Access A, std::uint32_t PC,
                              Proxy From = Proxy::Threads,
                              const Thread *Agent = nullptr);

  /// The bytes are the source of a copy by T, until unpinned.
  Outcome pin(const Thread &T, std::size_t Offset, std::size_t Bytes,
              std::uint32_t PC, Proxy From = Proxy::Threads,
              const Thread *Agent = nullptr);
  /// The copy has ended; with T null it was given up.
  void unpin(const Thread *T, std::size_t Offset, std::size_t Bytes,
             std::uint32_t PC);

  /// "B+64" or "24 bytes past the end of B (4096 bytes)".
  std::string describe(std::size_t Offset) const;

private:
  static constexpr std::size_t Capacity = std::size_t(64) << 20;
  static constexpr std::size_t RedZone = std::size_t(64) << 10;
  enum : std::uint8_t { Valid = 1, WasRead = 2 };

  Clock &Now;
  char *Base;
  std::uint8_t *Flags; // per byte
  std::uint16_t *Pins; // per byte
  Cells<ShadowByte> Shadows;
  std::size_t Used = 0; // the arena is a stack: a case frees all it took
  std::vector<Buffer> Buffers;
};

// Here, so that each instrumented access has its own copy of the loop.
inline GlobalMemory::Outcome GlobalMemory::access(const Thread &T,
                                                  std::size_t Offset,
                                                  std::size_t Bytes, Access A,
                                                  std::uint32_t PC, Proxy From,
                                                  const Thread *Agent) {
  Outcome Result;
  const Thread &Noted = Agent ? *Agent : T;
  // A word of which a copy reads a part only is looked at byte by byte.
  auto Unpinned = [&](std::size_t At) {
    std::uint64_t Four;
    std::memcpy(&Four, Pins + At, sizeof Four);
    return !Four;
  };
  Shadows.forEach(
      Offset, Bytes,
      [&](ShadowByte &S, std::size_t At) KPIPE_INLINE {
        Earlier Other;
        Conflict What = S.check(T, A, Now, Other, From);
        if (Pins[At] && A != Access::Read)
          What = Conflict::InFlight;
        if (What != Conflict::None && Result.What == Conflict::None)
          Result = {What, At, Other};
        if (A == Access::Read)
          S.noteRead(Noted, Now, PC);
        else
          S.noteWrite(Noted, A == Access::Atomic, Now, PC);
      },
      [&](std::size_t At) { return A == Access::Read || Unpinned(At); });
  if (A != Access::Write)
    for (std::size_t At = Offset; At < Offset + Bytes; ++At)
      Flags[At] |= WasRead;
  return Result;
}

} // namespace kpipe::exec
