// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One asynchronous copy as the assignment that it is.
#ifndef KPIPE_LOWERING_PLAINCOPY_H
#define KPIPE_LOWERING_PLAINCOPY_H

#include "FileTexts.h"
#include "SharedNumbers.h"

namespace kpipe {

/// Where a copy stands.
struct CopyPlace {
  const clang::FunctionDecl *Body;
  const AsyncOps &Ops;
  const FileText &File;
};

/// \returns a statement, `As[r][c] = A[i];`; none where it cannot be told that
/// it copies the same bytes.
std::optional<std::string> plainCopy(const AsyncOp &Op,
                                     const SourceText &Source,
                                     SharedNumbers &Numbers,
                                     const CopyPlace &Place);

} // namespace kpipe

#endif // KPIPE_LOWERING_PLAINCOPY_H
