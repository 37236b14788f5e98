// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of wgmma's operands and its sums. See Wgmma.h.
#include "Wgmma.h"
#include "Ptx.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace kpipe::exec;

WgmmaMatrix::WgmmaMatrix(std::uint64_t Descriptor, bool IsTransposed)
    : Start((Descriptor & 0x3FFF) << 4),
      Leading((Descriptor >> 16 & 0x3FFF) << 4),
      Stride((Descriptor >> 32 & 0x3FFF) << 4), Transposed(IsTransposed) {
  static const unsigned Widths[] = {0, 128, 64, 32};
  Swizzle = Widths[Descriptor >> 62];
}

// Cores of 8 rows of 16 bytes. With a swizzle their rows stand side by side in
// rows of its width, whose chunks of 16 bytes are exchanged.
std::size_t WgmmaMatrix::at(unsigned Row, unsigned K) const {
  unsigned Along = Transposed ? Row : K, Across = Transposed ? K : Row;
  if (!Swizzle)
    return Start + Across % 8 * 16 + Along % 8 * 2 + Row / 8 * Stride +
           K / 8 * Leading;
  std::size_t At = Start + Across % 8 * Swizzle + Across / 8 * Stride;
  unsigned Width = Swizzle / 2;
  At += Transposed ? Along % Width * 2 + Along / Width * Leading : Along * 2;
  return At ^ (At >> 7 & (Swizzle / 16 - 1)) << 4;
}

bool Wgmma::readShape(const std::vector<std::string> &Words) {
  unsigned M = 0, K = 0;
  if (Words.size() != 8 || Words[1] != "mma_async" || Words[5] != "f32" ||
      !exec::readShape(Words[4], M, N, K) || M != 64 || K != 16 || N == 0 ||
      N % 8 || N > 256 || Words[6] != Words[7] ||
      (Words[6] != "bf16" && Words[6] != "f16"))
    return false;
  Brain = Words[6] == "bf16";
  return true;
}

namespace {
/// All halves as floats: sums need many.
struct Halves {
  float Values[0x10000];
  Halves() {
    for (unsigned H = 0; H < 0x10000; ++H) {
      int Exponent = H >> 10 & 31, Mantissa = H & 1023;
      float V = Exponent == 0 ? std::ldexp(float(Mantissa), -24)
                : Exponent == 31
                    ? (Mantissa ? NAN : INFINITY)
                    : std::ldexp(float(Mantissa + 1024), Exponent - 25);
      Values[H] = H & 0x8000 ? -V : V;
    }
  }
};

float number(bool Brain, std::uint16_t Bits) {
  static const Halves All;
  if (!Brain)
    return All.Values[Bits];
  std::uint32_t Word = std::uint32_t(Bits) << 16;
  float F;
  std::memcpy(&F, &Word, 4);
  return F;
}

float load(const Wgmma &W, const char *Shared, const WgmmaMatrix &M,
           unsigned Row, unsigned K) {
  std::uint16_t Bits;
  std::memcpy(&Bits, Shared + M.at(Row, K), 2);
  return number(W.Brain, Bits);
}
} // namespace

void kpipe::exec::compute(const Wgmma &W, const char *Shared, unsigned Warp,
                          unsigned Lane, const std::uint32_t (&WarpA)[32][4]) {
  // A thread's sums are of two rows and two neighbours of every eight columns.
  float A[2][16];
  for (unsigned R = 0; R < 2; ++R)
    for (unsigned K = 0; K < 16; ++K) {
      if (!W.FromRegisters) {
        A[R][K] = load(W, Shared, W.A, Warp * 16 + Lane / 4 + R * 8, K);
        continue;
      }
      // As mma.m16n8k16 has it: lane K % 8 / 2 of the row's four.
      std::uint32_t Pair = WarpA[Lane / 4 * 4 + K % 8 / 2][R + K / 8 * 2];
      A[R][K] = number(W.Brain, std::uint16_t(Pair >> (K % 2 * 16)));
    }
  for (unsigned C = 0; C < W.N / 4; ++C) {
    unsigned Column = C / 2 * 8 + Lane % 4 * 2 + C % 2;
    double Sum[2] = {};
    for (unsigned K = 0; K < 16; ++K) {
      float B = load(W, Shared, W.B, Column, K);
      Sum[0] += double(A[0][K]) * B;
      Sum[1] += double(A[1][K]) * B;
    }
    for (unsigned R = 0; R < 2; ++R) {
      float *To = W.Sums[C / 2 * 4 + R * 2 + C % 2];
      double Old = W.Accumulates ? *To : 0;
      *To = float(Old + Sum[R] * W.ScaleA * W.ScaleB);
    }
  }
}
