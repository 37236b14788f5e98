// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on 64 bits, fitted to the types of the source, see RunValue.h.

#include "RunValue.h"
#include "Code/AstUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace kpipe {

/// Does a division or a shift of these have a result at all?
static bool hasResult(BinaryOperatorKind Op, int64_t X, int64_t Y, bool Signed,
                      unsigned Bits) {
  switch (Op) {
  case BO_Div:
  case BO_Rem:
    return Y != 0 && !(Signed && X == INT64_MIN && Y == -1);
  case BO_Shl:
  case BO_Shr:
    return uint64_t(Y) < Bits;
  default:
    return true;
  }
}

/// The result in 64 bits; none of an operator that is not known.
/// \param Over set if a sum or product of signed numbers does not fit them.
static std::optional<int64_t> exact(BinaryOperatorKind Op, int64_t X, int64_t Y,
                                    bool Signed, bool &Over) {
  const uint64_t UX = X, UY = Y;
  int64_t R = 0;
  switch (Op) {
  case BO_Add:
    Over = llvm::AddOverflow(X, Y, R);
    return R;
  case BO_Sub:
    Over = llvm::SubOverflow(X, Y, R);
    return R;
  case BO_Mul:
    Over = llvm::MulOverflow(X, Y, R);
    return R;
  case BO_Div:
  case BO_Rem:
    return Op == BO_Div ? (Signed ? X / Y : int64_t(UX / UY))
                        : (Signed ? X % Y : int64_t(UX % UY));
  case BO_Shl:
  case BO_Shr:
    return Op == BO_Shl ? int64_t(UX << UY)
           : Signed     ? X >> UY
                        : int64_t(UX >> UY);
  case BO_And:
    return X & Y;
  case BO_Or:
    return X | Y;
  case BO_Xor:
    return X ^ Y;
  case BO_LT:
    return Signed ? X < Y : UX < UY;
  case BO_GT:
    return Signed ? X > Y : UX > UY;
  case BO_LE:
    return Signed ? X <= Y : UX <= UY;
  case BO_GE:
    return Signed ? X >= Y : UX >= UY;
  case BO_EQ:
    return X == Y;
  case BO_NE:
    return X != Y;
  default:
    return std::nullopt;
  }
}

RunValue RunArithmetic::computed(BinaryOperatorKind Op, RunValue A, RunValue B,
                                 QualType Type, QualType Of) {
  if (!A.isNumber() || !B.isNumber() || !Of->isIntegralOrEnumerationType())
    return {};
  const bool Signed = Of->isSignedIntegerOrEnumerationType();
  if (!hasResult(Op, A.Number, B.Number, Signed, Context.getIntWidth(Of))) {
    Invalid = true;
    return {};
  }
  bool Over = false;
  std::optional<int64_t> R = exact(Op, A.Number, B.Number, Signed, Over);
  if (!R)
    return {};
  const uint64_t UX = A.Number, UY = B.Number;
  if (!Signed && Over)
    R = Op == BO_Add   ? int64_t(UX + UY)
        : Op == BO_Sub ? int64_t(UX - UY)
                       : int64_t(UX * UY);
  RunValue V = fitted(RunValue::of(*R, A.Sampled || B.Sampled), Type);
  // Signed numbers do not overflow in a program that has a meaning.
  if (Signed && (Over || V.Number != *R)) {
    Invalid = true;
    return {};
  }
  return V;
}

RunValue RunArithmetic::moved(RunValue Pointer, const RunValue &By,
                              QualType Element, bool Back) {
  if (!Pointer.isAddress() || !By.isNumber() || !hasSize(Element))
    return {};
  const int64_t Size = Context.getTypeSizeInChars(Element).getQuantity();
  int64_t Bytes = 0;
  if (llvm::MulOverflow(By.Number, Size, Bytes) ||
      (Back ? llvm::SubOverflow(Pointer.Number, Bytes, Pointer.Number)
            : llvm::AddOverflow(Pointer.Number, Bytes, Pointer.Number)))
    return {};
  Pointer.Sampled |= By.Sampled;
  return Pointer;
}

RunValue RunArithmetic::fitted(RunValue V, QualType Type) const {
  if (!V.isNumber() || !Type->isIntegralOrEnumerationType())
    return Type->isIntegralOrEnumerationType() || V.isAddress() ? V
                                                                : RunValue();
  const unsigned Bits = Context.getIntWidth(Type);
  if (Bits >= 64)
    return V;
  const uint64_t Low =
      uint64_t(V.Number) & llvm::maskTrailingOnes<uint64_t>(Bits);
  V.Number = Type->isSignedIntegerOrEnumerationType()
                 ? llvm::SignExtend64(Low, Bits)
                 : int64_t(Low);
  return V;
}

} // namespace kpipe
