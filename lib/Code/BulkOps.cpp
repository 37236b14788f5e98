// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk through a statement and the functions that it calls, see BulkOps.h.
#include "BulkOps.h"
#include "AstUtils.h"
#include "BulkInstructions.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

class BulkReader {
public:
  explicit BulkReader(const ASTContext &Context)
      : Context(Context), Places(Context) {}
  llvm::SmallVector<BulkOp, 8> Found;

  void read(const Stmt *S) {
    if (!S)
      return;
    if (const auto *L = dyn_cast<LambdaExpr>(S)) {
      for (const Expr *Init : L->capture_inits())
        read(Init);
      return;
    }
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
      return read(D->getExpr());
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S))
      return read(D->getExpr());
    // What a constant decides is decided.
    if (const auto *If = dyn_cast<IfStmt>(S); If && If->isConstexpr())
      if (auto Live = If->getNondiscardedCase(Context)) {
        read(If->getInit());
        return read(*Live);
      }
    const bool Control = decides(S);
    const size_t Before = Jumps.size();
    for (const Stmt *Kid : S->children()) {
      if (Control)
        Around.push_back(Kid);
      read(Kid);
      if (Control)
        Around.pop_back();
    }
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(S))
      Jumps.erase(std::remove_if(Jumps.begin() + Before, Jumps.end(),
                                 [](const Stmt *J) {
                                   return isa<BreakStmt, ContinueStmt>(J);
                                 }),
                  Jumps.end());
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, BreakStmt,
            ContinueStmt>(S))
      Jumps.push_back(S);
    const size_t First = Found.size();
    if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
      readInstructions(A, Places, Context, Found);
      stands(First, A);
    } else if (const auto *C = dyn_cast<CallExpr>(S)) {
      call(C);
    } else if (const auto *N = dyn_cast<CXXConstructExpr>(S)) {
      object(N);
    }
  }

private:
  const ASTContext &Context;
  GivenPlaces Places;
  /// The call that is entered first.
  const Expr *Outer = nullptr;
  unsigned Depth = 0;
  llvm::SmallVector<const Stmt *, 2> Around, Jumps; ///< as in BulkOp

  bool decides(const Stmt *S) const {
    const auto *B = dyn_cast<BinaryOperator>(S);
    bool Again = true;
    if (const auto *Once = dyn_cast<DoStmt>(S);
        Once && !Once->getCond()->isValueDependent() &&
        Once->getCond()->EvaluateAsBooleanCondition(Again, Context) && !Again)
      return false;
    return isa<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt,
               AbstractConditionalOperator>(S) ||
           (B && B->isLogicalOp());
  }

  /// Is there anything of these kinds in a function, at whatever depth?
  bool hasAny(const Stmt *S,
              llvm::SmallPtrSetImpl<const FunctionDecl *> &Seen) const {
    if (!S)
      return false;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return llvm::any_of(readInstructions(A->getAsmString()), isOfEngine);
    const FunctionDecl *F = nullptr, *Body = nullptr;
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      F = C->getDirectCallee();
      if (F && isToolkits(F) && bulkCall(C, Places, Context))
        return true;
    } else if (const auto *N = dyn_cast<CXXConstructExpr>(S)) {
      F = N->getConstructor();
    } else if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S)) {
      return hasAny(D->getExpr(), Seen);
    } else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(S)) {
      return hasAny(D->getExpr(), Seen);
    }
    return (F && F->hasBody(Body) && Seen.insert(Body).second &&
            hasAny(Body, Seen)) ||
           llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return hasAny(Kid, Seen);
           });
  }

  bool hasAny(const FunctionDecl *Body,
              llvm::SmallPtrSetImpl<const FunctionDecl *> &Seen) const {
    if (const auto *N = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *Init : N->inits())
        if (hasAny(Init->getInit(), Seen))
          return true;
    return hasAny(Body->getBody(), Seen);
  }

  void notFollowed(const Expr *C, const FunctionDecl *Body) {
    BulkOp Op;
    Op.At = Depth ? Outer : C;
    Op.Name = Body->getNameAsString();
    Op.Around = Around;
    Op.Jumps = Jumps;
    Found.push_back(Op);
  }

  void tooDeep(const Expr *C, const FunctionDecl *Body) {
    llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
    if (hasAny(Body, Seen))
      notFollowed(C, Body);
  }

  void stands(size_t First, const Stmt *At) {
    for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First)) {
      Op.At = Depth ? static_cast<const Stmt *>(Outer) : At;
      Op.Around = Around;
      Op.Jumps = Jumps;
    }
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F)
      return;
    const size_t First = Found.size();
    if (auto Op = rowLoad(C, Places, Context)) {
      Found.push_back(std::move(*Op));
      return stands(First, C);
    }
    if (isToolkits(F)) {
      if (auto Op = bulkCall(C, Places, Context)) {
        Found.push_back(std::move(*Op));
        stands(First, C);
      }
      return;
    }
    if (!F->hasBody(Body))
      return;
    if (Depth == 6)
      return tooDeep(C, Body);
    Places.enter(C, Body);
    enter(C, Body);
  }

  void enter(const Expr *C, const FunctionDecl *Body) {
    const size_t First = Found.size(), JumpsBefore = Jumps.size();
    if (!Depth)
      Outer = C;
    ++Depth;
    if (const auto *N = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *Init : N->inits())
        read(Init->getInit());
    read(Body->getBody());
    --Depth;
    Places.leave();
    Jumps.truncate(JumpsBefore);
    if (!Depth)
      for (BulkOp &Op : llvm::MutableArrayRef(Found).drop_front(First))
        Op.Name = Body->getNameAsString();
  }

  /// What a constructor does to its object is not followed; wgmma and what
  /// belongs to it says enough where its sums are not known.
  void object(const CXXConstructExpr *C) {
    const FunctionDecl *Body = nullptr;
    if (!C->getConstructor()->hasBody(Body))
      return;
    if (Depth == 6)
      return tooDeep(C, Body);
    const size_t First = Found.size();
    Places.enter(Body);
    enter(C, Body);
    if (llvm::all_of(llvm::ArrayRef(Found).drop_front(First),
                     [](const BulkOp &Op) {
                       return Op.Kind == BulkKind::Fence || isMatrix(Op.Kind);
                     }))
      return;
    Found.truncate(First);
    notFollowed(C, Body);
  }

  static bool isMatrix(BulkKind K) {
    return K == BulkKind::Matrix || K == BulkKind::MatrixFence ||
           K == BulkKind::MatrixCommit || K == BulkKind::MatrixWait;
  }
};

} // namespace

bool BulkOp::follows(const BulkOp &Other) const {
  auto within = [](llvm::ArrayRef<const Stmt *> Mine,
                   llvm::ArrayRef<const Stmt *> Its) {
    return Mine.size() <= Its.size() && Its.take_front(Mine.size()) == Mine;
  };
  return within(Around, Other.Around) && within(Jumps, Other.Jumps);
}

llvm::SmallVector<BulkOp, 8> bulkOpsOf(const Stmt *S,
                                       const ASTContext &Context) {
  BulkReader All(Context);
  All.read(S);
  return std::move(All.Found);
}

} // namespace kpipe
