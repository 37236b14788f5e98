// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cell of shadow state for each byte of a memory. Most accesses are of
// aligned words whose bytes have the same history: such a word is one cell, its
// first, until a part of it is accessed alone. Zero pages on demand: cells of
// memory that nothing touches cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

// What is called for every cell stays a part of its caller's loop.
#define KPIPE_INLINE __attribute__((always_inline))

namespace kpipe::exec {

/// Count zeros that become memory when they are written.
template <typename T> T *zeroPages(std::size_t Count) {
  return static_cast<T *>(
      mmap(nullptr, Count * sizeof(T), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

/// Cell is a plain aggregate. (Padding that differs would cost time, no more.)
template <typename Cell> class Cells {
  static constexpr std::size_t Word = 4;

  Cell *Firsts = nullptr; ///< per word: side by side, as most words are whole
  Cell *Rests = nullptr;  ///< per word: those of its other bytes
  std::uint8_t *Split = nullptr; ///< per word: each byte has its own cell

  Cell &cell(std::size_t At) const {
    std::size_t I = At % Word;
    return I ? Rests[At / Word * (Word - 1) + I - 1] : Firsts[At / Word];
  }
  bool isWhole(std::size_t At) const {
    const Cell *Rest = &Rests[At / Word * (Word - 1)];
    return std::memcmp(&Firsts[At / Word], Rest, sizeof(Cell)) == 0 &&
           std::memcmp(Rest, Rest + 1, (Word - 2) * sizeof(Cell)) == 0;
  }

public:
  void allocate(std::size_t Bytes) {
    Firsts = zeroPages<Cell>(Bytes / Word + 1);
    Rests = zeroPages<Cell>((Bytes / Word + 1) * (Word - 1));
    Split = zeroPages<std::uint8_t>(Bytes / Word + 1);
  }

  const Cell &operator[](std::size_t At) const {
    return Split[At / Word] ? cell(At) : Firsts[At / Word];
  }

  /// Calls Do(Cell) for the words of a range while they are one cell each and
  /// Do says true; returns whether that was all of the range.
  template <typename Fn>
  KPIPE_INLINE bool forWords(std::size_t Offset, std::size_t Bytes, Fn Do) {
    if (Offset % Word || Bytes % Word)
      return false;
    for (std::size_t I = 0; I < Bytes / Word; ++I)
      if (Split[Offset / Word + I] || !Do(Firsts[Offset / Word + I]))
        return false;
    return true;
  }

  /// Calls Do(Cell, At) for the bytes of a range in their order, once for a
  /// word whose bytes are alike. Whole(At) says whether the caller can take the
  /// word at At as one.
  template <typename Fn, typename Pred>
  KPIPE_INLINE void forEach(std::size_t Offset, std::size_t Bytes, Fn Do,
                            Pred Whole) {
    for (std::size_t At = Offset, End = Offset + Bytes; At < End;) {
      std::size_t First = At / Word * Word;
      std::uint8_t &Apart = Split[At / Word];
      bool All4 = At == First && End - At >= Word;
      if (All4 && !Apart && Whole(At)) {
        Do(Firsts[At / Word], At);
        At += Word;
        continue;
      }
      if (!Apart) {
        Apart = 1;
        for (std::size_t I = 1; I < Word; ++I)
          cell(First + I) = Firsts[At / Word];
      }
      for (; At < End && At < First + Word; ++At)
        Do(cell(At), At);
      if (All4)
        Apart = !isWhole(First);
    }
  }
  template <typename Fn>
  KPIPE_INLINE void forEach(std::size_t Offset, std::size_t Bytes, Fn Do) {
    forEach(Offset, Bytes, Do, [](std::size_t) { return true; });
  }
};

} // namespace kpipe::exec
