// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places whose declaration gives them less alignment than their type has.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_PLACESALIGNED_H
#define KPIPE_LIB_VALIDATION_PLACESALIGNED_H

#include "clang/AST/Expr.h"

namespace kpipe {

/// Does no member or element on the way to E's place stand where the address is
/// surely no multiple of E's size? Pointers count as what their type says.
bool isWellAligned(const clang::Expr &E, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_PLACESALIGNED_H
