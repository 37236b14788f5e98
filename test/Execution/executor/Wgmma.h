// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma.mma_async of 16-bit elements with sums in f32: how a warp's part of it
// reads operands through descriptors of shared memory, and computes. Knows
// nothing of threads and of what is in flight. (PTX ISA, "Asynchronous
// warpgroup level matrix instructions".)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

/// Where the elements of an operand lie in shared memory.
struct WgmmaMatrix {
  std::size_t Start = 0, Leading = 0, Stride = 0; ///< bytes
  unsigned Swizzle = 0;                           ///< bytes: 0, 32, 64, 128
  bool Transposed = false; ///< its other dimension than K is contiguous

  /// Descriptors hold 18 bits of an address.
  static constexpr std::size_t Reach = std::size_t(1) << 18;

  WgmmaMatrix() = default;
  WgmmaMatrix(std::uint64_t Descriptor, bool Transposed);
  /// Byte of element (Row, K), Row counting what is not K.
  std::size_t at(unsigned Row, unsigned K) const;
};

/// One instruction as one thread of it sees it.
struct Wgmma {
  unsigned N = 0;
  bool Brain = false; ///< bf16, else f16
  bool FromRegisters = false;
  bool Accumulates = true; ///< else sums begin at zero
  float ScaleA = 1, ScaleB = 1;
  WgmmaMatrix A, B;
  std::uint32_t Registers[4] = {}; ///< of A
  std::vector<float *> Sums;       ///< N / 2 of this thread
  unsigned Group = 0;

  /// Reads N of "m64n128k16" and the types; false if there is no stand-in.
  bool readShape(const std::vector<std::string> &Words);
};

/// Computes this thread's sums. Shared is byte 0 of descriptors' addresses;
/// A's registers come from the lanes of the warp.
void compute(const Wgmma &W, const char *Shared, unsigned Warp, unsigned Lane,
             const std::uint32_t (&WarpA)[32][4]);

} // namespace kpipe::exec
