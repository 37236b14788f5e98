// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the copy engine writes: of an instruction that is given the number of a
// shared address, the array that the number was made of. Private to the
// validation.
#ifndef KPIPE_VALIDATION_BULKDESTINATIONS_H
#define KPIPE_VALIDATION_BULKDESTINATIONS_H

#include "Validation/Storage/StorageRoots.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// \param A one `cp.async.bulk` instruction that writes shared memory.
/// \returns shared variables; any shared memory where that cannot be told.
Storages destinationOfBulk(const clang::GCCAsmStmt *A, const CallFrame &In);

} // namespace kpipe

#endif // KPIPE_VALIDATION_BULKDESTINATIONS_H
