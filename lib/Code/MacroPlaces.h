// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that a macro brings: does it stand in the macro's own text, or in what
// the macro is given, and where?
#ifndef KPIPE_CODE_MACROPLACES_H
#define KPIPE_CODE_MACROPLACES_H

#include "clang/AST/Expr.h"
#include <optional>

namespace kpipe {

/// Does a macro bring the text there? What it is given stands in the file, and
/// is edited once however often it is used.
bool isOfMacro(clang::SourceLocation At, const clang::SourceManager &SM);

/// Where an expression stands in the text of the macro that is called in the
/// file, whole: what that macro is given there is a parameter, and what other
/// macros make of it their call. Locations of a file; empty if it stands
/// elsewhere.
std::optional<clang::SourceRange> placeInMacro(const clang::Expr *E,
                                               const clang::SourceManager &SM);

/// The token of that text by which the one there comes, the last of it at an
/// End; invalid where there is none.
clang::SourceLocation placeInMacro(clang::SourceLocation At, bool End,
                                   const clang::SourceManager &SM);

/// How often the definition of a macro names what stands at a place in it.
unsigned namedInDefinition(clang::SourceLocation Place,
                           const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_CODE_MACROPLACES_H
