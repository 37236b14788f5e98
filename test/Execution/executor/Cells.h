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
  return static_cast<T *>(mmap(nullptr, Count * sizeof(T),
                               PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                               0));
}

/// Cell is a plain aggregate. (Padding that differs would cost time, no more.)
template <typename Cell> class Cells {
  static constexpr std::size_t Word = 4;

  Cell *All = nullptr;
  std::uint8_t *Split = nullptr; ///< per word: each byte has its own cell

public:
  void allocate(std::size_t Bytes) {
    All = zeroPages<Cell>(Bytes + Word);
    Split = zeroPages<std::uint8_t>(Bytes / Word + 1);
  }

  const Cell &operator[](std::size_t At) const {
    return All[Split[At / Word] ? At : At / Word * Word];
  }

  /// Calls Do(Cell, At) for the bytes of a range in their order, once for a
  /// word whose bytes are alike. Whole(At) says whether the caller can take the
  /// word at At as one.
  template <typename Fn, typename Pred>
  void forEach(std::size_t Offset, std::size_t Bytes, Fn Do, Pred Whole) {
    for (std::size_t At = Offset, End = Offset + Bytes; At < End;) {
      std::size_t First = At / Word * Word;
      std::uint8_t &Apart = Split[At / Word];
      bool All4 = At == First && End - At >= Word;
      if (All4 && !Apart && Whole(At)) {
        Do(All[At], At);
        At += Word;
        continue;
      }
      if (!Apart) {
        Apart = 1;
        for (std::size_t I = 1; I < Word; ++I)
          All[First + I] = All[First];
      }
      for (; At < End && At < First + Word; ++At)
        Do(All[At], At);
      if (All4)
        Apart = std::memcmp(&All[First], &All[First + 1],
                            (Word - 1) * sizeof(Cell)) != 0;
    }
  }
  template <typename Fn>
  void forEach(std::size_t Offset, std::size_t Bytes, Fn Do) {
    forEach(Offset, Bytes, Do, [](std::size_t) { return true; });
  }
};

} // namespace kpipe::exec
