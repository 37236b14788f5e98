// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tensor map says, as the executor reads it: the tensor's place in
// global memory, its box, how boxes lie in shared memory. Knows no CUDA names.
#pragma once

#include <cstdint>

struct KxTensorMap {
  static constexpr std::uint32_t Known = 0x4B785431;
  std::uint32_t Mark; // Known, if it was encoded
  std::uint16_t Rank, ElementBytes;
  std::uint16_t SwizzleBytes; // 0, 32, 64, 128: the width of a pattern
  std::uint16_t Reserved;
  void *Base;
  std::uint64_t Pitch[4]; // bytes, of all dimensions but the first
  std::uint32_t Size[5];  // elements
  std::uint16_t Box[5];   // elements
};
static_assert(sizeof(KxTensorMap) <= 128, "it fits into a CUtensorMap");
