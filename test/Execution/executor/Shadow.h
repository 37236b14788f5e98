// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of one byte of memory, shared or global: who wrote and read it last
// and in which barrier interval, and which accesses of other threads that makes
// a race. Knows no addresses and no copies.
#pragma once

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
  ReadThenWrite    ///< an unordered read came first
};

/// Barrier intervals, counted over all blocks and launches of a run.
struct Clock {
  std::uint32_t Interval = 1;
  std::uint32_t BlockStart = 1; ///< older stamps are of other blocks
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
  std::uint16_t WriteWarpEpoch, ReadWarpEpoch;
  bool AtomicWrite;

  unsigned readerWarp() const {
    return Reader & OneWarp ? Reader & ~OneWarp : Reader / 32u;
  }

public:
  bool writtenInBlock(const Clock &Now) const {
    return WriteInterval >= Now.BlockStart;
  }
  Earlier lastWrite() const { return {WritePC, Writer}; }

  /// Whether T's access at this moment is unordered with what is remembered.
  /// Threads of one warp are also ordered by a warp-wide operation; all others
  /// only by the block's barrier.
  Conflict check(const Thread &T, Access A, const Clock &Now,
                 Earlier &Found) const {
    if (WriteInterval == Now.Interval && Writer != T.Id &&
        !(A == Access::Atomic && AtomicWrite) &&
        (Writer / 32u != T.warp() ||
         WriteWarpEpoch == std::uint16_t(T.WarpEpoch))) {
      Found = lastWrite();
      return Conflict::WriteThenAccess;
    }
    if (A != Access::Read && ReadInterval == Now.Interval && Reader != T.Id &&
        (Reader == ManyReaders || readerWarp() != T.warp() ||
         ReadWarpEpoch == std::uint16_t(T.WarpEpoch))) {
      Found = {ReadPC, Reader & OneWarp ? ~0u : Reader};
      return Conflict::ReadThenWrite;
    }
    return Conflict::None;
  }

  void noteRead(const Thread &T, const Clock &Now, std::uint32_t PC) {
    if (ReadInterval != Now.Interval) {
      ReadInterval = Now.Interval;
      Reader = std::uint16_t(T.Id);
    } else if (Reader != T.Id && Reader != ManyReaders) {
      Reader = readerWarp() == T.warp()
                   ? std::uint16_t(OneWarp | T.warp())
                   : ManyReaders;
    }
    ReadWarpEpoch = std::uint16_t(T.WarpEpoch);
    ReadPC = PC;
  }

  void noteWrite(const Thread &T, bool Atomic, const Clock &Now,
                 std::uint32_t PC) {
    WriteInterval = Now.Interval;
    Writer = std::uint16_t(T.Id);
    WriteWarpEpoch = std::uint16_t(T.WarpEpoch);
    WritePC = PC;
    AtomicWrite = Atomic;
  }
};

} // namespace kpipe::exec
