// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix and mma.sync: fragments as PTX lays them out over the lanes (PTX ISA,
// "Matrix Fragments for mma.m16n8kN"). Knows nothing of the machine.
#include "Ptx.h"

#include <cmath>
#include <cstring>

using namespace kpipe::exec;

void kpipe::exec::combineLdmatrix(void **Slots, unsigned Mask) {
  auto At = [&](unsigned L) { return static_cast<WarpInstruction *>(Slots[L]); };
  for (unsigned L = 0; L < 32; ++L) {
    if (!(Mask >> L & 1))
      continue;
    for (unsigned M = 0; M < At(L)->Matrices; ++M) {
      std::uint16_t Pair[2] = {};
      for (unsigned I = 0; I < 2; ++I) {
        unsigned Row = L / 4, Column = L % 4 * 2 + I;
        if (At(L)->Transposed)
          std::swap(Row, Column);
        const WarpInstruction *Owner =
            Mask >> (M * 8 + Row) & 1 ? At(M * 8 + Row) : nullptr;
        if (Owner && Owner->Rows[0])
          std::memcpy(&Pair[I], Owner->Rows[0] + Column * 2, 2);
      }
      At(L)->Out[M] = Pair[0] | std::uint32_t(Pair[1]) << 16;
    }
  }
}

namespace {
enum class Element { F16, BF16, TF32, S8, U8, S32, F32 };

unsigned bitsOf(Element E) {
  return E == Element::F16 || E == Element::BF16 ? 16
         : E == Element::S8 || E == Element::U8  ? 8
                                                 : 32;
}

bool elementOf(const std::string &Word, Element &E) {
  static const std::pair<const char *, Element> Names[] = {
      {"f16", Element::F16},   {"bf16", Element::BF16}, {"tf32", Element::TF32},
      {"s8", Element::S8},     {"u8", Element::U8},     {"s32", Element::S32},
      {"f32", Element::F32}};
  for (const auto &[Name, Value] : Names)
    if (Word == Name) {
      E = Value;
      return true;
    }
  return false;
}

struct Shape {
  unsigned M, N, K;
  Element D, A, B, C;
};

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
bool shapeOf(const PtxInstruction &I, Shape &S) {
  if (I.Words.size() < 10 || I.Words[4] != "row" || I.Words[5] != "col" ||
      !readShape(I.Words[3], S.M, S.N, S.K) || S.M != 16 || S.N != 8)
    return false;
  std::size_t First = I.Words[6] == "satfinite" ? 7 : 6;
  if (I.Words.size() != First + 4 || First == 7)
    return false;
  return elementOf(I.Words[First], S.D) && elementOf(I.Words[First + 1], S.A) &&
         elementOf(I.Words[First + 2], S.B) &&
         elementOf(I.Words[First + 3], S.C) && S.D == S.C &&
         bitsOf(S.A) == bitsOf(S.B);
}

float halfToFloat(std::uint16_t H) {
  int Exponent = H >> 10 & 31, Mantissa = H & 1023;
  float V = Exponent == 0 ? std::ldexp(float(Mantissa), -24)
            : Exponent == 31
                ? (Mantissa ? NAN : INFINITY)
                : std::ldexp(float(Mantissa + 1024), Exponent - 25);
  return H & 0x8000 ? -V : V;
}

std::uint16_t floatToHalf(float F) {
  std::uint16_t Sign = std::signbit(F) ? 0x8000 : 0;
  double A = std::fabs(double(F));
  if (std::isnan(F))
    return 0x7FFF;
  if (A >= 65520.0)
    return Sign | 0x7C00;
  int Exponent = A > 0 ? std::ilogb(A) : -15;
  int Unit = Exponent < -14 ? -24 : Exponent - 10;
  auto Mantissa = unsigned(std::nearbyint(std::ldexp(A, -Unit)));
  // Adding lets a carry go into the exponent.
  return std::uint16_t(
      Sign | (Exponent < -14 ? Mantissa
                             : unsigned(Exponent + 14) * 1024 + Mantissa));
}

double decode(Element E, std::uint32_t Bits) {
  float F;
  switch (E) {
  case Element::F16:
    return halfToFloat(std::uint16_t(Bits));
  case Element::BF16:
    Bits <<= 16;
    [[fallthrough]];
  case Element::TF32:
  case Element::F32:
    std::memcpy(&F, &Bits, 4);
    return F;
  case Element::S8:
    return static_cast<signed char>(Bits);
  case Element::U8:
    return static_cast<unsigned char>(Bits);
  case Element::S32:
    return static_cast<std::int32_t>(Bits);
  }
  return 0;
}

// Register R of an operand, part P of it, for lane L -> row and column. A has
// rows of M, columns of K; B rows of K, columns of N; both step through K in
// half rows of what one register holds times four lanes.
struct Place {
  unsigned Row, Column;
};
Place placeA(unsigned L, unsigned R, unsigned P, unsigned PerReg) {
  return {L / 4 + (R & 1) * 8, L % 4 * PerReg + P + (R >> 1) * 4 * PerReg};
}
Place placeB(unsigned L, unsigned R, unsigned P, unsigned PerReg) {
  return {L % 4 * PerReg + P + R * 4 * PerReg, L / 4};
}
// C: two neighbours in a row, then the same eight rows below.
Place placeC(unsigned L, unsigned E) {
  return {L / 4 + (E >> 1) * 8, L % 4 * 2 + (E & 1)};
}
} // namespace

