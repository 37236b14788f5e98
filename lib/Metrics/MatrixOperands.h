// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loads and stores of matrices touch in memory, by the types and the text
// of wmma calls and of ldmatrix.
#ifndef KPIPE_METRICS_MATRIXOPERANDS_H
#define KPIPE_METRICS_MATRIXOPERANDS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <cstdint>
#include <optional>

namespace kpipe {

/// Elements of a fragment that lie side by side in memory.
/// \param Store the fragment is the call's second argument, not its first.
std::optional<uint64_t> contiguousElements(const clang::CallExpr *C,
                                           bool Store);

/// Lanes that name a row, of an ldmatrix that takes Address and does nothing
/// else with it; nothing for other assembly.
std::optional<unsigned> lanesThatNameRows(const clang::GCCAsmStmt *A,
                                          const clang::Expr *Address);

} // namespace kpipe

#endif // KPIPE_METRICS_MATRIXOPERANDS_H
