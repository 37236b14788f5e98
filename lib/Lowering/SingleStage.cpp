// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SingleStage.h"
#include "Code/InFlight.h"
#include "Code/InlineAssembly.h"
#include "Code/KnownFunctions.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool hasBarrier(const Stmt *S) {
  if (!S)
    return false;
  if (isBlockBarrierCall(S))
    return true;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    if (classifyAsm(A->getAsmString()).Kind == CallKind::BlockBarrier)
      return true;
  return llvm::any_of(S->children(), hasBarrier);
}

namespace {

/// Is an operation of such a kind in those, or in functions that they call?
bool hasAny(const AsyncOps &Ops, AsyncCode &Code, bool (*Is)(const AsyncOp &),
            unsigned Depth = 0) {
  return llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
    const AsyncOps *Inside = Op.Kind == AsyncKind::InHelper && Depth < 4
                                 ? Code.of(Op.Helper)
                                 : nullptr;
    return Inside ? hasAny(*Inside, Code, Is, Depth + 1) : Is(Op);
  });
}

bool copies(const AsyncOp &Op) { return Op.Kind == AsyncKind::Copy; }

bool waits(const AsyncOp &Op) {
  switch (Op.Kind) {
  case AsyncKind::Wait:
  case AsyncKind::WaitOldest:
  case AsyncKind::WaitAll:
  case AsyncKind::GroupWait:
  case AsyncKind::WaitForToken:
  case AsyncKind::ArriveAndWait:
  case AsyncKind::WaitForParity:
    return true;
  default:
    return false;
  }
}

/// Becomes a barrier of the block where it is none.
bool isBlockBarrier(const AsyncOp &Op) {
  return Op.Kind == AsyncKind::GroupWait ||
         Op.Kind == AsyncKind::WaitForToken ||
         Op.Kind == AsyncKind::ArriveAndWait ||
         Op.Kind == AsyncKind::WaitForParity ||
         (Op.OfBlock && Op.Kind == AsyncKind::WaitOldest);
}

/// Is nothing of its callers' in flight where a function begins? A wait in it
/// would be the wait for that, too.
bool beginsClean(const FunctionDecl *F, AsyncCode &Code, UnitCalls &Calls,
                 unsigned Depth = 0) {
  if (F->hasAttr<CUDAGlobalAttr>())
    return true;
  const CallIndex &Index = Calls.get();
  auto Found = Index.Calls.find(F->getCanonicalDecl());
  if (Depth == 4 || !Index.hasAll(F) || Found == Index.Calls.end())
    return false;
  return llvm::all_of(Found->second, [&](const CallExpr *C) {
    const FunctionDecl *From = Index.CallerOf.lookup(C);
    const AsyncOps *Ops = From ? Code.of(From) : nullptr;
    return Ops && InFlight(From, *Ops, Code).isCleanBefore(C) &&
           beginsClean(From, Code, Calls, Depth + 1);
  });
}

class SingleStageSearch {
public:
  SingleStageSearch(const FunctionDecl *Body, const AsyncOps &Ops,
                    AsyncCode &Code, UnitCalls &Calls)
      : Body(Body), Ops(Ops), Code(Code), Calls(Calls),
        Flight(Body, Ops, Code) {
    visit(Body->getBody());
  }

  llvm::SmallVector<AsyncTileLoop, 2> Found;

private:
  const FunctionDecl *Body;
  const AsyncOps &Ops;
  AsyncCode &Code;
  UnitCalls &Calls;
  InFlight Flight;

  /// Is there a loop of that kind in S, lowered or not? Then none around it is.
  bool visit(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    bool Inside = false;
    for (const Stmt *Child : S->children())
      Inside |= visit(Child);
    if (Inside || !isa<ForStmt, WhileStmt, DoStmt>(S) || !isTileLoop(S))
      return Inside;
    AsyncTileLoop One{S};
    One.NotUnderstood = notUnderstood(S);
    if (!One.NotUnderstood) {
      One.IsSingleStage =
          ruleIsSwitchedOff("async-in-flight") ||
          (Flight.isCleanAt(S) && beginsClean(Body, Code, Calls));
      One.LeftByTurns = Flight.leftByTurns(S);
    }
    Found.push_back(One);
    return true;
  }

  bool isTileLoop(const Stmt *Loop) const {
    bool Copies = false, Waits = false, Barrier = hasBarrier(Loop);
    for (const AsyncOp &Op : Ops.All)
      if (Ops.within(Op.At, Loop)) {
        // A call that is not understood may be either.
        const bool Any = Op.Kind == AsyncKind::Other && isa<CallExpr>(Op.At);
        Copies |= isUnreadCopy(Op);
        Copies |= Any || copies(Op) || isInHelper(Op, copies);
        Waits |= Any || waits(Op) || isInHelper(Op, waits);
        Barrier |= isBlockBarrier(Op);
      }
    return Copies && Waits && Barrier;
  }

  /// A copy with operands of its own, a cache policy; no bulk copy.
  static bool isUnreadCopy(const AsyncOp &Op) {
    const auto *A = dyn_cast<GCCAsmStmt>(Op.At);
    if (Op.Kind != AsyncKind::Other || !A)
      return false;
    const std::string Text = A->getAsmString();
    return llvm::StringRef(Text).contains("cp.async.c");
  }

  bool isInHelper(const AsyncOp &Op, bool (*Is)(const AsyncOp &)) const {
    const AsyncOps *Inside =
        Op.Kind == AsyncKind::InHelper ? Code.of(Op.Helper) : nullptr;
    return Inside && hasAny(*Inside, Code, Is);
  }

  const AsyncOp *notUnderstood(const Stmt *Loop) const {
    auto Found = llvm::find_if(Ops.All, [&](const AsyncOp &Op) {
      return Ops.within(Op.At, Loop) && Op.Kind != AsyncKind::Arrive &&
             Op.Kind != AsyncKind::InHelper &&
             (Op.Kind == AsyncKind::Other || !Op.Statement);
    });
    return Found == Ops.All.end() ? nullptr : &*Found;
  }
};

} // namespace

llvm::SmallVector<AsyncTileLoop, 2> findAsyncTileLoops(const FunctionDecl *Body,
                                                       const AsyncOps &Ops,
                                                       AsyncCode &Code,
                                                       UnitCalls &Calls) {
  return SingleStageSearch(Body, Ops, Code, Calls).Found;
}

} // namespace kpipe
