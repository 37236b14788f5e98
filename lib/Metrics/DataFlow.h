// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which integer values are data, that is come from memory, and which are only
// indices made of constants, thread indices and counters. Knows no loops.
#ifndef KPIPE_METRICS_DATAFLOW_H
#define KPIPE_METRICS_DATAFLOW_H

#include "kpipe/TileLoop.h"

namespace kpipe {

class DataFlow {
public:
  /// Learns from the assignments in S, those of functions that S calls
  /// included, until nothing new is found.
  void learn(const clang::Stmt *S);

  /// E is of floating type, reads an element of memory, or is computed from
  /// one. A pointer is no data.
  bool isData(const clang::Expr *E) const;

private:
  VarSet Data;
};

} // namespace kpipe

#endif // KPIPE_METRICS_DATAFLOW_H
