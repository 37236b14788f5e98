// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule uniform-barrier. A pipelined loop has one barrier a tile where the
// input had two. Threads that pass the barriers of another branch meanwhile are
// counted by the same hardware barrier, so their numbers would no longer match.

#include "Rules.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// Variables that may differ between the threads of a block, by any of their
/// assignments.
class ThreadDependence : public ConstDynamicRecursiveASTVisitor {
public:
  explicit ThreadDependence(const FunctionDecl *F) {
    do {
      Changed = false;
      TraverseStmt(F->getBody());
    } while (Changed);
  }

  bool dependent(const Expr *E) const {
    if (!E)
      return false;
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const llvm::SmallPtrSetImpl<const VarDecl *> &Vars;
      bool Found = false;
      explicit Finder(const llvm::SmallPtrSetImpl<const VarDecl *> &Vars)
          : Vars(Vars) {}
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        const auto *V = dyn_cast<VarDecl>(D->getDecl());
        if (V && (V->getName() == "threadIdx" || Vars.count(V)))
          Found = true;
        return !Found;
      }
      // What is loaded or returned cannot be told.
      bool VisitArraySubscriptExpr(const ArraySubscriptExpr *) override {
        return !(Found = true);
      }
      bool VisitUnaryOperator(const UnaryOperator *U) override {
        return !(Found |= U->getOpcode() == UO_Deref);
      }
      bool VisitCXXThisExpr(const CXXThisExpr *) override {
        return !(Found = true);
      }
      bool VisitCallExpr(const CallExpr *) override { return !(Found = true); }
      bool VisitGCCAsmStmt(const GCCAsmStmt *) override { return !(Found = true); }
      // threadIdx.x reads a special register through a call of a method.
      bool TraversePseudoObjectExpr(const PseudoObjectExpr *P) override {
        return TraverseStmt(P->getSyntacticForm());
      }
      bool TraverseOpaqueValueExpr(const OpaqueValueExpr *O) override {
        return TraverseStmt(O->getSourceExpr());
      }
    } F(Vars);
    F.TraverseStmt(E);
    return F.Found;
  }

  bool VisitVarDecl(const VarDecl *V) override {
    note(V, V->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isAssignmentOp())
      if (const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens()))
        note(dyn_cast<VarDecl>(D->getDecl()), B->getRHS());
    return true;
  }

private:
  llvm::SmallPtrSet<const VarDecl *, 16> Vars;
  bool Changed = false;

  void note(const VarDecl *V, const Expr *Value) {
    if (V && !Vars.count(V) && dependent(Value))
      Changed |= Vars.insert(V).second;
  }
};

/// The branches around a statement, outermost first.
struct PathFinder : ConstDynamicRecursiveASTVisitor {
  const Stmt *Target;
  llvm::SmallVector<const IfStmt *, 4> Path, Found;
  bool Done = false;
  explicit PathFinder(const Stmt *Target) : Target(Target) {}

  bool TraverseStmt(const Stmt *S) override {
    if (!S || Done)
      return true;
    if (S == Target) {
      Found = Path;
      Done = true;
      return true;
    }
    auto *I = dyn_cast<IfStmt>(S);
    if (I)
      Path.push_back(I);
    ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    if (I)
      Path.pop_back();
    return true;
  }
};

/// Barriers in branches of the function that not every thread takes.
struct OtherBarriers : ConstDynamicRecursiveASTVisitor {
  const Scope &In;
  const Stmt *Loop;
  const ThreadDependence &Threads;
  const Stmt *Found = nullptr;
  OtherBarriers(const Scope &In, const Stmt *Loop, const ThreadDependence &T)
      : In(In), Loop(Loop), Threads(T) {}

  bool TraverseStmt(const Stmt *S) override {
    if (!S || S == Loop || Found)
      return true;
    if (auto *I = dyn_cast<IfStmt>(S); I && Threads.dependent(I->getCond()))
      for (const Stmt *Branch : {I->getThen(), I->getElse()})
        look(Branch);
    return ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }

private:
  void look(const Stmt *Branch) {
    if (!Branch || Found)
      return;
    PathFinder HoldsLoop(Loop);
    HoldsLoop.TraverseStmt(Branch);
    if (HoldsLoop.Done)
      return;
    for (const Event &E : effectsOf(Branch, In).Events)
      if (E.Kind == EventKind::BlockBarrier ||
          E.Kind == EventKind::ValueBarrier) {
        Found = E.At;
        return;
      }
  }
};

} // namespace

/// A barrier that the author leaves out in some turns: all threads leave it out
/// in the same ones, and it is not the one that a tile waits at.
static void barriersOnConditions(const LoopFacts &F,
                                 const ThreadDependence &Threads,
                                 Findings &Out) {
  for (const BodyItem &I : F.Tile.Body)
    if (const auto *If = dyn_cast<IfStmt>(I.S);
        If && I.Barrier &&
        (If == F.Tile.LoadBarrier || Threads.dependent(If->getCond())))
      Out.push_back({RuleId::UniformBarrier, startOf(If),
                     msg::barrier_is_conditional,
                     {{startOf(If), msg::barrier_out_of_condition}}});
}

void uniformBarrier(const LoopFacts &F, const Directives &, Findings &Out) {
  ThreadDependence Threads(F.Tile.Function);
  barriersOnConditions(F, Threads, Out);
  PathFinder Path(F.Tile.Loop);
  Path.TraverseStmt(F.Tile.Function->getBody());
  if (Path.Found.empty())
    return;
  const IfStmt *Split = nullptr;
  for (const IfStmt *I : Path.Found)
    if (!Split && Threads.dependent(I->getCond()))
      Split = I;
  if (!Split)
    return;
  OtherBarriers Others(*F.In, F.Tile.Loop, Threads);
  Others.TraverseStmt(F.Tile.Function->getBody());
  if (!Others.Found)
    return;
  Obstacle Found{RuleId::UniformBarrier,
                 startOf(F.Tile.Loop),
                 msg::barriers_of_other_branch,
                 {}};
  Found.Notes.push_back({startOf(Split), msg::threads_diverge_here});
  Found.Notes.push_back({startOf(Others.Found), msg::others_wait_here});
  Out.push_back(std::move(Found));
}

} // namespace kpipe
