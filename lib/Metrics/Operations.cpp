// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operation counts, see Operations.h. Sources: CUDA Math API (intrinsics), PTX
// ISA (mma shapes m×n×k: 2·m·n·k operations a warp).

#include "Operations.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace kpipe {

static constexpr double WarpSize = 32;

/// "…m16n8k16…": operations of one thread, 0 if there is no shape in it.
static double byShape(llvm::StringRef Text) {
  static constexpr const char *Shape = "m([0-9]+)n([0-9]+)k([0-9]+)";
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  unsigned M = 0, N = 0, K = 0;
  if (!llvm::Regex(Shape).match(Text, &Parts) ||
      Parts[1].getAsInteger(10, M) || Parts[2].getAsInteger(10, N) ||
      Parts[3].getAsInteger(10, K))
    return 0;
  return 2.0 * M * N * K / WarpSize;
}

/// wmma::mma_sync: the shape is in the template arguments of a fragment.
static double byFragment(const FunctionDecl *F) {
  if (F->getNumParams() == 0)
    return 0;
  const auto *Record =
      F->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const auto *Fragment =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
  if (!Fragment || Fragment->getTemplateArgs().size() < 4)
    return 0;
  double Product = 2;
  for (unsigned I = 1; I != 4; ++I) {
    const TemplateArgument &A = Fragment->getTemplateArgs()[I];
    if (A.getKind() != TemplateArgument::Integral)
      return 0;
    Product *= A.getAsIntegral().getExtValue();
  }
  return Product / WarpSize;
}

/// half2 and its kin hold two values.
static unsigned lanes(const FunctionDecl *F) {
  for (const ParmVarDecl *P : F->parameters())
    if (const auto *R =
            P->getType().getNonReferenceType()->getAsCXXRecordDecl();
        R && R->getIdentifier() && R->getName().ends_with("2"))
      return 2;
  return 1;
}

double operationsOfCall(const FunctionDecl *F) {
  if (F->isOverloadedOperator())
    switch (F->getOverloadedOperator()) {
    case OO_Plus:
    case OO_Minus:
      return F->getNumParams() == 2 ? lanes(F) : 0;
    case OO_Star:
    case OO_Slash:
    case OO_PlusEqual:
    case OO_MinusEqual:
    case OO_StarEqual:
    case OO_SlashEqual:
      return lanes(F);
    default:
      return 0;
    }
  if (!F->getIdentifier())
    return 0;
  llvm::StringRef Name = F->getName();
  CallKind Kind = classifyCall(F);
  if (Kind == CallKind::WmmaCompute) {
    if (Name == "mma_sync" || Name == "bmma_sync")
      return byFragment(F);
    return byShape(Name);
  }
  if (Kind != CallKind::Pure && Kind != CallKind::Ordinary)
    return 0;
  if (Name.starts_with("__hfma2") || Name == "__hcmadd")
    return 4;
  if (Name == "fma" || Name == "fmaf" || Name.starts_with("__fmaf_") ||
      Name.starts_with("__fma_") || Name.starts_with("__hfma"))
    return 2;
  if (Name == "__dp4a")
    return 8;
  if (Name.starts_with("__dp2a"))
    return 4;
  for (llvm::StringRef Two : {"__hadd2", "__hsub2", "__hmul2", "__h2div",
                              "__hmax2", "__hmin2"})
    if (Name.starts_with(Two))
      return 2;
  for (llvm::StringRef One :
       {"__hadd", "__hsub", "__hmul", "__hdiv", "__hmax", "__hmin", "__fadd_",
        "__fsub_", "__fmul_", "__fdiv", "__dadd_", "__dsub_", "__dmul_",
        "__ddiv_", "__mul24", "__umul24", "__mulhi", "__umulhi", "__popc"})
    if (Name.starts_with(One))
      return 1;
  if (Name == "min" || Name == "max" || Name == "abs")
    return 1;
  // Conversions, moves between registers, vector makers.
  if (Name.contains("2half") || Name.contains("2float") ||
      Name.contains("2bfloat") || Name.contains("2int") ||
      Name.starts_with("make_") || Name.contains("_as_") ||
      Name.starts_with("__ld") || Name.starts_with("__shfl") ||
      Name.contains("high") || Name.contains("low"))
    return 0;
  // What is left and makes a floating value of one is mathematics.
  bool Takes = llvm::any_of(F->parameters(), [](const ParmVarDecl *P) {
    return P->getType()->isRealFloatingType();
  });
  return Takes && F->getReturnType()->isRealFloatingType() ? 1 : 0;
}

double operationsOfAsm(llvm::StringRef Text) {
  double Sum = 0;
  llvm::SmallVector<llvm::StringRef, 8> Statements;
  Text.split(Statements, ';');
  for (llvm::StringRef S : Statements) {
    S = S.trim(" \t\r\n{}");
    if (S.starts_with("@"))
      S = S.drop_until([](char C) { return C == ' ' || C == '\t'; }).trim();
    llvm::StringRef Op =
        S.take_until([](char C) { return C == ' ' || C == '\t'; });
    llvm::StringRef Base = Op.split('.').first;
    if (Op.starts_with("mma.") || Op.starts_with("wmma.mma")) {
      Sum += byShape(Op);
      continue;
    }
    double Lanes = Op.contains("x2") ? 2 : 1;
    bool Floating = Op.contains(".f") || Op.contains(".bf");
    if (Base == "dp4a")
      Sum += 8;
    else if (Base == "dp2a")
      Sum += 4;
    else if (Base == "fma" || (Base == "mad" && Floating))
      Sum += 2 * Lanes;
    else if (Floating &&
             (Base == "add" || Base == "sub" || Base == "mul" ||
              Base == "div" || Base == "min" || Base == "max" ||
              Base == "rcp" || Base == "sqrt" || Base == "rsqrt" ||
              Base == "ex2" || Base == "lg2" || Base == "sin" ||
              Base == "cos" || Base == "tanh"))
      Sum += Lanes;
  }
  return Sum;
}

} // namespace kpipe
