// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread's expressions come to in a run: numbers and addresses, and
// their arithmetic in the types of the source.
#ifndef KPIPE_VALIDATION_RUNVALUE_H
#define KPIPE_VALIDATION_RUNVALUE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/OperationKinds.h"

namespace kpipe {

/// A number, an address, or what is not known.
struct RunValue {
  enum class Kind { Unknown, Number, Address } What = Kind::Unknown;
  int64_t Number = 0;                   ///< of an address: bytes from Base
  const clang::VarDecl *Base = nullptr; ///< of an address
  bool Sampled = false;                 ///< hangs on what the host decides

  bool isNumber() const { return What == Kind::Number; }
  bool isAddress() const { return What == Kind::Address; }
  static RunValue of(int64_t N, bool Sampled = false) {
    return {Kind::Number, N, nullptr, Sampled};
  }
  /// Where V begins.
  static RunValue addressOf(const clang::VarDecl *V) {
    return {Kind::Address, 0, V, false};
  }
};

/// Notes in Invalid if a program that does this has no meaning: signed
/// overflow, division by zero.
class RunArithmetic {
public:
  RunArithmetic(const clang::ASTContext &Context, bool &Invalid)
      : Context(Context), Invalid(Invalid) {}

  /// \param Of the type of the operands, \param Type that of the result.
  RunValue computed(clang::BinaryOperatorKind Op, RunValue A, RunValue B,
                    clang::QualType Type, clang::QualType Of);
  /// The pointer By elements further, or back.
  RunValue moved(RunValue Pointer, const RunValue &By, clang::QualType Element,
                 bool Back);
  /// V as a value of an integer type: wrapped if that has no sign, and without
  /// meaning if it does not fit one that has.
  RunValue fitted(RunValue V, clang::QualType Type) const;

private:
  const clang::ASTContext &Context;
  bool &Invalid;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_RUNVALUE_H
