// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much dynamic shared memory launches give, as far as Clang can tell.
#ifndef KPIPE_VALIDATION_GIVENBYTES_H
#define KPIPE_VALIDATION_GIVENBYTES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <map>

namespace kpipe {

/// The function as written: the template's own for an instantiation.
const clang::FunctionDecl *writtenFunction(const clang::FunctionDecl *F);

/// The launches of a kernel by the place of its name, each with the least
/// dynamic shared memory that it gives one instantiation: 0 where Clang cannot
/// tell, and any number where other instantiations alone are launched.
/// \param Kernel as written. \param Instance that counts; null if all do.
std::map<clang::SourceLocation, uint64_t>
bytesGiven(const clang::FunctionDecl *Kernel,
           const clang::FunctionDecl *Instance, clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_VALIDATION_GIVENBYTES_H
