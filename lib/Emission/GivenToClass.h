// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of tiles that are objects of class templates: `Tile<T, 16, 16> as`
// has elements of the type that its declaration says.
#ifndef KPIPE_LIB_EMISSION_GIVENTOCLASS_H
#define KPIPE_LIB_EMISSION_GIVENTOCLASS_H

#include "SourceText.h"
#include "clang/AST/Expr.h"
#include <string>

namespace kpipe {

/// The type of an element as the declaration of its tile gives it to the tile's
/// class, in the words that stand there; empty if the class makes it otherwise.
/// \param Element `as(r, c)`, `as.rows[r][c]`.
std::string givenToClass(const clang::Expr *Element, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_LIB_EMISSION_GIVENTOCLASS_H
