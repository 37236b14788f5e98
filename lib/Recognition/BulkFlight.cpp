// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma in the compute region, see BulkFlight.h.
#include "BulkFlight.h"
#include "Code/AstUtils.h"
#include "Code/InlineAssembly.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What an element or a member belongs to; Indices: what is computed for it.
const VarDecl *objectOf(const Expr *E,
                        llvm::SmallVectorImpl<const Stmt *> &Indices) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      Indices.push_back(S->getIdx());
      E = S->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
      E = M->getBase();
    } else {
      break;
    }
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// Does a wgmma, or a call that makes one, name the sums but as what is added
/// to? Functions around it are entered.
bool usesSums(const Stmt *S, const VarSet &Sums, unsigned Depth = 0) {
  if (!S)
    return false;
  auto within = [&](const Stmt *Kid) { return usesSums(Kid, Sums, Depth); };
  // A place of the sums is handed on: only its indices are values.
  auto place = [&](const Expr *E, bool &OfSums) {
    llvm::SmallVector<const Stmt *, 2> Indices;
    const VarDecl *V = objectOf(E, Indices);
    OfSums = V && Sums.count(V);
    return OfSums ? llvm::any_of(Indices, within) : within(E);
  };
  bool OfSums = false;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      if (within(A->getInputExpr(I)))
        return true;
    const bool Matrix = classifyAsm(A->getAsmString()).OnlyMatrix;
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (place(A->getOutputExpr(I), OfSums) || (OfSums && !Matrix))
        return true;
    return false;
  }
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
  if (F && F->hasBody(Body) && !isa<CXXMethodDecl>(Body)) {
    VarSet Inner;
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      if (place(C->getArg(I), OfSums))
        return true;
      if (!OfSums)
        continue;
      const ParmVarDecl *P =
          I < Body->getNumParams() ? Body->getParamDecl(I) : nullptr;
      if (!P || Depth == 8 ||
          !(P->getType()->isReferenceType() || P->getType()->isPointerType()))
        return true;
      Inner.insert(P);
    }
    return !Inner.empty() && usesSums(Body->getBody(), Inner, Depth + 1);
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Sums.count(V))
      return true;
  return llvm::any_of(S->children(), within);
}

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
    for (const Stmt *Product : Products)
      if (usesSums(Product, Sums))
        Why = {msg::flight_sums_used, quoted(inOrder(Sums).front())};
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
