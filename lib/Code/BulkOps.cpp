// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk through a statement and the functions that it calls, see BulkOps.h.
#include "BulkOps.h"
#include "AstUtils.h"
#include "BulkInstructions.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class Reader {
public:
  explicit Reader(const ASTContext &Context)
      : Context(Context), Places(Context) {}
  llvm::SmallVector<BulkOp, 8> Found;

  void read(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    // What a constant decides is decided.
    if (const auto *If = dyn_cast<IfStmt>(S); If && If->isConstexpr())
      if (auto Live = If->getNondiscardedCase(Context)) {
        read(If->getInit());
        return read(*Live);
      }
    const bool Control = decides(S);
    Controls += Control;
    for (const Stmt *Kid : S->children())
      read(Kid);
    Controls -= Control;
    const size_t First = Found.size();
    if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
      readInstructions(A, Places, Context, Found);
      stands(First, A);
    } else if (const auto *C = dyn_cast<CallExpr>(S)) {
      call(C);
    }
  }

private:
  const ASTContext &Context;
  GivenPlaces Places;
  /// The call that is entered first.
  const CallExpr *Outer = nullptr;
  unsigned Depth = 0, Controls = 0;

  static bool decides(const Stmt *S) {
    const auto *B = dyn_cast<BinaryOperator>(S);
    return isa<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt,
               AbstractConditionalOperator>(S) ||
           (B && B->isLogicalOp());
  }

  void stands(size_t First, const Stmt *At) {
    for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First)) {
      Op.At = Depth ? static_cast<const Stmt *>(Outer) : At;
      Op.Conditional = Controls != 0;
    }
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F)
      return;
    const size_t First = Found.size();
    if (isToolkits(F)) {
      if (auto Op = bulkCall(C, Places, Context)) {
        Found.push_back(std::move(*Op));
        stands(First, C);
      }
      return;
    }
    if (!F->hasBody(Body) || Depth == 6)
      return;
    if (!Depth)
      Outer = C;
    Places.enter(C, Body);
    ++Depth;
    read(Body->getBody());
    --Depth;
    Places.leave();
    if (!Depth)
      for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First))
        Op.Name = F->getNameAsString();
  }
};

} // namespace

llvm::SmallVector<BulkOp, 8> bulkOpsOf(const Stmt *S,
                                       const ASTContext &Context) {
  Reader All(Context);
  All.read(S);
  return std::move(All.Found);
}

const VarDecl *variableAt(const Expr *E, const ASTContext &Context,
                          bool *Whole) {
  if (Whole)
    *Whole = true;
  for (unsigned Steps = 0; E && Steps != 16; ++Steps) {
    E = E->IgnoreParenCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(D->getDecl());
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      const Expr *Sub = U->getSubExpr()->IgnoreParens();
      // Where a pointer variable itself stands is no place in the buffer.
      if (U->getOpcode() != UO_AddrOf || Sub->getType()->isPointerType())
        return nullptr;
      E = Sub;
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      if (Whole && constantValue(S->getIdx(), Context) != 0)
        *Whole = false;
      E = S->getBase();
    } else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->getOpcode() == BO_Add) {
      if (Whole)
        *Whole = false;
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
      if (!E->getType()->isPointerType())
        return nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

} // namespace kpipe
