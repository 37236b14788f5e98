// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as text, the same for the author's code and for kpipe's: no places,
// which the rewrite moves. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TYPENAMES_H
#define KPIPE_LIB_VALIDATION_TYPENAMES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/PrettyPrinter.h"
#include <string>

namespace kpipe {

clang::PrintingPolicy policyOfNames(const clang::ASTContext &Context);

/// What tells a type from all others. One without a name is told by what it
/// consists of; closures are told by what is called on them.
std::string typeName(clang::QualType T, const clang::PrintingPolicy &Policy);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TYPENAMES_H
