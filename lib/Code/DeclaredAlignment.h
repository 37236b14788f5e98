// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a place promises of its address by the way that it is declared.
#ifndef KPIPE_LIB_CODE_DECLAREDALIGNMENT_H
#define KPIPE_LIB_CODE_DECLAREDALIGNMENT_H

#include <cstdint>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace kpipe {

/// Bytes that the address of an lvalue, or a pointer's value, is surely a
/// multiple of, if each pointer and reference on the way leads to something as
/// aligned as its type: less than the type's own for a member of a packed
/// class, or by a typedef that says so.
uint64_t declaredAlignment(const clang::Expr *Place,
                           const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_CODE_DECLAREDALIGNMENT_H
