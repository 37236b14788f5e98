// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's global memory: one arena in which every buffer stands between
// red zones. Knows for every byte whether it belongs to a buffer, whether a
// launch read it, and how many asynchronous copies are reading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

struct Buffer {
  std::string Name;
  std::size_t Offset, Size; ///< bytes
};

class GlobalMemory {
public:
  GlobalMemory();

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
  Buffer release(void *P, std::vector<bool> &BytesRead);
  /// Gives back whatever an aborted case left.
  void releaseAll();

  /// Whether all of the range lies in buffers; a read is remembered.
  bool read(std::size_t Offset, std::size_t Bytes);
  bool covers(std::size_t Offset, std::size_t Bytes) const;

  /// Sources of asynchronous copies.
  void pin(std::size_t Offset, std::size_t Bytes);
  void unpin(std::size_t Offset, std::size_t Bytes);
  bool pinned(std::size_t Offset, std::size_t Bytes) const;

  /// "B+64" or "24 bytes past the end of B (4096 bytes)".
  std::string describe(std::size_t Offset) const;

private:
  static constexpr std::size_t Capacity = std::size_t(256) << 20;
  static constexpr std::size_t RedZone = std::size_t(64) << 10;
  enum : std::uint8_t { Valid = 1, WasRead = 2 };

  char *Base;
  std::uint8_t *Flags;  // per byte
  std::uint16_t *Pins;  // per byte
  std::size_t Used = 0; // the arena is a stack: a case frees all it took
  std::size_t PinnedBytes = 0;
  std::vector<Buffer> Buffers;
};

} // namespace kpipe::exec
