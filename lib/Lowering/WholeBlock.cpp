// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the count of a barrier is not plainly the block's, all threads have to
// come to the loop: then fewer to wait for were a mistake of the author's.
#include "WholeBlock.h"
#include "Code/AstUtils.h"
#include "Code/AsyncCalls.h"
#include "Code/BlockAxes.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "Code/MbarrierOps.h"
#include "Code/ThreadDependence.h"
#include "Code/ThreadEnds.h"
#include "SharedNumbers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isThreadBlock(QualType T) {
  const auto *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && R->getIdentifier() && R->getName() == "thread_block" &&
         isToolkits(R);
}

/// The call that makes an object, through copies and temporaries.
const CallExpr *madeBy(const Expr *E) {
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *C = dyn_cast<CallExpr>(E))
      return C;
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bound->getSubExpr();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(E);
             Made && Made->getNumArgs() == 1)
      E = Made->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

/// `make_pipeline(block, &state)`: each thread of the block produces and
/// consumes.
bool isBlocksPipeline(const VarDecl *V) {
  return isMadeByBlock(V) && madeBy(V->getInit())->getNumArgs() == 2;
}

/// Is a number that of the block's threads, however many axes it has?
bool countsBlock(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    std::optional<GroupQuery> Q = groupQuery(C);
    return Q && !Q->Rank && !Q->Tile;
  }
  return axesOfBlock(E) == 3;
}

/// Do some threads leave the function, or go elsewhere, where others go on?
bool somePart(const Stmt *S, const Stmt *Loop, const ThreadDependence &Threads,
              bool Some) {
  if (!S || S == Loop || isa<LambdaExpr>(S))
    return false;
  if (Some && (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) ||
               (isa<Expr, DeclStmt, AsmStmt>(S) && mayEndThread(S))))
    return true;
  Some |= Threads.dependent(conditionOf(S));
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return somePart(Child, Loop, Threads, Some);
  });
}

/// Does the same happen to every thread on the way to a loop or to another
/// statement, and as often?
bool allThreadsCome(const Stmt *To, const FunctionDecl *Body,
                    const ThreadDependence &Threads) {
  if (somePart(Body->getBody(), To, Threads, false))
    return false;
  for (const Stmt *S : pathTo(To, Body->getBody()))
    if (Threads.dependent(conditionOf(S)))
      return false;
  return !Threads.dependent(conditionOf(To));
}

} // namespace

llvm::SmallVector<const DeclRefExpr *, 8>
namesOfBarrier(const VarDecl *V, const AsyncOps &Ops,
               const FunctionDecl *Body) {
  llvm::SmallVector<const DeclRefExpr *, 8> All;
  for (const DeclRefExpr *Name : namesOf(V, Body->getBody())) {
    const VarDecl *Holder = nullptr;
    for (const Stmt *S = Name; S && !Holder; S = Ops.parent(S))
      if (const auto *D = dyn_cast_or_null<DeclStmt>(Ops.parent(S)))
        for (const Decl *One : D->decls())
          if (const auto *Var = dyn_cast<VarDecl>(One);
              Var && Var->getInit() == S)
            Holder = Var;
    if (Holder && Holder != V && holdsBarrier(Holder, Body->getASTContext()))
      llvm::append_range(All, namesOfBarrier(Holder, Ops, Body));
    else
      All.push_back(Name);
  }
  return All;
}

const Expr *initialCount(const Stmt *S, const VarDecl *V) {
  if (const Expr *Count = S && V->isLocalVarDecl()
                              ? mbarrierCount(S, V, V->getASTContext())
                              : nullptr)
    return Count;
  const auto *C = dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  std::optional<unsigned> Element;
  if (!F || !F->getIdentifier() ||
      (F->getName() != "init" && F->getName() != "__mbarrier_init") ||
      !isToolkits(F) || C->getNumArgs() < 2 ||
      namedBy(C->getArg(0), Element, F->getASTContext()) != V)
    return nullptr;
  // A function for the end of each phase is the third argument's type.
  for (const Expr *More : llvm::drop_begin(C->arguments(), 2)) {
    const auto *R = More->getType()->getAsCXXRecordDecl();
    if (!isa<CXXDefaultArgExpr>(More) || !R || !isToolkits(R))
      return nullptr;
  }
  return C->getArg(1);
}

bool allThreadsComeTo(const Stmt *S, const FunctionDecl *Body) {
  return allThreadsCome(S, Body, ThreadDependence(Body, nullptr));
}

