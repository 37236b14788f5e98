// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that a place stands in, all instances. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_WRITTENAROUND_H
#define KPIPE_LIB_VALIDATION_WRITTENAROUND_H

#include "kpipe/Diagnostic.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <vector>

namespace kpipe {

/// Those with a body.
std::vector<const clang::FunctionDecl *>
functionsAround(const clang::ASTContext &Context, const Place &Where);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_WRITTENAROUND_H
