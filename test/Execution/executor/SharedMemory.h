// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow state of a module's shared memory: for every byte who wrote and read
// it last, in which barrier interval, and whether an asynchronous copy to it is
// in flight. Decides what is a hazard; knows nothing of fibers and nothing of
// how copies complete.
#pragma once

#include "Cells.h"
#include "Shadow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

/// A shared array, as the module's symbol table names it.
struct SharedArray {
  std::string Name;
  std::size_t Offset; ///< bytes from the start of the module's shared section
  std::size_t Size;   ///< bytes
  bool Dynamic = false;
};

class SharedMemory {
public:
  explicit SharedMemory(Clock &Now) : Now(Now) {}

  /// Takes over [Begin, End), which the arrays divide.
  void attach(char *Begin, char *End, std::vector<SharedArray> Arrays);

  bool contains(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base) < Size;
  }
  std::size_t offset(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base);
  }
  char *address(std::size_t Offset) const { return Base + Offset; }
  bool holds(std::size_t Offset, std::size_t Bytes) const {
    return Offset + Bytes <= Size;
  }

  /// Forgets everything and poisons what the last block touched: 0xFF bytes
  /// are a NaN in every floating-point type. DynamicBytes is the size that the
  /// launch gave to `extern __shared__` arrays.
  void startBlock(std::size_t DynamicBytes);
  std::size_t dynamicBytes() const { return DynamicBytes; }

  struct Outcome {
    Conflict What = Conflict::None;
    std::size_t At = 0; ///< offset of the first byte in conflict
    Earlier Other;      ///< the earlier access or the copy's issue
  };
  /// Checks an access by T and remembers it.
  /// What an agent does in T's place is noted as the agent's.
  KPIPE_INLINE Outcome access(const Thread &T, std::size_t Offset,
                              unsigned Bytes, Access A, std::uint32_t PC,
                              Proxy From = Proxy::Threads,
                              const Thread *Agent = nullptr);

  /// The same for a read of words as most are: written before the block's last
  /// barrier, with nothing in flight. False if that is not so of all. Only
  /// without vector clocks.
  KPIPE_INLINE bool readSettled(const Thread &T, const Clock &Now,
                                std::size_t Offset, unsigned Bytes,
                                std::uint32_t PC) {
    return Shadows.forWords(Offset, Bytes, [&](Cell &C) KPIPE_INLINE {
      if (C.Copy || !C.Shadow.settled(Now))
        return false;
      C.Shadow.noteReadInInterval(T, Now, PC);
      return true;
    });
  }

  /// Has this block written the byte?
  bool isWritten(const void *P) const {
    return contains(P) && Shadows[offset(P)].Shadow.writtenInBlock(Now);
  }

  /// The destination of a copy becomes in flight. Copy is a number above zero.
  /// The check is that of a write.
  Outcome beginCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
                    unsigned Copy, std::uint32_t PC,
                    Proxy From = Proxy::Threads);
  /// The copy is complete for T: its bytes count as written by T, now.
  void endCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
               unsigned Copy, std::uint32_t PC);
  /// The copy is given up at the end of a block.
  void dropCopy(std::size_t Offset, unsigned Bytes, unsigned Copy);

  /// The bytes become an mbarrier, which only its own instructions may use.
  Outcome beginBarrier(const Thread &T, std::size_t Offset, std::uint32_t PC);
  void endBarrier(std::size_t Offset) { dropCopy(Offset, 8, OfBarrier); }

  /// The array that holds all of [Offset, Offset+Bytes), or null.
  const SharedArray *arrayAt(std::size_t Offset, unsigned Bytes) const {
    std::uint16_t A = Owner[Offset];
    if (!A || Offset + Bytes > Size || Owner[Offset + Bytes - 1] != A)
      return nullptr;
    const SharedArray &Found = Arrays[A - 1];
    if (A == DynamicOwner && Offset + Bytes - Found.Offset > DynamicBytes)
      return nullptr;
    return &Found;
  }
  /// "As+64", or "24 bytes past the end of As".
  std::string describe(std::size_t Offset) const;

private:
  struct Cell {
    ShadowByte Shadow;
    std::uint32_t Copy; // in flight to this byte, 0: none
  };
  static constexpr std::uint32_t OfBarrier = ~0u; // instead of a copy's number

  Clock &Now;
  char *Base = nullptr;
  std::size_t Size = 0, DynamicBytes = 0;
  Cells<Cell> Shadows;
  std::vector<std::uint16_t> Owner; // array index + 1 per byte, 0: red zone
  std::uint16_t DynamicOwner = 0;   // the number there of the dynamic array
  std::vector<SharedArray> Arrays;
  std::size_t TouchedBegin = ~std::size_t(0), TouchedEnd = 0;
};

// Here, so that each instrumented access has its own copy of the loop.
inline SharedMemory::Outcome SharedMemory::access(const Thread &T,
                                                  std::size_t Offset,
                                                  unsigned Bytes, Access A,
                                                  std::uint32_t PC, Proxy From,
                                                  const Thread *Agent) {
  Outcome Result;
  const Thread &Noted = Agent ? *Agent : T;
  Shadows.forEach(Offset, Bytes, [&](Cell &C, std::size_t At) KPIPE_INLINE {
    Earlier Other;
    Conflict What;
    if (C.Copy) {
      What = C.Copy == OfBarrier ? Conflict::OfBarrier : Conflict::InFlight;
      Other = C.Shadow.lastWrite();
    } else if (A != Access::Write && !C.Shadow.writtenInBlock(Now)) {
      What = Conflict::Uninitialised;
    } else {
      What = C.Shadow.check(T, A, Now, Other, From);
    }
    if (What != Conflict::None && Result.What == Conflict::None)
      Result = {What, At, Other};
    if (A == Access::Read)
      C.Shadow.noteRead(Noted, Now, PC);
    else if (!C.Copy) // a copy keeps its issuer until it is complete
      C.Shadow.noteWrite(Noted, A == Access::Atomic, Now, PC);
  });
  if (A != Access::Read) {
    TouchedBegin = std::min(TouchedBegin, Offset);
    TouchedEnd = std::max(TouchedEnd, Offset + Bytes);
  }
  return Result;
}

} // namespace kpipe::exec
