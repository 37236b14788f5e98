// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of integer expressions that Clang's constant evaluation cannot give:
// variables that are never changed after their initialisation, `dim3`
// variables, thread indices of one given thread. Knows nothing of loops,
// launches or copies.
#ifndef KPIPE_CODE_VALUES_H
#define KPIPE_CODE_VALUES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>
#include <cstdint>
#include <optional>

namespace kpipe {

struct GroupQuery;

using Extent3 = std::array<unsigned, 3>;

class Values {
public:
  explicit Values(const clang::ASTContext &Context) : Context(Context) {}

  /// The value of E wherever it is evaluated, or nothing if that cannot be
  /// told. Where a thread or a variable was bound, the value for that.
  std::optional<int64_t> evaluate(const clang::Expr *E);

  /// The components of an expression of type `dim3`, 1 where left out.
  std::optional<Extent3> extent(const clang::Expr *E);

  /// V is never assigned, and its address never taken, after its
  /// initialisation (for a parameter: after the call).
  bool unchanged(const clang::VarDecl *V);

  /// What a variable holds from now on, whatever its declaration says.
  void bind(const clang::VarDecl *V, std::optional<int64_t> Value) {
    Bound[V] = Value;
  }
  void unbind(const clang::VarDecl *V) { Bound.erase(V); }

  /// What `blockDim` and `threadIdx` are. Without a thread, any.
  std::optional<Extent3> Block, Thread;
  /// Set when `threadIdx` was asked for, known or not; cleared by the caller.
  bool AskedForThread = false;
  /// The axes of `blockDim` that were asked for, known or not, as bits.
  unsigned AskedForBlock = 0;
  /// Set when a variable that was bound to no value was asked for.
  bool AskedForUnknown = false;
  /// Set when a bound variable other than Own was asked for.
  bool AskedForBound = false;
  const clang::VarDecl *Own = nullptr;

private:
  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::VarDecl *, std::optional<int64_t>> Bound;
  /// What Clang's evaluation says of an expression: it is asked once.
  llvm::DenseMap<const clang::Expr *, std::optional<int64_t>> Constants;
  /// Functions that were searched, and the local variables that they change.
  llvm::SmallPtrSet<const clang::Decl *, 8> Searched;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Changed;
  unsigned Depth = 0;

  std::optional<int64_t> constant(const clang::Expr *E);
  std::optional<int64_t> compute(const clang::Expr *E);
  std::optional<int64_t> binary(const clang::BinaryOperator *B);
  std::optional<int64_t> call(const clang::CallExpr *C);
  std::optional<int64_t> group(const GroupQuery &Q);
  std::optional<int64_t> variable(const clang::VarDecl *V);
  std::optional<int64_t> builtin(const clang::PseudoObjectExpr *P);
  int64_t wrapped(int64_t Value, clang::QualType Type) const;
};

} // namespace kpipe

#endif // KPIPE_CODE_VALUES_H
