// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that went because their branch is known. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_OPENEDBRANCHES_H
#define KPIPE_LIB_VALIDATION_OPENEDBRANCHES_H

#include "Validation/Trees/Tree.h"
#include "clang/AST/ASTContext.h"
#include <optional>

namespace kpipe {

/// A condition that went because its branch is known, and in its place the
/// assertion that every instance takes it. \returns the branch's statements,
/// which are the list's own then.
std::optional<TreeList>
openedBranch(const Tree &S, const Tree &InPlace,
             const clang::ASTContext &Context,
             llvm::function_ref<bool(const Tree &, const Tree &)> Same);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_OPENEDBRANCHES_H
