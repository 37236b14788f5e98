// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of elements as their author spells them: of what a declaration
// declares, and of what waits in registers.
#ifndef KPIPE_EMISSION_ELEMENTTYPES_H
#define KPIPE_EMISSION_ELEMENTTYPES_H

#include "SourceText.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// What stands in R, also where it is a macro's own text.
std::string spelled(clang::SourceRange R, const SourceText &Source);

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

/// The pointer type of a variable as its declaration spells it, without what
/// qualifies the pointer itself: in a template it means in each instantiation
/// what the author's means. Empty where it is deduced, or a name stands within
/// it (`float (*p)[8]`).
std::string declaredPointer(const clang::VarDecl *V, const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_ELEMENTTYPES_H
