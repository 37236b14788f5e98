// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenedBranches.h"
#include "Validation/Trees/JumpMeaning.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// Is there a variable of which one sees when it ends?
static bool endsObjects(const Tree &T) {
  const auto *V = dyn_cast_or_null<VarDecl>(T.is("Var") ? T.Of : nullptr);
  return (V && V->getType().isDestructedType() != QualType::DK_none) ||
         llvm::any_of(T.Kids,
                      [](const auto &Kid) { return endsObjects(*Kid); });
}

std::optional<TreeList>
openedBranch(const Tree &S, const Tree &InPlace, const ASTContext &Context,
             llvm::function_ref<bool(const Tree &, const Tree &)> Same) {
  const auto *If =
      S.is("IfStmt") ? dyn_cast_or_null<IfStmt>(S.Origin) : nullptr;
  bool First = false;
  if (!If || If->getInit() || If->getConditionVariable() ||
      !If->getCond()->EvaluateAsBooleanCondition(First, Context) ||
      !InPlace.is("DeclStmt") || InPlace.Kids.size() != 1 ||
      !InPlace.kid(0).is("StaticAssert"))
    return std::nullopt;
  // `!c`, `!!c`: what is asserted is that the branch is taken.
  bool Asserted = true;
  const Tree *Cond = &withoutCasts(InPlace.kid(0).kid(0));
  for (; Cond->is("UnaryOperator") && Cond->Label == "!" &&
         !Same(withoutCasts(S.kid(0)), *Cond);
       Cond = &withoutCasts(Cond->kid(0)))
    Asserted = !Asserted;
  if (Asserted != First || !Same(withoutCasts(S.kid(0)), *Cond))
    return std::nullopt;
  const size_t Branch = First ? 1 : 2;
  TreeList Inside;
  if (Branch < S.Kids.size())
    Inside = statementsIn(S.kid(Branch));
  if (llvm::any_of(Inside, [](const Tree *T) { return endsObjects(*T); }))
    return std::nullopt;
  return Inside;
}

} // namespace kpipe
