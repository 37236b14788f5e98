// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the copy engine, as inline assembly and as functions of libcu++
// spell them. Where what is found stands, and what decides over it, is its
// reader's to fill in.
#ifndef KPIPE_CODE_BULKINSTRUCTIONS_H
#define KPIPE_CODE_BULKINSTRUCTIONS_H

#include "BulkAssembly.h"
#include "BulkOps.h"
#include "GivenPlaces.h"

namespace kpipe {

/// Do the copy engine and the tensor cores hear of it?
bool isOfEngine(const PtxInstruction &I);

void readInstructions(const clang::GCCAsmStmt *A, const GivenPlaces &Places,
                      const clang::ASTContext &Context,
                      llvm::SmallVectorImpl<BulkOp> &Found);

/// \returns the operation that a function of the toolkit's is; nothing if it is
/// none. \pre isToolkits(C->getDirectCallee()).
std::optional<BulkOp> bulkCall(const clang::CallExpr *C,
                               const GivenPlaces &Places,
                               const clang::ASTContext &Context);

/// \returns the copy that kpipe::load_row() is; nothing for another call. That
/// it copies aligned rows only is a matter of its contract.
std::optional<BulkOp> rowLoad(const clang::CallExpr *C,
                              const GivenPlaces &Places,
                              const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_CODE_BULKINSTRUCTIONS_H
