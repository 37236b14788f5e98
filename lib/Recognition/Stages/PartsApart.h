// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of one shared variable that have nothing in common: `float *As = smem,
// *red = smem + 1024;` where nothing that is reached by As, in the whole
// function, is reached by red. Each is then as good as a variable of its own.
#ifndef KPIPE_RECOGNITION_PARTSAPART_H
#define KPIPE_RECOGNITION_PARTSAPART_H

#include "Code/SharedParts.h"
#include "Code/Values.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// \param Of a shared variable, \param Places what is not to be apart from it.
/// \param Loop whose names of Of get stages: no name of a part is made of them
/// there.
/// \param Block the size of all blocks, where it is known.
/// Empty where nothing is apart, or where a use of it cannot be bounded.
PartsOfBlock partsApart(const clang::FunctionDecl *Function,
                        const clang::VarDecl *Of,
                        llvm::ArrayRef<const clang::Expr *> Places,
                        const clang::Stmt *Loop, clang::ASTContext &Context,
                        std::optional<Extent3> Block);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PARTSAPART_H
