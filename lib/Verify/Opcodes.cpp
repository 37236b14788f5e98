// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of opcodes. The shapes are those of the PTX instructions that ptxas
// makes them from (PTX ISA, "Matrix multiply-accumulate").
#include "Opcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace kpipe {

using sass::Instruction;

bool isSharedLoad(const Instruction &I) {
  return llvm::is_contained({"LDS", "LDSM", "LDSMT"}, I.mnemonic());
}

bool isBarrier(const Instruction &I) {
  return I.mnemonic() == "BAR" &&
         (I.hasModifier("SYNC") || I.hasModifier("RED"));
}

ComputeKind computeKind(const Instruction &I) {
  llvm::StringRef Name = I.mnemonic();
  // HMMA, IMMA, DMMA, BMMA, QMMA, OMMA; HGMMA, IGMMA, QGMMA; UTCHMMA, …
  if (Name.ends_with("MMA"))
    return ComputeKind::Matrix;
  // `IMAD.MOV`, `IMAD.SHL` and `IMAD.IADD` are moves and sums.
  if (Name == "IMAD" && (I.hasModifier("MOV") || I.hasModifier("SHL")))
    return ComputeKind::None;
  return llvm::StringSwitch<ComputeKind>(Name)
      .Cases({"FFMA", "FFMA2", "FFMA32I", "DFMA", "HFMA2", "IDP"},
             ComputeKind::MultiplyAdd)
      .Cases({"FADD", "FADD2", "FADD32I", "FMUL", "FMUL2", "FMUL32I", "FMNMX",
              "FMNMX3", "DADD", "DMUL", "HADD2", "HMUL2", "HMNMX2", "MUFU"},
             ComputeKind::Float)
      .Cases({"IMAD", "IADD3", "IADD", "VIADD", "IMNMX", "VIMNMX", "VIMNMX3",
              "LOP3", "POPC", "IABS", "VABSDIFF", "VABSDIFF4"},
             ComputeKind::Integer)
      .Default(ComputeKind::None);
}

/// 16 * 8 * 16 from "16816": the digits of m, n and k run together.
static unsigned shapeProduct(llvm::StringRef Shape) {
  return llvm::StringSwitch<unsigned>(Shape)
      .Case("884", 8 * 8 * 4)
      .Case("8816", 8 * 8 * 16)
      .Case("8832", 8 * 8 * 32)
      .Case("88128", 8 * 8 * 128)
      .Case("1684", 16 * 8 * 4)
      .Case("1688", 16 * 8 * 8)
      .Case("16816", 16 * 8 * 16)
      .Case("16832", 16 * 8 * 32)
      .Case("16864", 16 * 8 * 64)
      .Case("168128", 16 * 8 * 128)
      .Case("168256", 16 * 8 * 256)
      .Default(0);
}

static unsigned matrixOperations(const Instruction &I) {
  for (llvm::StringRef Modifier : llvm::split(I.Opcode, '.')) {
    if (unsigned Product = shapeProduct(Modifier))
      return 2 * Product / 32; // of a warp
    // `HGMMA.64x128x16.F32` works for the four warps of a group.
    llvm::SmallVector<llvm::StringRef, 3> Extents;
    Modifier.split(Extents, 'x');
    unsigned M, N, K;
    if (Extents.size() == 3 && !Extents[0].getAsInteger(10, M) &&
        !Extents[1].getAsInteger(10, N) && !Extents[2].getAsInteger(10, K))
      return 2 * M * N * K / (I.mnemonic().contains("GMMA") ? 128 : 32);
  }
  return 0;
}

unsigned operations(const Instruction &I) {
  switch (computeKind(I)) {
  case ComputeKind::Matrix:
    return matrixOperations(I);
  case ComputeKind::MultiplyAdd:
    if (I.mnemonic() == "IDP")
      return I.hasModifier("2A") ? 4 : 8;
    return I.mnemonic().ends_with("2") ? 4 : 2;
  case ComputeKind::Float:
    return I.mnemonic().ends_with("2") ? 2 : 1;
  case ComputeKind::Integer:
    return I.mnemonic() == "IMAD" && !I.hasModifier("IADD") ? 2 : 1;
  case ComputeKind::None:
    return 0;
  }
  return 0;
}

} // namespace kpipe
