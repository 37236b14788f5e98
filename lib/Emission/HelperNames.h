// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How calls name helpers, and so how they name the clones and tiles of those.
#ifndef KPIPE_EMISSION_HELPERNAMES_H
#define KPIPE_EMISSION_HELPERNAMES_H

#include "SourceTexts.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace kpipe {

/// What the names of its clones begin with.
std::string nameForClones(const clang::FunctionDecl *Helper);

/// Is it a member of a class to which F belongs as well?
bool isMemberBeside(const clang::FunctionDecl *Helper,
                    const clang::FunctionDecl *F);

/// What a call without a qualifier needs in front of the clone's name: what
/// names the helper there, such as a using declaration, does not name clones.
std::string missingQualifier(const clang::CallExpr *Call,
                             const clang::FunctionDecl *Helper,
                             const clang::FunctionDecl *Caller);

/// `ns::f_tile<float, 64>`: the tile called Name of a copy's helper, as the
/// loop's function has to name it.
llvm::Expected<std::string> tileType(const TileCopy &C, llvm::StringRef Name,
                                     const clang::FunctionDecl *Caller,
                                     const SourceText &Source);

/// The edit that makes a call one of Name; none where a macro hides it.
std::optional<Edit> renamedCall(const clang::CallExpr *Call,
                                const std::string &Name,
                                const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_HELPERNAMES_H
