// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop's header seen one tile ahead: the next value of each variable and
// the condition with those values, as text.
#ifndef KPIPE_EMISSION_ADVANCE_H
#define KPIPE_EMISSION_ADVANCE_H

#include "SourceText.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"

namespace kpipe {

struct HeaderText {
  std::string Init; ///< statement that declares or sets the variables, or empty
  bool InitDeclares = false;
  std::string Cond; ///< as written
  /// The condition for the next tile; empty if it cannot be had by replacing
  /// names, so that a function of the variables has to be made of Cond.
  std::string NextCond;
  std::string Step; ///< all updates, as written
  struct Var {
    const clang::VarDecl *Decl;
    std::string Name, Type;
    std::string Next;   ///< `k0 + BK`
    std::string Update; ///< `k0 += BK`
  };
  llvm::SmallVector<Var, 2> Vars;
};

/// Fails if a part of the header is hidden in a macro.
llvm::Expected<HeaderText> readHeader(const TileLoop &Loop,
                                      const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_ADVANCE_H
