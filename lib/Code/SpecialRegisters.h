// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `threadIdx.x` and its kin: where a thread is in its grid.
#ifndef KPIPE_CODE_SPECIALREGISTERS_H
#define KPIPE_CODE_SPECIALREGISTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace kpipe {

struct SpecialRegister {
  const clang::VarDecl *Vector; ///< `threadIdx`
  unsigned Axis;                ///< 0 for x, 2 for z

  bool isOf(llvm::StringRef Name) const { return Vector->getName() == Name; }
};

/// What E reads, if that is all that it is, as the compiler's header makes it.
std::optional<SpecialRegister> specialRegister(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_CODE_SPECIALREGISTERS_H