/// Is S the end of a pipeline for the thread, anywhere but behind all loops?
static bool endsTooEarly(const Stmt *S, const Stmt *Loop, const AsyncOps &Ops) {
  auto End = llvm::find_if(Ops.All, [&](const AsyncOp &One) {
    return One.At == S && One.Kind == AsyncKind::Quit;
  });
  if (End == Ops.All.end())
    return false;
  for (const Stmt *Up = S; Up; Up = Ops.parent(Up))
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Up))
      return true;
  return !End->Statement || !(Loop->getEndLoc() < S->getBeginLoc());
}

bool isMadeByBlock(const VarDecl *Pipe) {
  const CallExpr *C = madeBy(Pipe->getInit());
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && F->getName() == "make_pipeline" &&
         isToolkits(F) && C->getNumArgs() >= 2 &&
         isThreadBlock(C->getArg(0)->IgnoreParenImpCasts()->getType());
}

bool hasRolesInOneStage(const AsyncOp &Op) {
  const CallExpr *C = Op.Object ? madeBy(Op.Object->getInit()) : nullptr;
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier() || F->getName() != "make_pipeline" ||
      !isToolkits(F) || C->getNumArgs() != 3)
    return false;
  const auto *State = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      C->getArg(1)->getType()->getPointeeCXXRecordDecl());
  return State && State->getName() == "pipeline_shared_state" &&
         State->getTemplateArgs().size() == 2 &&
         State->getTemplateArgs()[1].getKind() == TemplateArgument::Integral &&
         State->getTemplateArgs()[1].getAsIntegral() == 1;
}

bool meetsWholeBlock(const AsyncOp &Op, const Stmt *Loop,
                     llvm::ArrayRef<const Stmt *> Loops, const AsyncOps &Ops,
                     const FunctionDecl *Body) {
  const VarDecl *V = Op.Object;
  // A reference may be to one of many, each with threads of its own.
  if (!V || !V->isLocalVarDecl() || V->getType()->isReferenceType() ||
      V->getType()->isPointerType())
    return false;
  const bool Pipeline =
      Op.Kind == AsyncKind::WaitOldest || Op.Kind == AsyncKind::Release;
  if (Pipeline && !isBlocksPipeline(V))
    return false;
  bool CountsBlock = true, Initialised = false;
  // What others meet at elsewhere is no barrier of the loop's threads alone; an
  // arrival there counts for a phase in the loop, or the reverse.
  bool UsedOutside = false, PartedOutside = false;
  // Of a phase that is asked for by its parity others may have been the end.
  const bool Parity = Op.Kind == AsyncKind::WaitForParity;
  const ThreadDependence Threads(Body, nullptr);
  for (const DeclRefExpr *Name : namesOfBarrier(V, Ops, Body)) {
    bool Known = false;
    for (const Stmt *S = Name; S && !Known; S = Ops.parent(S)) {
      const Expr *Count = initialCount(S, V);
      if (Count) {
        if ((Initialised && !V->getType()->isArrayType()) ||
            Ops.within(S, Loop))
          return false;
        Initialised = true;
        CountsBlock &= countsBlock(Count);
      }
      Known = Count || isa<UnaryExprOrTypeTraitExpr>(S) ||
              llvm::any_of(Ops.All, [&](const AsyncOp &One) {
                return One.At == S && One.Kind != AsyncKind::Other;
              });
      if (Known && endsTooEarly(S, Loop, Ops))
        return false;
      // phaseOfTurn() has looked at all loops that wait there.
      const bool Here = llvm::any_of(Loops, [&](const Stmt *L) {
        return (L == Loop || Parity) && Ops.within(S, L);
      });
      if (!Known || Count || !Ops.parent(S) || Here)
        continue;
      for (const AsyncOp &One : Ops.All)
        if (One.At == S) {
          UsedOutside = true;
          PartedOutside |= !allThreadsCome(S, Body, Threads) || Parity ||
                           (!Pipeline && One.Kind != AsyncKind::ArriveAndWait &&
                            One.Kind != AsyncKind::Copy);
        }
    }
    if (!Known)
      return false; // phases are counted by somebody else
  }
  if (PartedOutside ||
      ((!CountsBlock || UsedOutside || Parity) &&
       !allThreadsCome(Ops.parent(Op.Statement), Body, Threads)))
    return false;
  return Pipeline || (V->hasAttr<CUDASharedAttr>() && Initialised);
}

} // namespace kpipe