bool kpipe::exec::mmaRegisters(const PtxInstruction &I, unsigned &A,
                               unsigned &B, unsigned &C) {
  Shape S;
  if (!shapeOf(I, S))
    return false;
  A = S.M * S.K * bitsOf(S.A) / 32 / 32;
  B = S.N * S.K * bitsOf(S.B) / 32 / 32;
  C = S.C == Element::F16 ? 2 : 4;
  return A >= 2 && A <= 4 && B >= 1 && B <= 2;
}

void kpipe::exec::combineMma(void **Slots, unsigned Mask) {
  auto At = [&](unsigned L) { return static_cast<WarpInstruction *>(Slots[L]); };
  if (Mask != 0xFFFFFFFFu)
    return;
  Shape S;
  unsigned NA = 0, NB = 0, NC = 0;
  shapeOf(*At(0)->I, S);
  mmaRegisters(*At(0)->I, NA, NB, NC);
  static double A[16][64], B[64][8], C[16][8];
  unsigned Per = 32 / bitsOf(S.A), Bits = bitsOf(S.A);
  auto Part = [&](std::uint64_t Register, unsigned P) {
    return std::uint32_t(Register >> (P * Bits)) &
           (Bits == 32 ? ~0u : (1u << Bits) - 1);
  };
  for (unsigned L = 0; L < 32; ++L) {
    const std::uint64_t *In = At(L)->In;
    for (unsigned P = 0; P < Per; ++P) {
      for (unsigned R = 0; R < NA; ++R) {
        Place X = placeA(L, R, P, Per);
        A[X.Row][X.Column] = decode(S.A, Part(In[R], P));
      }
      for (unsigned R = 0; R < NB; ++R) {
        Place X = placeB(L, R, P, Per);
        B[X.Row][X.Column] = decode(S.B, Part(In[NA + R], P));
      }
    }
    for (unsigned E = 0; E < 4; ++E) {
      Place X = placeC(L, E);
      const std::uint64_t *From = In + NA + NB;
      C[X.Row][X.Column] =
          S.C == Element::F16
              ? decode(S.C, std::uint32_t(From[E / 2] >> (E % 2 * 16)) & 0xFFFF)
              : decode(S.C, std::uint32_t(From[E]));
    }
  }
  for (unsigned I = 0; I < 16; ++I)
    for (unsigned J = 0; J < 8; ++J)
      for (unsigned K = 0; K < S.K; ++K)
        C[I][J] += A[I][K] * B[K][J];
  for (unsigned L = 0; L < 32; ++L)
    for (unsigned E = 0; E < 4; ++E) {
      Place X = placeC(L, E);
      double V = C[X.Row][X.Column];
      std::uint64_t *Out = At(L)->Out;
      if (S.C == Element::F16) {
        if (E % 2 == 0)
          Out[E / 2] = 0;
        Out[E / 2] |= std::uint64_t(floatToHalf(float(V))) << (E % 2 * 16);
      } else if (S.C == Element::S32) {
        Out[E] = std::uint32_t(std::int64_t(V));
      } else {
        float F = float(V);
        std::uint32_t Word;
        std::memcpy(&Word, &F, 4);
        Out[E] = Word;
      }
    }
}
