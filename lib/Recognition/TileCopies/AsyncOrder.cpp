// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What asynchronous copies do otherwise than loads and stores: they have no
// order among each other, and one with zero fill computes its address before it
// looks at its guard.

#include "AsyncOrder.h"
#include "Code/AstUtils.h"
#include "HelperCalls.h"
#include "Meetings.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What in an address, or a guard, must be evaluated only where the author
/// does, and once: changes, calls, reads of memory that may not be there, and
/// divisions, of which compilers conclude that the divisor is not 0.
class Burden : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Burden(const ASTContext &Context) : Context(Context) {
    ShouldVisitImplicitCode = true;
  }

  bool Found = false;

  bool TraversePseudoObjectExpr(const PseudoObjectExpr *) override {
    return true; // threadIdx.x and its kin
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    if (C->getCastKind() == CK_LValueToRValue)
      Found |= !isThere(C->getSubExpr());
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    bool Toolkit = F && (F->getBuiltinID() ||
                         Context.getSourceManager().isInSystemHeader(
                             F->getLocation()));
    bool Values = llvm::none_of(C->arguments(), [](const Expr *A) {
      return A->getType()->isPointerType();
    });
    Found |= !Toolkit || !Values;
    return !Found;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Found |= U->isIncrementDecrementOp();
    return !Found;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    auto By = B->isMultiplicativeOp() && B->getOpcode() != BO_Mul
                  ? constantValue(B->getRHS(), Context)
                  : std::optional<int64_t>(1);
    Found |= B->isAssignmentOp() || By.value_or(0) == 0;
    return !Found;
  }
  bool VisitLambdaExpr(const LambdaExpr *) override { return !(Found = true); }
  bool VisitStmtExpr(const StmtExpr *) override { return !(Found = true); }
  bool VisitCXXNewExpr(const CXXNewExpr *) override { return !(Found = true); }

private:
  const ASTContext &Context;

  /// Can an lvalue be read at any time?
  static bool isThere(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return M->isArrow() ? isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts())
                          : isThere(M->getBase());
    const auto *D = dyn_cast<DeclRefExpr>(E);
    if (!D)
      return false;
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return !isa<BindingDecl>(D->getDecl());
    return !V->getType()->isReferenceType() &&
           (V->hasLocalStorage() || V->getType().isConstQualified() ||
            V->hasAttr<CUDAConstantAttr>());
  }
};

/// A guard is evaluated once either way, so that it may read and divide; what
/// it changes it must change before the address is computed.
bool changesNothing(const Expr *Guard, const Scope &In) {
  Effects E = effectsOf(Guard, In);
  return E.isPure() && E.Writes.empty();
}

} // namespace

void checkAsyncCopies(LoopFacts &Facts) {
  TileLoop &Tile = Facts.Tile;
  ASTContext &Context = Facts.In->context();
  for (TileCopy &C : Tile.Copies) {
    if (!C.Source || !C.Guard)
      continue;
    Burden Of(Context);
    Of.TraverseStmt(C.Source);
    std::optional<Scope> Callee;
    if (C.Helper)
      Callee.emplace(helperScope(C, *Facts.In));
    C.AddressIsFree =
        !Of.Found && changesNothing(C.Guard, Callee ? *Callee : *Facts.In);
  }

  if (ruleIsSwitchedOff("async-order") ||
      llvm::none_of(Tile.Copies, [](const TileCopy &C) {
        return C.NotAsync.empty();
      }))
    return;
  Places All(Facts);
  std::vector<PlacedStore> Stores;
  for (const TileCopy &C : Tile.Copies)
    Stores.push_back(All.of(C));
  for (unsigned I = 0; I != Stores.size(); ++I)
    for (unsigned J = I; J != Stores.size(); ++J) {
      unsigned Buffer = Tile.Copies[I].Buffer;
      if (Tile.Copies[J].Buffer != Buffer || !Tile.Copies[I].NotAsync.empty() ||
          neverMeet(Stores[I], Stores[J], All.atoms()))
        continue;
      const Message Why{msg::copies_may_collide,
                        quoted(Tile.Buffers[Buffer].Var)};
      // Copies of either kind would have no order, so all of them change.
      for (TileCopy &C : Tile.Copies)
        if (C.Buffer == Buffer && C.NotAsync.empty())
          C.NotAsync = Why;
      // One store of a helper takes one route in all its calls.
      for (TileCopy &C : Tile.Copies)
        for (const TileCopy &Other : Tile.Copies)
          if (C.NotAsync.empty() && C.Store == Other.Store)
            C.NotAsync = Other.NotAsync;
    }
}

} // namespace kpipe
