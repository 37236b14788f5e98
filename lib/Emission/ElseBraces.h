// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces that keep an `else` with its `if`: where a branch or the body of a
// loop has none, an `if` that is written into it would take the `else` that
// follows.
#ifndef KPIPE_EMISSION_ELSEBRACES_H
#define KPIPE_EMISSION_ELSEBRACES_H

#include "SourceText.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Is an `else` the last that a statement has, so that an `if` in front of the
/// statement would look as if it were its own?
bool endsWithElse(const clang::Stmt *S);

/// Puts both branches of If in braces, but for another `if` behind `else`.
/// \param Unit a step of indentation.
/// \param Then, Else the edits inside the branches, which move with them.
/// \returns false where a macro hides the place of a brace.
bool braceBranches(const clang::IfStmt &If, const SourceText &Source,
                   llvm::StringRef Unit, std::vector<Edit> &Then,
                   std::vector<Edit> &Else);

/// Puts Guard, an `if` without a branch, in front of the body of a loop.
void guardBody(const clang::Stmt &Body, const std::string &Guard,
               const SourceText &Source, llvm::StringRef Unit,
               std::vector<Edit> &Edits);

} // namespace kpipe

#endif // KPIPE_EMISSION_ELSEBRACES_H
