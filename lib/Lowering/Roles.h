// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations in which some threads of the block copy and the others compute, by
// a cuda::pipeline of one stage: they take turns. The branch becomes two, with
// a barrier of the block behind each.
#ifndef KPIPE_LOWERING_ROLES_H
#define KPIPE_LOWERING_ROLES_H

#include "Code/AsyncOps.h"
#include "Emission/SourceText.h"

namespace kpipe {

/// `if (role) { acquire; copies; commit; } else { wait; …; release; }`, or two
/// branches one behind the other.
struct RoleBranches {
  const clang::IfStmt *Producers;
  const clang::IfStmt *Consumers; ///< null where they are Producers' else
};

/// Those of Loop's body, which have all asynchronous operations of the kernel;
/// nothing where that is not so.
std::optional<RoleBranches> branchesByRole(const clang::Stmt *Loop,
                                           const AsyncOps &Ops,
                                           const clang::FunctionDecl *Body);

/// The wait of Loop's at a pipeline of one stage whose threads have roles: what
/// the producers commit the others wait for, and nothing is staged. Else null.
const AsyncOp *waitOfOneStage(const clang::Stmt *Loop, const AsyncOps &Ops);

/// What puts a barrier behind each role; none where the text cannot be told.
std::vector<Edit> dividedRoles(const RoleBranches &Roles,
                               const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_LOWERING_ROLES_H
