// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of one byte of memory, shared or global: who wrote and read it
// last and in which barrier interval, and which accesses of other threads that
// makes a race. Programs with barriers of other kinds are judged by vector
// clocks instead, with a set of all reads since the last write. Knows no
// addresses and no copies.
#pragma once

#include "Cells.h"
#include "Clocks.h"
#include "ReadSets.h"
#include "Thread.h"

#include <cstdint>

namespace kpipe::exec {

enum class Access : std::uint8_t { Read, Write, Atomic };

/// What an access ran into; None means it is sound.
enum class Conflict : std::uint8_t {
  None,
  Uninitialised,
  InFlight,
  WriteThenAccess, ///< an unordered write came first
  ReadThenWrite,   ///< an unordered read came first
  Unfenced,        ///< ordered, but with no proxy fence in between
  OfBarrier        ///< the bytes are an mbarrier
};

/// Where accesses come from: what the async proxy does is ordered behind what
/// threads did by a proxy fence only.
enum class Proxy : std::uint8_t { Threads, AsyncShared, AsyncGlobal };

/// Barrier intervals, counted over all blocks and launches of a run.
struct Clock {
  std::uint32_t Interval = 1;
  std::uint32_t BlockStart = 1; ///< older stamps are of other blocks
  /// Null where the block's barrier and warps order everything.
  Clocks *Vectors = nullptr;
  ReadSets *Sets = nullptr;
};

/// What went before, where an access is in conflict.
struct Earlier {
  std::uint32_t PC = 0;
  unsigned Thread = ~0u; ///< ~0u: several
};

class ShadowByte {
  static constexpr std::uint16_t ManyReaders = 0xFFFF, OneWarp = 0x8000;

  // A plain aggregate: zero pages are valid shadows of untouched memory.
  std::uint32_t WriteInterval, ReadInterval;
  std::uint32_t WritePC, ReadPC;
  std::uint16_t Writer, Reader;
  std::uint16_t WriteTick, ReadTick;
  bool AtomicWrite;

  // With vector clocks: the set of reads since the last write.
  std::uint32_t &readers() { return ReadPC; }
  std::uint32_t readers() const { return ReadPC; }
  Conflict checkVectors(const Thread &T, Access A, const Clock &Now,
                        Earlier &Found, Proxy From) const;

  unsigned readerWarp() const {
    return Reader & OneWarp ? Reader & ~OneWarp : Reader / 32u;
  }

public:
  bool writtenInBlock(const Clock &Now) const {
    return WriteInterval >= Now.BlockStart;
  }
  /// What the block wrote before its last barrier may be read by all.
  bool settled(const Clock &Now) const {
    return writtenInBlock(Now) && WriteInterval != Now.Interval;
  }
  Earlier lastWrite() const { return {WritePC, Writer}; }

  /// Whether T's access at this moment is unordered with what is remembered.
  /// Threads of one warp are also ordered by a warp-wide operation; all others
  /// only by the block's barrier.
  KPIPE_INLINE Conflict check(const Thread &T, Access A, const Clock &Now,
                              Earlier &Found,
                              Proxy From = Proxy::Threads) const {
    if (__builtin_expect(Now.Vectors != nullptr, 0))
      return checkVectors(T, A, Now, Found, From);
    if (WriteInterval == Now.Interval && Writer != T.Id &&
        !(A == Access::Atomic && AtomicWrite) &&
        (Writer / 32u != T.warp() || WriteTick == std::uint16_t(T.Tick))) {
      Found = lastWrite();
      return Conflict::WriteThenAccess;
    }
    if (A != Access::Read && ReadInterval == Now.Interval && Reader != T.Id &&
        (Reader == ManyReaders || readerWarp() != T.warp() ||
         ReadTick == std::uint16_t(T.Tick))) {
      Found = {ReadPC, Reader & OneWarp ? ~0u : Reader};
      return Conflict::ReadThenWrite;
    }
    return Conflict::None;
  }

  KPIPE_INLINE void noteRead(const Thread &T, const Clock &Now,
                             std::uint32_t PC) {
    if (__builtin_expect(Now.Vectors != nullptr, 0)) {
      readers() = Now.Sets->add(ReadInterval >= Now.BlockStart ? readers() : 0,
                                T.Id, T.Tick, PC);
      ReadInterval = Now.Interval;
      return;
    }
    noteReadInInterval(T, Now, PC);
  }
  KPIPE_INLINE void noteReadInInterval(const Thread &T, const Clock &Now,
                                       std::uint32_t PC) {
    if (ReadInterval != Now.Interval) {
      ReadInterval = Now.Interval;
      Reader = std::uint16_t(T.Id);
    } else if (Reader != T.Id && Reader != ManyReaders) {
      Reader = readerWarp() == T.warp() ? std::uint16_t(OneWarp | T.warp())
                                        : ManyReaders;
    }
    ReadTick = std::uint16_t(T.Tick);
    ReadPC = PC;
  }

  KPIPE_INLINE void noteWrite(const Thread &T, bool Atomic, const Clock &Now,
                              std::uint32_t PC) {
    WriteInterval = Now.Interval;
    Writer = std::uint16_t(T.Id);
    WriteTick = std::uint16_t(T.Tick);
    WritePC = PC;
    AtomicWrite = Atomic;
    if (Now.Vectors)
      ReadInterval = ReadPC = 0;
  }
};

} // namespace kpipe::exec
