// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one call or one assembly statement does asynchronously.
#ifndef KPIPE_CODE_ASYNCCALLS_H
#define KPIPE_CODE_ASYNCCALLS_H

#include "AsyncOps.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

using SomeOps = llvm::SmallVector<AsyncOp, 2>;

/// \returns nothing where it is not asynchronous at all.
SomeOps opsOfCall(const clang::CallExpr *C, AsyncCode &Code);
SomeOps opsOfAssembly(const clang::GCCAsmStmt *A,
                      const clang::ASTContext &Context);

/// Those of a function of the author's that is nothing but a name for one or
/// for a few: what its body says, in terms of the call's arguments.
SomeOps opsOfWrapper(const clang::CallExpr *C, AsyncCode &Code);

/// Does S call code that may copy and is not read: constructors, destructors,
/// function pointers, what has no body?
bool callsUnseen(const clang::Stmt *S, AsyncCode &Code);

/// Does an expression say that all of so many bytes are copied or none? Then
/// Op.KeptIf is what decides. \param Bytes of Kept, or of Zeros.
void readKept(AsyncOp &Op, const clang::Expr *Bytes, bool OfZeros,
              const clang::ASTContext &Context);

/// The variable that an argument names, by reference or by address.
const clang::VarDecl *namedBy(const clang::Expr *E);

/// The same of an array's element. \param Element which one, if it is always
/// the same; else left alone.
const clang::VarDecl *namedBy(const clang::Expr *E,
                              std::optional<unsigned> &Element,
                              const clang::ASTContext &Context);

/// The loop that does nothing but ask a barrier, `while (!C) ;`, or null.
const clang::Stmt *pollingLoop(const clang::CallExpr *C, const AsyncOps &Ops);

} // namespace kpipe

#endif // KPIPE_CODE_ASYNCCALLS_H
