// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of all copies side by side, see FilledWhole.h.
#include "FilledWhole.h"
#include "Code/AstUtils.h"
#include "Code/BulkOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Bytes from where V begins to the place that E is or points to.
static std::optional<int64_t> offsetIn(const VarDecl *V, const Expr *E,
                                       const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref))
    return offsetIn(V, U->getSubExpr(), Context);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return D->getDecl() == V && V->getType()->isConstantArrayType()
               ? std::optional<int64_t>(0)
               : std::nullopt;
  const auto *S = dyn_cast<ArraySubscriptExpr>(E);
  if (!S || !hasSize(S->getType()))
    return std::nullopt;
  const auto At = offsetIn(V, S->getBase(), Context),
             Index = constantValue(S->getIdx(), Context);
  if (!At || !Index)
    return std::nullopt;
  return *At + *Index * Context.getTypeSizeInChars(S->getType()).getQuantity();
}

bool isFilledWhole(const LoopFacts &Facts, const StagedBuffer &B) {
  const auto *Issue =
      Facts.Tile.Bulk ? dyn_cast<IfStmt>(Facts.Tile.Bulk->Issue) : nullptr;
  if (!Issue || !B.Bytes)
    return false;
  const ASTContext &Context = Facts.In->context();
  std::vector<std::pair<int64_t, int64_t>> Parts;
  for (const BulkOp &Op : bulkOpsOf(Issue->getThen(), Context)) {
    if (!Op.copies() || !Op.To ||
        !namesAny(Op.To, [&](const VarDecl *V) { return V == B.Var; }))
      continue;
    const auto At = offsetIn(B.Var, Op.To, Context);
    if (Op.Kind != BulkKind::BulkCopy || Op.isConditional() || !Op.Value || !At)
      return false;
    Parts.push_back({*At, *Op.Value});
  }
  llvm::sort(Parts);
  int64_t End = 0;
  for (auto [At, Bytes] : Parts) {
    if (At != End)
      return false;
    End += Bytes;
  }
  return End == int64_t(B.Bytes);
}

} // namespace kpipe
