// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stores of code that does nothing but copy, and what they store.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_WORDSSTORED_H
#define KPIPE_LIB_VALIDATION_WORDSSTORED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <map>
#include <optional>

namespace kpipe {

/// Where four bytes come from; without a base they are zero.
struct WordSource {
  const clang::VarDecl *Base = nullptr;
  int64_t Number = 0;
  bool operator==(const WordSource &O) const {
    return Base == O.Base && Number == O.Number;
  }
};

/// By place: an array, and bytes from its start.
using StoredWords =
    std::map<std::pair<const clang::VarDecl *, int64_t>, WordSource>;

struct StoredParts {
  const clang::Expr *Value = nullptr;
  unsigned Bytes = 0;
};
using StoredBy = std::map<const clang::Expr *, StoredParts>;

/// All stores to memory in S, of a multiple of so many bytes. Nothing where S
/// does anything else that is seen outside of it.
std::optional<StoredBy> storesOf(const clang::Stmt *S,
                                 const clang::ASTContext &Context,
                                 unsigned Multiple = 4);

/// Nothing that S does is seen outside of it.
bool changesNothing(const clang::Stmt *S, const clang::ASTContext &Context);

/// What a value is copied from: E without reads, temporaries and constructors
/// that copy.
const clang::Expr *copiedFrom(const clang::Expr *E);

/// All bits are 0.
bool isAllZero(const clang::Expr *E, const clang::ASTContext &Context);
/// `__ldg(p)` and its kin.
bool isReadOnlyLoad(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_WORDSSTORED_H
