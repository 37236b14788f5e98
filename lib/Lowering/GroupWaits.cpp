// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GroupWaits.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isBeforeBarrier(const Stmt *S, const AsyncOps &Ops) {
  const Stmt *Up = Ops.parent(S);
  if (isa_and_nonnull<IfStmt>(Up))
    return isBeforeBarrier(Up, Ops);
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Up);
  if (!Block)
    return false;
  auto Here = llvm::find(Block->body(), S);
  if (Here == Block->body_end())
    return false;
  if (++Here == Block->body_end())
    return isa_and_nonnull<IfStmt>(Ops.parent(Block)) &&
           isBeforeBarrier(Block, Ops);
  return isBlockBarrierCall(*Here);
}

std::optional<std::string> groupBarrier(const AsyncOp &Op,
                                        const SourceText &Source) {
  const auto *C = cast<CallExpr>(Op.At);
  const FunctionDecl *F = C->getDirectCallee();
  const auto *Name =
      dyn_cast<DeclRefExpr>(C->getCallee()->IgnoreParenImpCasts());
  if (!F || !Name || !Source.expression(Op.Group))
    return std::nullopt;
  // Unqualified, `sync` may be anybody's; a helper's name is another one.
  if (!Name->hasQualifier() || !isToolkits(F))
    return Source.text(Op.Group) + ".sync();";
  auto From = Source.offset(Name->getLocation());
  auto End = Source.offset(Name->getEndLoc());
  Range R = Source.statement(Op.Statement);
  if (!From || !End || *From < R.Begin || *End >= R.End)
    return std::nullopt;
  return (Source.at({R.Begin, *From}) + "sync" +
          Source.at({Source.tokenEnd(*End), R.End}))
      .str();
}

} // namespace kpipe
