// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a template's text has whatever its arguments are: they may be
// spelled as one instance has them.
#ifndef KPIPE_EMISSION_EVERYINSTANCE_H
#define KPIPE_EMISSION_EVERYINSTANCE_H

#include "SourceText.h"
#include "clang/AST/DeclCXX.h"

namespace kpipe {

/// Is E an element of a member that its class declares with a built-in type or
/// with a class of the file, or what a member function returns that is declared
/// so, whatever the template's arguments are?
bool isOfEveryInstance(const clang::Expr *E, const SourceText &Source);

/// No other overload of a member may be called by another instance, unless all
/// take the same.
bool isOnlyOne(const clang::DeclaratorDecl *Member);

/// The text of a header is compiled with other files too, which may have
/// specialisations of their own.
bool isCompiledHere(const clang::Expr *E, const SourceText &Source);

/// Is R no class of the file, and no class that such a class declares, or does a
/// specialisation declare it otherwise?
bool specializedOtherwise(const clang::CXXRecordDecl *R);

} // namespace kpipe

#endif // KPIPE_EMISSION_EVERYINSTANCE_H
