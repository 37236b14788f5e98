// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a number that is a shared address is used for. In another stage it is
// another number, which nobody notices where assembly takes it for an address;
// who stores it, compares it or asks for its bits does.
#ifndef KPIPE_RECOGNITION_VIEWSASADDRESSES_H
#define KPIPE_RECOGNITION_VIEWSASADDRESSES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace kpipe {

/// Is the number V, with all sums that are made of it, nothing but an address
/// for assembly, everywhere in the function?
bool isOnlyAddress(const clang::VarDecl *V, const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_VIEWSASADDRESSES_H
