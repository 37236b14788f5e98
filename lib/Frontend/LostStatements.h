// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After an error Clang leaves statements out of the AST, at times without a
// word: a call of a function whose declaration did not parse is one. What is
// not in the AST cannot be analysed, so each such place is an error of its own.
// It must not know loops.
#ifndef KPIPE_LIB_FRONTEND_LOSTSTATEMENTS_H
#define KPIPE_LIB_FRONTEND_LOSTSTATEMENTS_H

#include "clang/AST/ASTContext.h"
#include <vector>

namespace kpipe {

/// Finds places in function bodies, those of system headers aside, where the
/// file has text and the AST has nothing, or that cannot be compared.
/// \param Skipped what preprocessor conditions left out, in any order.
std::vector<clang::SourceLocation>
findLostStatements(clang::ASTContext &Context,
                   llvm::ArrayRef<clang::SourceRange> Skipped);

/// Marks the functions that hold such places, or expressions of which Clang
/// kept nothing, for those who ask what a variable is (kpipe/LostText.h).
void markFunctionsAround(llvm::ArrayRef<clang::SourceLocation> Lost,
                         clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_LOSTSTATEMENTS_H
