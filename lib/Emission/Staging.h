// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that hold a tile between fetch and store: their declarations and
// how each copy names its own. One array per staged buffer and copy loop.
#ifndef KPIPE_EMISSION_STAGING_H
#define KPIPE_EMISSION_STAGING_H

#include "Names.h"
#include "RuntimeCalls.h"
#include "SourceTexts.h"
#include "kpipe/Plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// A copy loop that starts at a thread's own index is counted by a variable of
/// kpipe's, so that unrolling makes register indices constant.
struct CountedLoop {
  const clang::ForStmt *For = nullptr;
  std::string Counter;
  std::string Trips; ///< constant expression
  /// Those that every thread runs to the end, where that helps: such parts
  /// need no condition; empty if each part needs it.
  std::string Whole;
  bool NoCondition = false; ///< none needs it
};

struct Staging {
  /// Where several tiles wait in registers: `[2]` and `[slot]`, which go behind
  /// the name of what holds one tile.
  std::string Tiles, Slot;
  /// `float As_reg[BM / strideA];`, in order.
  std::vector<std::string> Declarations;
  /// Parallel to TileLoop::Copies; empty for asynchronous ones.
  std::vector<std::string> Registers;
  std::vector<CountedLoop> Counted;
  /// Loops that run once at most, and so have one register and stay as they
  /// are.
  llvm::SmallPtrSet<const clang::ForStmt *, 2> Once;
  /// Name of the parameter by which a helper's clones get the registers, by the
  /// helper as written.
  llvm::DenseMap<const clang::FunctionDecl *, std::string> TileParameters;
  /// Parallel to TileLoop::Copies: what a helper's tile struct declares for
  /// the copy, empty for copies that share another's array.
  std::vector<std::string> Members;
};

/// Fails if a type or an extent cannot be spelled outside the loop.
/// \param Slot the name of the variable that numbers tiles in registers.
llvm::Expected<Staging> stageRegisters(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       SourceTexts &Texts, Names &Fresh,
                                       const std::string &Slot,
                                       RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_STAGING_H
