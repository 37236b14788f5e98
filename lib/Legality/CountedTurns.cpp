// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountedTurns.h. The counter is a local variable with one change in the
// loop, which every turn makes, and whose value hangs on the counter alone and
// on what the loop leaves as it is. So the turns are the same whatever other
// threads store.

#include "CountedTurns.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/ThreadDependence.h"
#include "Code/UsesOfVariables.h"
#include "Recognition/Body/NamesInBody.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// The function's own variable that E names.
const VarDecl *variableOf(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
                 !V->getType().isVolatileQualified() &&
                 !D->refersToEnclosingVariableOrCapture()
             ? V
             : nullptr;
}

/// Ways out of a loop, and back to its begin.
struct WaysOut : ConstDynamicRecursiveASTVisitor {
  bool Out = false, Back = false;
  bool VisitStmt(const Stmt *S) override {
    Out |= isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S);
    Back |= isa<ContinueStmt, GotoStmt, IndirectGotoStmt>(S);
    return true;
  }
};

class Counter {
public:
  Counter(const Stmt *S, const Scope &In)
      : Loop(S), In(In), Whole(effectsOf(S, In)) {}

  std::optional<CountedTurns> run() {
    WaysOut J;
    J.TraverseStmt(Loop);
    Turns.MayEndEarlier = J.Out;
    ReturnsEarly = J.Back;
    const Expr *Until = conditionOf(Loop);
    if (!Until || hasLabel(Loop) || !ends(Until))
      return std::nullopt;
    return Turns;
  }

private:
  const Stmt *Loop;
  const Scope &In;
  const Effects Whole;
  bool ReturnsEarly = false;
  CountedTurns Turns;

  bool ends(const Expr *Until) {
    const auto *B = dyn_cast<BinaryOperator>(Until->IgnoreParenImpCasts());
    if (!B)
      return false;
    // Either side ends it; the other one is a way out.
    if (B->getOpcode() == BO_LAnd) {
      Turns.MayEndEarlier = true;
      return ends(B->getLHS()) || ends(B->getRHS());
    }
    return B->isComparisonOp() && (counts(B->getLHS(), B->getRHS()) ||
                                   counts(B->getRHS(), B->getLHS()));
  }

  /// Does Moving go on in each turn, and Bound not?
  bool counts(const Expr *Moving, const Expr *Bound) const {
    const VarDecl *V = variableOf(Moving);
    if (!V || !staysTheSame(Bound, nullptr))
      return false;
    const UsesOfVariables InLoop = usesIn(Loop),
                          InAll = usesIn(In.function()->getBody());
    if (InAll.Handed.count(V))
      return false;
    llvm::SmallVector<const Expr *, 2> Changes;
    const auto *F = dyn_cast<ForStmt>(Loop);
    if (auto Found = InLoop.Changes.find(V); Found != InLoop.Changes.end())
      for (const Expr *E : Found->second)
        if (!F || !F->getInit() || pathTo(E, F->getInit()).empty())
          Changes.push_back(E);
    return Changes.size() == 1 && isStep(Changes.front(), V) &&
           isInEachTurn(Changes.front());
  }

  /// May the loop store where B is read? Other threads may not, unless it asks
  /// again and again: that would be a race.
  bool mayStoreTo(const MemoryAccess &B) const {
    if (B.Root.Var && Whole.Writes.count(B.Root.Var))
      return true;
    return llvm::any_of(Whole.Memory, [&](const MemoryAccess &A) {
      const Space Its = A.Root.Where, Bounds = B.Root.Where;
      if (!A.Write && !A.Atomic)
        return false;
      if (Its == Space::Unknown || Bounds == Space::Unknown)
        return true;
      return Its == Bounds &&
             (!A.Root.Var || !B.Root.Var || A.Root.Var == B.Root.Var ||
              (Its == Space::Global && !(A.Root.Restrict && B.Root.Restrict)));
    });
  }

  /// Is E the same in each turn, but for what V is? A bound may be loaded. What
  /// a counter moves by may be what a turn waits for.
  bool staysTheSame(const Expr *E, const VarDecl *V) const {
    const Effects Of = effectsOf(E, In);
    return Of.Writes.empty() && Of.isPure() &&
           llvm::none_of(Whole.Writes, [&](const VarDecl *W) {
             return W != V && (mentions(E, W) || Of.Reads.count(W));
           }) &&
           llvm::none_of(Of.Memory, [&](const MemoryAccess &A) {
             return A.Root.Where != Space::Constant &&
                    (V || asksAgain(A) || mayStoreTo(A));
           });
  }

  bool isStep(const Expr *Change, const VarDecl *V) const {
    if (isa<UnaryOperator>(Change))
      return true;
    const auto *B = cast<BinaryOperator>(Change);
    return staysTheSame(B->getRHS(), V);
  }

  /// Is Change made in each turn: by the loop's own step, or by a statement of
  /// the body outside of branches?
  bool isInEachTurn(const Expr *Change) const {
    if (const auto *F = dyn_cast<ForStmt>(Loop);
        F && F->getInc() && !pathTo(Change, F->getInc()).empty())
      return isSurely(F->getInc(), Change, true);
    if (ReturnsEarly)
      return false;
    const Stmt *Body = bodyOf(Loop);
    const auto *Block = dyn_cast<CompoundStmt>(Body);
    if (!Block)
      return isSurely(Body, Change, true);
    return llvm::any_of(Block->body(), [&](const Stmt *Child) {
      return isSurely(Child, Change, true);
    });
  }

  /// Is Change evaluated wherever S is, and is its result but a value?
  /// \param Alone nobody asks for the result of S.
  static bool isSurely(const Stmt *S, const Expr *Change, bool Alone) {
    if (!S || isa<LambdaExpr, StmtExpr>(S))
      return false;
    if (S == Change)
      return Alone || !Change->isGLValue();
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::any_of(D->children(), [&](const Stmt *Child) {
        return isSurely(Child, Change, false);
      });
    if (!isa<Expr>(S))
      return false;
    if (const auto *P = dyn_cast<ParenExpr>(S))
      return isSurely(P->getSubExpr(), Change, Alone);
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S))
      return isSurely(C->getSubExpr(), Change,
                      C->getCastKind() == CK_LValueToRValue);
    if (const auto *C = dyn_cast<ConditionalOperator>(S))
      return isSurely(C->getCond(), Change, false);
    if (const auto *B = dyn_cast<BinaryOperator>(S)) {
      if (B->isLogicalOp())
        return isSurely(B->getLHS(), Change, false);
      if (B->isCommaOp())
        return isSurely(B->getLHS(), Change, true) ||
               isSurely(B->getRHS(), Change, Alone);
    }
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return isSurely(Child, Change, false);
    });
  }
};

} // namespace

bool asksAgain(const MemoryAccess &A) {
  return A.Atomic || A.Volatile ||
         (A.Root.Where != Space::Constant && !A.ReadOnly &&
          A.At && !A.At->isGLValue());
}

std::optional<CountedTurns> countedTurns(const Stmt *S, const Scope &In) {
  return Counter(S, In).run();
}

} // namespace kpipe
