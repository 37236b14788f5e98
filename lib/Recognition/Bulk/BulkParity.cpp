// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A phase bit that every turn flips, or a bit of the tile's number, see
// BulkParity.h. Both by their form, which holds for any number of tiles.
#include "BulkParity.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "Recognition/Body/SecondNames.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Parity {
public:
  Parity(const LoopFacts &Facts, const Stmt *Wait)
      : Facts(Facts), Wait(Wait), Context(Facts.In->context()) {}

  bool isOfTurn(const Expr *E) const {
    E = E->IgnoreParenCasts();
    if (const VarDecl *V = variable(E); V && !isHeader(V))
      return flips(V);
    // `t & 1`, `t % 2`
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    const auto Right = constantValue(B->getRHS(), Context);
    return ((B->getOpcode() == BO_And && Right == 1) ||
            (B->getOpcode() == BO_Rem && Right == 2)) &&
           isTurn(B->getLHS());
  }

private:
  const LoopFacts &Facts;
  const Stmt *Wait; ///< the item of the body
  const ASTContext &Context;

  static const VarDecl *variable(const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  }
  bool isHeader(const VarDecl *V) const {
    return llvm::any_of(Facts.Tile.HeaderVars,
                        [&](const HeaderVar &H) { return H.Var == V; });
  }

  /// `t` where it counts 0, 1, 2; `k / BK` where k goes on by BK.
  bool isTurn(const Expr *E) const {
    E = E->IgnoreParenCasts();
    int64_t Step = 1;
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      const auto By = constantValue(B->getRHS(), Context);
      if (!By || *By < 0 || *By > 1 << 20)
        return false;
      if (B->getOpcode() == BO_Div)
        Step = *By;
      else if (B->getOpcode() == BO_Shr && *By < 20)
        Step = int64_t(1) << *By;
      else
        return false;
      E = B->getLHS();
    }
    const VarDecl *V = variable(E);
    for (const HeaderVar &H : Facts.Tile.HeaderVars)
      if (H.Var == V)
        return startsAtZero(V) && stepOf(H) == Step;
    return false;
  }

  bool startsAtZero(const VarDecl *V) const {
    const auto *D = dyn_cast_or_null<DeclStmt>(Facts.Tile.Init);
    return D && llvm::is_contained(D->decls(), V) && V->getInit() &&
           constantValue(V->getInit(), Context) == 0;
  }

  std::optional<int64_t> stepOf(const HeaderVar &H) const {
    const Expr *E = H.Update->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->isIncrementOp() ? std::optional<int64_t>(1) : std::nullopt;
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (B && B->getOpcode() == BO_AddAssign)
      return constantValue(B->getRHS(), Context);
    return std::nullopt;
  }

  /// It begins as 0, and the one statement that changes it stands behind the
  /// wait in the body and flips it.
  bool flips(const VarDecl *V) const {
    if (!V->hasLocalStorage() || isa<ParmVarDecl>(V) || !V->getInit() ||
        constantValue(V->getInit(), Context) != 0 ||
        secondName(V, Facts.Tile.Function, nullptr))
      return false;
    const Expr *Flip = nullptr;
    bool Behind = false;
    for (const BodyItem &I : Facts.Tile.Body) {
      if (const auto *E = dyn_cast<Expr>(I.S);
          E && Behind && !Flip && flipsParity(E, V, Context))
        Flip = E;
      Behind |= I.S == Wait;
    }
    return Flip && timesChanged(Facts.Tile.Function->getBody(), V) == 1;
  }

  /// Whatever names it but to read it may change it: a reference, a closure,
  /// inline assembly.
  static unsigned timesChanged(const Stmt *S, const VarDecl *V) {
    const auto *C = dyn_cast_or_null<ImplicitCastExpr>(S);
    if (!S || (C && C->getCastKind() == CK_LValueToRValue &&
               isa<DeclRefExpr>(C->getSubExpr()->IgnoreParens())))
      return 0;
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      return D->getDecl() == V;
    unsigned Times = 0;
    const auto *Call = dyn_cast<CallExpr>(S);
    for (const Stmt *Kid : S->children())
      if (!Call || !onlyRead(Call, Kid))
        Times += timesChanged(Kid, V);
    return Times;
  }

  /// `const uint32_t &parity` of a function of the toolkit's.
  static bool onlyRead(const CallExpr *C, const Stmt *Kid) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !isToolkits(F) || isa<CXXMethodDecl>(F))
      return false;
    for (unsigned I = 0; I != C->getNumArgs() && I != F->getNumParams(); ++I) {
      QualType T = F->getParamDecl(I)->getType();
      const auto *Named =
          dyn_cast<DeclRefExpr>(C->getArg(I)->IgnoreParenImpCasts());
      if (C->getArg(I) == Kid && Named && T->isReferenceType())
        return T->getPointeeType().isConstQualified() &&
               !T->getPointeeType().isVolatileQualified();
    }
    return false;
  }
};

} // namespace

void checkParity(LoopFacts &Facts, const BulkOp &Wait) {
  for (const BulkBarrier &B : Facts.Tile.Bulk->Barriers)
    if (B.Var == variableAt(Wait.Barrier, Facts.In->context()) && Wait.Number &&
        Parity(Facts, B.Wait).isOfTurn(Wait.Number))
      return;
  Facts.Obstacles.push_back({RuleId::ForeignAsync,
                             startOf(Wait.At),
                             {msg::bulk_loop, Message(msg::bulk_parity)},
                             {}});
}

} // namespace kpipe
