// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma in the compute region, see BulkFlight.h.
#include "BulkFlight.h"
#include "Code/AstUtils.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Where the sums are named: as what wgmma adds to, or otherwise.
struct Names : ConstDynamicRecursiveASTVisitor {
  const VarSet &Sums;
  llvm::ArrayRef<const Stmt *> Products;
  const DeclRefExpr *Other = nullptr;
  explicit Names(const VarSet &Sums, llvm::ArrayRef<const Stmt *> Products)
      : Sums(Sums), Products(Products) {
  }
  bool TraverseStmt(const Stmt *S) override {
    return llvm::is_contained(Products, S) ||
           ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && Sums.count(V))
      Other = D;
    return !Other;
  }
};

/// A second name of the sums: a reference, a pointer, a closure.
struct SecondNameOfSums : ConstDynamicRecursiveASTVisitor {
  const VarSet &Sums;
  bool Found = false;
  explicit SecondNameOfSums(const VarSet &Sums) : Sums(Sums) {}
  bool names(const Stmt *S) const {
    Names Of(Sums, {});
    Of.TraverseStmt(S);
    return Of.Other;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    QualType T = V->getType();
    Found |= (T->isReferenceType() || T->isPointerType()) && V->getInit() &&
             names(V->getInit());
    return !Found;
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    Found |= names(L->getBody());
    return !Found;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Found |= U->getOpcode() == UO_AddrOf && names(U);
    return !Found;
  }
};

class Flight {
public:
  Flight(LoopFacts &Facts, const BulkOpsOfItems &Ops)
      : Facts(Facts), Ops(Ops), Bulk(*Facts.Tile.Bulk) {}

  void run() {
    for (unsigned I = 0; I != Ops.size(); ++I)
      if (Facts.Tile.Body[I].S != Bulk.Issue && !Facts.Tile.Body[I].Replaced)
        for (const BulkOp &Op : Ops[I])
          one(Op, I);
    if (Products.empty() && !Commits)
      return;
    if (!Waits || !LastWaitsForAll)
      return void(Facts.Obstacles.push_back(
          {RuleId::ForeignAsync,
           startOf(Bulk.Issue),
           {msg::bulk_loop, Message(msg::bulk_matrix_not_waited)},
           {}}));
    if (Waits != 1 || !WaitItem)
      Why = msg::flight_several_waits;
    else if (Commits != 1)
      Why = msg::flight_several_groups;
    else if (!Why)
      checkNames();
    Bulk.MatrixWait = WaitItem;
    Bulk.NotInFlight = Why;
    if (!Bulk.staysInFlight())
      return;
    for (BodyItem &I : Facts.Tile.Body)
      if (I.S == WaitItem) {
        I.Replaced = true;
        I.InCompute = false;
      }
  }

private:
  LoopFacts &Facts;
  const BulkOpsOfItems &Ops;
  BulkTile &Bulk;
  VarSet Sums;
  llvm::SmallVector<const Stmt *, 8> Products;
  unsigned Commits = 0, Waits = 0;
  bool LastWaitsForAll = false;
  const Stmt *WaitItem = nullptr;
  Message Why;

  void one(const BulkOp &Op, unsigned Item) {
    switch (Op.Kind) {
    case BulkKind::Matrix:
      LastWaitsForAll = false;
      Products.push_back(Op.At);
      if (Op.RegisterOperand)
        Why = msg::flight_register_operand;
      if (Commits)
        Why = msg::flight_several_groups;
      for (const Expr *Sum : Op.Sums) {
        const auto *D = dyn_cast_or_null<DeclRefExpr>(Sum);
        const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
        if (V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
            !V->getType()->isPointerType())
          Sums.insert(V);
        else
          Why = msg::flight_sums_unknown;
      }
      return;
    case BulkKind::MatrixCommit:
      ++Commits;
      LastWaitsForAll = false;
      if (Op.Conditional)
        Why = msg::flight_several_groups;
      return;
    case BulkKind::MatrixWait:
      ++Waits;
      LastWaitsForAll = Op.Value == 0 && !Op.Conditional;
      if (Ops[Item].size() == 1 && Commits == 1 &&
          onlyThis(Facts.Tile.Body[Item].S, Op.At))
        WaitItem = Facts.Tile.Body[Item].S;
      return;
    default:
      return;
    }
  }

  /// The statement is that operation and nothing else.
  static bool onlyThis(const Stmt *S, const Stmt *Op) {
    const auto *E = dyn_cast<Expr>(S);
    return S == Op || (E && E->IgnoreParenCasts() == Op);
  }

  void checkNames() {
    for (const VarDecl *V : Sums)
      if (Facts.Body.Declared.count(V))
        Why = {msg::flight_sums_used, quoted(V)};
    Names InLoop(Sums, Products);
    for (const BodyItem &I : Facts.Tile.Body)
      InLoop.TraverseStmt(I.S);
    if (InLoop.Other)
      Why = {msg::flight_sums_used, quoted(InLoop.Other->getDecl())};
    SecondNameOfSums Second(Sums);
    Second.TraverseStmt(Facts.Tile.Function->getBody());
    if (Second.Found)
      Why = msg::flight_sums_unknown;
    // A loop behind the wait, or work there, may rely on sums that are there.
    bool Behind = false;
    for (unsigned I = 0; I != Facts.Tile.Body.size(); ++I) {
      const BodyItem &Item = Facts.Tile.Body[I];
      if (Behind && !Item.Barrier && !Facts.Items[I].isPure())
        Why = msg::flight_work_behind;
      Behind |= Item.S == WaitItem;
    }
  }
};

} // namespace

void findFlight(LoopFacts &Facts, const BulkOpsOfItems &Ops) {
  Flight(Facts, Ops).run();
}

} // namespace kpipe
