// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop's header seen ahead, as text: one tile ahead through the next value
// of each variable, further through variables of the load's own.
#ifndef KPIPE_EMISSION_ADVANCE_H
#define KPIPE_EMISSION_ADVANCE_H

#include "Names.h"
#include "Precedence.h"
#include "SourceText.h"
#include "kpipe/TileLoop.h"
#include "llvm/Support/Error.h"

namespace kpipe {

struct HeaderText {
  std::string Init; ///< statement that declares or sets the variables, or empty
  bool InitDeclares = false;
  /// It gives values to more than the variables that the header advances: the
  /// regions have to find them, and copies of them, after it.
  bool InitFirst = false;
  /// A step that is taken before the condition is asked, where it takes one
  /// itself.
  std::string FirstStep;
  /// As written; what steps a variable in it is the value that it is asked for.
  std::string Cond;
  /// The condition for the next tile; empty if it cannot be had by replacing
  /// names, so that a function of the variables has to be made of Cond.
  std::string NextCond;
  std::string Step; ///< all updates, as written
  struct Var {
    const clang::VarDecl *Decl;
    std::string Name, Type;
    std::string Next;   ///< `k0 + BK`
    Binding NextBinds = Binding::Comma; ///< how that binds
    std::string Update; ///< `k0 += BK`
  };
  llvm::SmallVector<Var, 2> Vars;
};

/// Fails if a part of the header is hidden in a macro.
llvm::Expected<HeaderText> readHeader(const TileLoop &Loop,
                                      const SourceText &Source);

/// Variables that run ahead of the header's by as many tiles as are on their
/// way. They stop at the first value for which the condition does not hold, as
/// the header's own do, and so never overflow where those do not.
struct CursorText {
  /// `int k0_ahead = k0;`, for each variable that the load needs.
  std::vector<std::string> Declarations;
  /// Parallel to HeaderText::Vars: the variable that runs ahead; the header's
  /// own name if none does.
  std::vector<std::string> Values;
  /// The condition and the updates of these variables; empty if a macro hides
  /// names, so that functions of the variables have to be made of them.
  std::string Cond, Step;
};

/// Needed: parallel to the header's variables, those that the load reads; what
/// the condition and the updates read is added.
CursorText cursorOf(const TileLoop &Loop, const HeaderText &Header,
                    llvm::ArrayRef<bool> Needed, Names &Fresh,
                    const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_ADVANCE_H
