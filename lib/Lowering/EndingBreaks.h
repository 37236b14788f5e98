// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose condition is a `break`: `for (;;) { if (k >= K) break; …`, and
// `while (true) { … if (k >= K) break; }`.
#ifndef KPIPE_LOWERING_ENDINGBREAKS_H
#define KPIPE_LOWERING_ENDINGBREAKS_H

#include "Emission/SourceText.h"
#include <set>

namespace kpipe {

/// The edits that make the break of a loop its condition; nothing where it has
/// none that may be. In a `do` loop, which asks behind its body, nothing else
/// may end a turn, and the condition must not name what the body declares.
/// Barriers of the block may follow the break, if it is the same for all
/// threads of \p In: then all of them meet there once more.
std::optional<std::set<Edit>> breakAsCondition(const clang::Stmt *Loop,
                                               const clang::FunctionDecl *In,
                                               const SourceText &Source);

/// The same, without its text.
bool hasEndingBreak(const clang::Stmt *Loop, const clang::FunctionDecl *In);

/// A condition alone, in this file's text: no other branch, no declaration, no
/// macro around it. Else null.
const clang::IfStmt *plainIf(const clang::Stmt *S);

/// Does a label, or a case of a switch around S, lead into it?
bool isEntered(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_LOWERING_ENDINGBREAKS_H
