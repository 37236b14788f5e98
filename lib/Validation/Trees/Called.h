// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operators and closures call, as far as trees tell it apart. Private to
// the validation.
#ifndef KPIPE_LIB_VALIDATION_CALLED_H
#define KPIPE_LIB_VALIDATION_CALLED_H

namespace clang {
class CXXMethodDecl;
class CXXOperatorCallExpr;
class LambdaExpr;
class SourceManager;
} // namespace clang

namespace kpipe {

/// Is it an assignment of a whole object that is a copy of its bits? The
/// toolkit's halves have operators of their own, which do no more.
bool copiesBits(const clang::CXXOperatorCallExpr &Call,
                const clang::SourceManager &SM);

/// The call operator of a closure. Of a generic one, `[&](auto p)`, the one
/// that was made of it, if it is called with the same types everywhere; else
/// the pattern.
const clang::CXXMethodDecl *calledIn(const clang::LambdaExpr *L);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_CALLED_H
