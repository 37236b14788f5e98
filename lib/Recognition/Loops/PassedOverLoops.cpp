// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PassedOverLoops.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isBlockBarrier(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  return F && classifyCall(F) == CallKind::BlockBarrier;
}

/// `bar.arrive_and_wait()`, `bar.wait(token)`.
bool waitsAtObject(const CallExpr *C) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
  return M && M->getIdentifier() && isToolkits(M) &&
         M->getParent()->getIdentifier() &&
         M->getParent()->getName() == "barrier" &&
         (M->getName() == "wait" || M->getName() == "arrive_and_wait");
}

bool has(const Stmt *S, bool (*Is)(const Stmt *)) {
  return S && (Is(S) || llvm::any_of(S->children(), [&](const Stmt *Kid) {
                 return has(Kid, Is);
               }));
}

bool namesShared(const Stmt *S) {
  const auto *D = dyn_cast<DeclRefExpr>(S);
  return D && D->getDecl()->hasAttr<CUDASharedAttr>();
}

bool stores(const Stmt *S) {
  const auto *B = dyn_cast<BinaryOperator>(S);
  return B && B->isAssignmentOp() && has(B->getLHS(), namesShared);
}

bool barriers(const Stmt *S) {
  const auto *C = dyn_cast<CallExpr>(S);
  return C && isBlockBarrier(C);
}

bool objects(const Stmt *S) {
  const auto *C = dyn_cast<CallExpr>(S);
  return C && waitsAtObject(C);
}

/// The innermost loop of that kind that is found first.
struct Search {
  const Stmt *InClosure = nullptr, *AtObject = nullptr;

  void visit(const Stmt *S, bool Closure) {
    if (!S)
      return;
    Closure |= isa<LambdaExpr>(S);
    for (const Stmt *Kid : S->children())
      visit(Kid, Closure);
    if (!isa<ForStmt, WhileStmt, DoStmt>(S))
      return;
    if (Closure && !InClosure && has(S, barriers) && has(S, namesShared))
      InClosure = S;
    if (!Closure && !AtObject && has(S, objects) && has(S, stores))
      AtObject = S;
  }
};

/// Loops whose own statements have a barrier, around one that has one, too.
struct OuterLoops {
  unsigned Count = 0;
  /// Is there a barrier in a statement, of its own or in a loop there?
  struct Barriers {
    bool Own = false, InLoop = false;
  };

  Barriers visit(const Stmt *S) {
    Barriers Here;
    if (!S || isa<LambdaExpr>(S))
      return Here;
    for (const Stmt *Kid : S->children()) {
      const Barriers In = visit(Kid);
      Here.Own |= In.Own;
      Here.InLoop |= In.InLoop;
    }
    Here.Own |= barriers(S);
    if (!isa<ForStmt, WhileStmt, DoStmt>(S))
      return Here;
    Count += Here.Own && Here.InLoop;
    return {false, Here.Own || Here.InLoop};
  }
};

} // namespace

unsigned countOuterLoops(llvm::ArrayRef<DeviceFunction> Functions) {
  OuterLoops All;
  for (const DeviceFunction &F : Functions)
    if (!F.Bodies.empty())
      All.visit(F.Bodies.front()->getBody());
  return All.Count;
}

Message whyPassedOver(llvm::ArrayRef<DeviceFunction> Functions,
                      const SourceManager &SM) {
  Search All;
  for (const DeviceFunction &F : Functions)
    for (const FunctionDecl *Body : F.Bodies)
      All.visit(Body->getBody(), false);
  auto Line = [&](const Stmt *S) {
    return SM.getExpansionLineNumber(S->getBeginLoc());
  };
  if (All.InClosure)
    return {msg::loop_in_closure, Line(All.InClosure)};
  if (All.AtObject)
    return {msg::loop_meets_at_object, Line(All.AtObject)};
  return {};
}

} // namespace kpipe
