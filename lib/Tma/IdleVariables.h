// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that statements which go were the last to use.
#ifndef KPIPE_TMA_IDLEVARIABLES_H
#define KPIPE_TMA_IDLEVARIABLES_H

#include "Emission/SourceText.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"

namespace kpipe {

struct IdleVariables {
  /// Declarations that go as a whole.
  std::vector<const clang::DeclStmt *> Whole;
  /// Of others, the variables among their neighbours.
  std::vector<Edit> Parts;
};

/// The variables of F that only statements which go name, and declarations that
/// then go too: with values that are computed and nothing else.
/// \param Gone the statements' text. \param New identifiers of what comes.
IdleVariables idleVariables(const clang::FunctionDecl *F,
                            llvm::ArrayRef<Range> Gone,
                            const llvm::StringSet<> &New,
                            const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_TMA_IDLEVARIABLES_H
