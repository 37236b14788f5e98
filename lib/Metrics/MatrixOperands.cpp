// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of matrix instructions, see MatrixOperands.h.
#include "MatrixOperands.h"
#include "clang/AST/DeclTemplate.h"
#include <array>

using namespace clang;

namespace kpipe {

std::optional<uint64_t> contiguousElements(const CallExpr *C, bool Store) {
  if (C->getNumArgs() < 2)
    return std::nullopt;
  const auto *Fragment = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      C->getArg(Store ? 1 : 0)
          ->getType()
          .getNonReferenceType()
          ->getAsCXXRecordDecl());
  if (!Fragment || Fragment->getName() != "fragment" ||
      Fragment->getTemplateArgs().size() < 5)
    return std::nullopt;
  const TemplateArgumentList &Args = Fragment->getTemplateArgs();
  std::array<uint64_t, 3> Shape; // M, N, K
  for (unsigned I = 0; I != 3; ++I) {
    if (Args[I + 1].getKind() != TemplateArgument::Integral)
      return std::nullopt;
    Shape[I] = Args[I + 1].getAsIntegral().getExtValue();
  }
  auto word = [&](unsigned I) -> llvm::StringRef {
    if (I >= Args.size() || Args[I].getKind() != TemplateArgument::Type)
      return {};
    const CXXRecordDecl *D = Args[I].getAsType()->getAsCXXRecordDecl();
    return D ? D->getName() : llvm::StringRef();
  };
  llvm::StringRef Use = word(0), Layout = word(5);
  bool Rows = Layout == "row_major";
  if (Use == "matrix_a" && !Layout.empty())
    return Rows ? Shape[2] : Shape[0];
  if (Use == "matrix_b" && !Layout.empty())
    return Rows ? Shape[1] : Shape[2];
  if (Use == "accumulator")
    return std::max(Shape[0], Shape[1]);
  return std::nullopt;
}

std::optional<unsigned> lanesThatNameRows(const GCCAsmStmt *A,
                                          const Expr *Address) {
  std::string Whole = A->getAsmString();
  llvm::StringRef Text = Whole;
  std::optional<unsigned> Operand;
  for (unsigned I = 0; I != A->getNumInputs(); ++I)
    if (A->getInputExpr(I) == Address)
      Operand = A->getNumOutputs() + I;
  // One instruction, with the operand as its address and nothing more.
  if (!Operand || Text.count("ldmatrix") != 1 || Text.count(';') > 1 ||
      !Text.contains("[%" + std::to_string(*Operand) + "]") ||
      Text.count('[') != 1 || !Text.contains(".b16"))
    return std::nullopt;
  return Text.contains(".x4") ? 32 : Text.contains(".x2") ? 16 : 8;
}

} // namespace kpipe
