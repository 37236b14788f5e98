// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at every mention of the variable in the loop. See WiderLoads.h.

#include "WiderLoads.h"
#include "Code/AstUtils.h"
#include "CopiedValues.h"
#include "Recognition/Body/NamesInBody.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace clang;

namespace kpipe {

/// The local variable of which an expression is a member or an element.
static const VarDecl *wholeOf(const Expr *E) {
  bool IsPart = false;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase();
    else
      break;
    IsPart = true;
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  const bool Own = V && V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
                   !V->getType()->isPointerType() &&
                   !V->getType()->isReferenceType();
  return IsPart && Own ? V : nullptr;
}

namespace {

class Mentions {
public:
  Mentions(const VarDecl *V, std::function<bool(const Expr *)> IsGlobal)
      : V(V), IsGlobal(std::move(IsGlobal)) {}

  bool Filled = false, Other = false;

  void look(const Stmt *S) {
    if (!S || Other)
      return;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Each : D->decls())
        if (Each == V && V->hasInit())
          Filled |= IsGlobal(V->getInit());
    if (const auto *E = dyn_cast<Expr>(S)) {
      auto [To, Value] = assignmentOf(unwrapped(E));
      if (To && mentions(To, V)) {
        const bool Fills = !mentions(Value, V) && IsGlobal(Value);
        Filled |= Fills;
        Other |= !Fills;
        return;
      }
      if (const auto *C = dyn_cast<CastExpr>(E);
          C && C->getCastKind() == CK_LValueToRValue &&
          wholeOf(C->getSubExpr()) == V)
        return;
      if (const auto *D = dyn_cast<DeclRefExpr>(E))
        Other |= D->getDecl() == V;
    }
    for (const Stmt *Kid : S->children())
      look(Kid);
  }

private:
  const VarDecl *V;
  std::function<bool(const Expr *)> IsGlobal;
};

} // namespace

/// Does an expression load global memory, and nothing else?
static bool isGlobalLoad(const Expr *E, const Scope &In) {
  bool ReadOnly = false;
  const Expr *Source = readLValue(E, ReadOnly);
  if (!Source)
    return false;
  const Roots From =
      Source->isPRValue() ? In.ofPointer(Source) : In.ofLValue(Source);
  return !From.empty() && llvm::all_of(From, [](const MemoryRoot &R) {
           return R.Where == Space::Global;
         });
}

Message whyNoCopy(const Expr *Value, QualType T, const Stmt *Loop,
                  const Scope &In) {
  const VarDecl *V = wholeOf(Value);
  if (!V || !In.context().hasSameUnqualifiedType(
                Value->IgnoreParenImpCasts()->getType(), T))
    return msg::value_is_computed;
  Mentions M(V, [&](const Expr *E) { return isGlobalLoad(E, In); });
  M.look(Loop);
  return M.Filled && !M.Other ? msg::value_is_part : msg::value_is_computed;
}

} // namespace kpipe
