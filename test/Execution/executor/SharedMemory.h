// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow state of a module's shared memory: for every byte who wrote and read
// it last, in which barrier interval, and whether an asynchronous copy to it is
// in flight. Decides what is a hazard; knows nothing of fibers and nothing of
// how copies complete.
#pragma once

#include "Thread.h"

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

enum class Access : std::uint8_t { Read, Write, Atomic };

/// What an access ran into; None means it is sound.
enum class Conflict : std::uint8_t {
  None,
  Uninitialised,
  InFlight,
  WriteThenAccess, ///< an unordered write came first
  ReadThenWrite    ///< an unordered read came first
};

class SharedMemory {
public:
  /// Takes over [Begin, End), which the arrays divide.
  void attach(char *Begin, char *End, std::vector<SharedArray> Arrays);

  bool contains(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base) < Size;
  }
  std::size_t offset(const void *P) const {
    return std::size_t(static_cast<const char *>(P) - Base);
  }
  char *address(std::size_t Offset) const { return Base + Offset; }

  /// Forgets everything and poisons what the last block touched: 0xFF bytes
  /// are a NaN in every floating-point type. DynamicBytes is the size that the
  /// launch gave to `extern __shared__` arrays.
  void startBlock(std::size_t DynamicBytes);
  /// Everything before is ordered before everything after.
  void nextInterval() { ++Interval; }

  struct Outcome {
    Conflict What = Conflict::None;
    std::size_t At = 0;        ///< offset of the first byte in conflict
    std::uint32_t OtherPC = 0; ///< the earlier access or the copy's issue
    unsigned OtherThread = ~0u; ///< ~0u: several
    unsigned Copy = 0;         ///< with InFlight: the copy, as begun
    Access Earlier = Access::Read;
  };
  /// Checks an access by T and remembers it.
  Outcome access(const Thread &T, std::size_t Offset, unsigned Bytes, Access A,
                 std::uint32_t PC);

  /// The destination of a copy becomes in flight. Copy is a number above zero.
  /// The check is that of a write.
  Outcome beginCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
                    unsigned Copy, std::uint32_t PC);
  /// The copy is complete for T: its bytes count as written by T, now.
  void endCopy(const Thread &T, std::size_t Offset, unsigned Bytes,
               unsigned Copy, std::uint32_t PC);
  /// The copy is given up at the end of a block.
  void dropCopy(std::size_t Offset, unsigned Bytes, unsigned Copy);

  /// The array that holds all of [Offset, Offset+Bytes), or null.
  const SharedArray *arrayAt(std::size_t Offset, unsigned Bytes) const {
    std::uint16_t A = Owner[Offset];
    if (!A || Offset + Bytes > Size || Owner[Offset + Bytes - 1] != A)
      return nullptr;
    const SharedArray &Found = Arrays[A - 1];
    if (Found.Dynamic && Offset + Bytes - Found.Offset > DynamicBytes)
      return nullptr;
    return &Found;
  }
  /// "As+64", or "24 bytes past the end of As".
  std::string describe(std::size_t Offset) const;

private:
  static constexpr std::uint16_t ManyReaders = 0xFFFF, OneWarp = 0x8000;
  struct Cell {
    std::uint32_t WriteInterval, ReadInterval;
    std::uint32_t WritePC, ReadPC;
    std::uint32_t Copy;
    std::uint16_t Writer, Reader;
    std::uint16_t WriteWarpEpoch, ReadWarpEpoch;
    std::uint8_t AtomicWrite;
  };

  bool writeConflicts(const Cell &C, const Thread &T, bool Atomic) const;
  bool readConflicts(const Cell &C, const Thread &T) const;
  void noteRead(Cell &C, const Thread &T, std::uint32_t PC);
  void noteWrite(Cell &C, const Thread &T, bool Atomic, std::uint32_t PC);

  char *Base = nullptr;
  std::size_t Size = 0, DynamicBytes = 0;
  Cell *Cells = nullptr;
  std::vector<std::uint16_t> Owner; // array index + 1 per byte, 0: red zone
  std::vector<SharedArray> Arrays;
  std::uint32_t Interval = 1, BlockStart = 1;
  std::size_t TouchedBegin = ~std::size_t(0), TouchedEnd = 0;
};

} // namespace kpipe::exec
