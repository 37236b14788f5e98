// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A declaration of several variables with fewer of them.
#ifndef KPIPE_EMISSION_DROPPEDVARIABLES_H
#define KPIPE_EMISSION_DROPPEDVARIABLES_H

#include "SourceText.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Takes out what Drop says. \param D of plain variables, none in a macro: in
/// front of their names stands nothing but the type that they share.
void dropVariables(const clang::DeclStmt &D,
                   llvm::function_ref<bool(const clang::VarDecl *)> Drop,
                   const SourceText &Source, std::vector<Edit> &Edits);

} // namespace kpipe

#endif // KPIPE_EMISSION_DROPPEDVARIABLES_H
