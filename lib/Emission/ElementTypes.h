// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of elements as their author spells them: of what a declaration
// declares, and of what waits in registers.
#ifndef KPIPE_EMISSION_ELEMENTTYPES_H
#define KPIPE_EMISSION_ELEMENTTYPES_H

#include "SourceText.h"
#include "kpipe/TileLoop.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// The type of the registers that a copy's value waits in, spelled so that it
/// means the same in front of the loop, or of the helper that holds the copy.
/// Fails if there is no such spelling.
llvm::Expected<std::string>
registerType(const TileCopy &C, const TileLoop &Loop, const SourceText &Source);

/// The class of an object, or of what a pointer or reference to one points to,
/// as the declaration spells it; empty if it does not.
std::string declaredClass(const clang::VarDecl *V, const SourceText &Source);

/// The base type of a variable as its declaration spells it, without const.
std::string declaredType(const clang::VarDecl *V, const SourceText &Source);

/// Without arrays and qualifiers: of `const float x[8]` it is `float`.
clang::TypeLoc baseType(clang::TypeLoc T);

/// What a pointer or reference type points to, as it is written.
clang::TypeLoc pointedTo(clang::TypeLoc T);

/// The text of baseType() in the file.
std::string baseText(clang::TypeLoc T, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_ELEMENTTYPES_H
