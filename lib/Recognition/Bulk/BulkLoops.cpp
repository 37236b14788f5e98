// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issue, wait, compute and the barrier behind it, see BulkLoops.h. Each is a
// statement of the body; what does two of these things at once is not taken
// apart.
#include "BulkLoops.h"
#include "BulkBarrier.h"
#include "BulkIssue.h"
#include "BulkParity.h"
#include "BulkTokens.h"
#include "Code/AstUtils.h"
#include "Code/BulkOps.h"
#include "Code/Jumps.h"
#include "Recognition/Body/BarrierStatements.h"
#include "Recognition/Body/LoopHeader.h"
#include "Recognition/Body/MatrixFlight.h"
#include "Recognition/Body/NamesInBody.h"
#include "Recognition/Body/SecondNames.h"
#include "Recognition/Body/TensorCores.h"
#include "Recognition/Body/WhatFollows.h"
#include "Recognition/Stages/Movable.h"
#include "Recognition/Stages/Rings.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isBulkLoop(const Stmt *Loop, const ASTContext &Context) {
  bool Copies = false, Waits = false;
  for (const BulkOp &Op : bulkOpsOf(bodyOf(Loop), Context)) {
    Copies |= Op.copies();
    if (Op.Kind != BulkKind::Wait || !Op.Barrier)
      continue;
    bool Whole = false;
    if (!variableAt(Op.Barrier, Context, &Whole) || !Whole)
      return false;
    Waits = true;
  }
  return Copies && Waits;
}

namespace {

class BulkRecogniser {
public:
  explicit BulkRecogniser(LoopFacts &Facts)
      : Facts(Facts), Tile(Facts.Tile), Context(Facts.In->context()) {}

  void run() {
    Tile.Bulk.emplace();
    if (!readBody() || !findParts())
      return;
    analyzeHeader(Facts);
    Facts.IsTileLoop = true;
    findClosingBarrier();
    divide();
    findBuffers();
    checkIssue(Facts, Ops);
    findBarriers(Facts);
    for (const BulkOp &Op : WaitOps)
      Op.Token ? checkToken(Facts, Op, Ops) : checkParity(Facts, Op);
    findFlight(Facts, Ops);
    findSecondNames(Facts);
    findMovedText(Facts);
    findRings(Facts);
    addBarrierBuffers();
    findMovable(Facts);
    findTensorCores(Facts);
    findWhatFollows(Facts);
    findBulkObstacles(Facts);
  }

private:
  LoopFacts &Facts;
  TileLoop &Tile;
  const ASTContext &Context;
  BulkOpsOfItems Ops; ///< parallel to Body
  int Issue = -1, FirstWait = -1, LastWait = -1;
  llvm::SmallVector<BulkOp, 2> WaitOps; ///< parallel to the tile's barriers

  bool no(const Stmt *At, Message Why) {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(At),
                               {msg::bulk_loop, std::move(Why)},
                               {}});
    return false;
  }

  bool readBody() {
    const auto *Block = dyn_cast<CompoundStmt>(bodyOf(Tile.Loop));
    if (!Block)
      return no(Tile.Loop, msg::body_without_braces);
    for (const Stmt *S : Block->body()) {
      BodyItem I;
      I.S = S;
      Effects E = effectsOf(S, *Facts.In);
      I.Barrier = isBarrier(S, E, Context);
      Tile.Body.push_back(I);
      Facts.Items.push_back(std::move(E));
      Ops.push_back(bulkOpsOf(S, Context));
    }
    findNamesInBody(Facts);
    llvm::SmallVector<const Effects *, 16> All;
    for (const Effects &E : Facts.Items)
      All.push_back(&E);
    Facts.Body = inSequence(All);
    for (const Event &E : Facts.Body.Events)
      if (E.Kind == EventKind::Invalid) {
        Facts.Obstacles.push_back(
            {RuleId::InvalidCode, startOf(E.At), msg::code_does_not_parse, {}});
        return false;
      }
    return true;
  }

  bool findParts() {
    for (unsigned I = 0; I != Ops.size(); ++I) {
      if (llvm::any_of(Ops[I], [](const BulkOp &Op) { return Op.copies(); })) {
        if (Issue >= 0)
          return no(Tile.Body[I].S, msg::bulk_two_issues);
        Issue = I;
      }
      if (llvm::any_of(Ops[I], [](const BulkOp &Op) {
            return Op.Kind == BulkKind::Wait;
          })) {
        if (!addWait(I))
          return false;
        FirstWait = FirstWait < 0 ? I : FirstWait;
        LastWait = I;
      }
    }
    if (Issue < 0 || FirstWait < 0 || Issue >= FirstWait)
      return no(Tile.Loop, msg::bulk_waits_first);
    Tile.Bulk->Issue = Tile.Body[Issue].S;
    return findArrivals();
  }

  /// A statement that waits does so at one mbarrier, and nothing else.
  bool addWait(unsigned I) {
    const Stmt *S = Tile.Body[I].S;
    if (Ops[I].size() != 1 || !writesNothing(Facts.Items[I]))
      return no(S, msg::bulk_wait_does_more);
    BulkBarrier B;
    B.Var = variableAt(Ops[I][0].Barrier, Context);
    B.Wait = S;
    if (!B.Var)
      return no(S, {msg::bulk_not_understood, Ops[I][0].Name});
    if (Tile.Bulk->barrier(B.Var))
      return no(S, {msg::bulk_two_waits, quoted(B.Var)});
    if (someWait(S, Ops[I][0].At))
      return no(S, {msg::bulk_wait_conditional, quoted(B.Var)});
    Tile.Bulk->Barriers.push_back(B);
    WaitOps.push_back(Ops[I][0]);
    Tile.Body[I].Replaced = true;
    return true;
  }

  /// A loop around the question whether there is anything to wait for is part
  /// of the wait; what else decides says that some threads do without.
  static bool someWait(const Stmt *S, const Stmt *Op) {
    return llvm::any_of(pathTo(Op, S), [](const Stmt *Way) {
      const auto *B = dyn_cast<BinaryOperator>(Way);
      return isa<IfStmt, SwitchStmt, ForStmt, AbstractConditionalOperator>(
                 Way) ||
             (B && B->isLogicalOp());
    });
  }

  /// `token = bar.arrive();` of all threads, between issue and waits. What else
  /// stands between two waits does not touch the tile: the output waits first.
  /// In front of an arrival of all threads nothing touches shared memory: their
  /// wait would be a barrier for it, and in the output it stands behind.
  bool findArrivals() {
    const Stmt *Touches = nullptr;
    for (int I = Issue + 1; I < LastWait; ++I) {
      const BodyItem &Item = Tile.Body[I];
      if (Item.Replaced)
        continue;
      const bool Arrives = llvm::any_of(Ops[I], [](const BulkOp &Op) {
        return Op.Kind == BulkKind::Arrive;
      });
      if (!Arrives) {
        if (I > FirstWait && touchesTile(I))
          return no(Item.S, msg::bulk_between_waits);
        if (!Touches && (touchesTile(I) || Item.Barrier))
          Touches = Item.S;
        continue;
      }
      if (Touches)
        return no(Touches, msg::bulk_before_arrival);
      if (Ops[I].size() != 1 || I > FirstWait || !doesNothingElse(I))
        return no(Item.S, {msg::bulk_not_understood, Ops[I][0].Name});
      Tile.Bulk->Arrivals.push_back(Item.S);
    }
    return true;
  }

  /// Beside what is done to the mbarrier.
  bool doesNothingElse(unsigned I) const {
    const Effects &E = Facts.Items[I];
    return llvm::all_of(E.Events,
                        [](const Event &Of) {
                          return Of.Kind == EventKind::AsyncCopy ||
                                 Of.Kind == EventKind::Assertion;
                        }) &&
           llvm::all_of(E.Memory, [&](const MemoryAccess &A) {
             return A.Root.Where == Space::Shared && A.Root.Var &&
                    Tile.Bulk->barrier(A.Root.Var);
           });
  }

  static bool writesNothing(const Effects &E) {
    return llvm::all_of(E.Writes,
                        [&](const VarDecl *V) { return E.Declared.count(V); });
  }

  bool touchesTile(unsigned I) const {
    return Facts.Items[I].readsShared() || Facts.Items[I].writesShared() ||
           !Ops[I].empty();
  }

  /// The last barrier behind all that reads the tile.
  void findClosingBarrier() {
    for (unsigned I = Tile.Body.size(); I-- > unsigned(LastWait) + 1;) {
      if (Tile.Body[I].Barrier) {
        Tile.LoadBarrier = Tile.Body[I].S;
        break;
      }
      if (touchesTile(I))
        break;
    }
    Tile.Bulk->Unclosed = !Tile.LoadBarrier;
  }

  /// What is computed for the copies in front of them is done on both sides.
  void divide() {
    llvm::SmallVector<const Effects *, 16> Load, Compute;
    for (unsigned I = 0; I != Tile.Body.size(); ++I) {
      BodyItem &Item = Tile.Body[I];
      const Effects &E = Facts.Items[I];
      const bool Front = I < unsigned(Issue);
      const bool Issues =
          I == unsigned(Issue) || llvm::is_contained(Tile.Bulk->Arrivals, Item.S);
      Item.InLoad = Issues || (Front && !Item.Barrier);
      Item.InCompute = !Issues && !Item.Replaced &&
                       Item.S != Tile.LoadBarrier && (!Front || isReadBehind(I));
      if (Front && (!isa<DeclStmt>(Item.S) || !E.isPure() || E.readsShared() ||
                    E.readsGlobal()))
        no(Item.S, msg::bulk_work_in_front);
      if (Item.InLoad)
        Load.push_back(&E);
      if (Item.InCompute)
        Compute.push_back(&E);
    }
    Facts.Load = inSequence(Load);
    Facts.Compute = inSequence(Compute);
    for (HeaderVar &V : Tile.HeaderVars) {
      V.ReadByLoad = Facts.Load.Reads.count(V.Var);
      V.ReadByCompute = Facts.Compute.Reads.count(V.Var);
      Facts.Variant.insert(V.Var);
    }
    for (const VarDecl *V : Facts.Body.Writes)
      Facts.Variant.insert(V);
    for (const VarDecl *V : inOrder(Facts.Load.Exposed))
      if (Facts.Body.Writes.count(V))
        no(Tile.Bulk->Issue, {msg::bulk_issue_reads_changed, quoted(V)});
  }

  /// Does anything but the issue read what an item declares?
  bool isReadBehind(unsigned Declares) const {
    for (unsigned I = Declares + 1; I != Tile.Body.size(); ++I)
      for (const VarDecl *V : Facts.Items[Declares].Declared)
        if (I != unsigned(Issue) && !Tile.Body[I].Replaced &&
            Facts.Items[I].Reads.count(V))
          return true;
    return false;
  }

  const VarDecl *sharedRoot(const Expr *To) const {
    if (!To)
      return nullptr;
    Roots All = To->getType()->isPointerType() ? Facts.In->ofPointer(To)
                                               : Facts.In->ofLValue(To);
    return All.size() == 1 && All[0].Where == Space::Shared ? All[0].Var
                                                            : nullptr;
  }

  void findBuffers() {
    for (const BulkOp &Op : Ops[Issue]) {
      if (!Op.copies())
        continue;
      (Op.Kind == BulkKind::TensorCopy ? Tile.Bulk->TensorCopies
                                       : Tile.Bulk->BulkCopies)++;
      const VarDecl *V = sharedRoot(Op.To);
      if (!V) {
        no(Op.At, {msg::bulk_destination, Op.Name});
        continue;
      }
      if (llvm::any_of(Tile.Buffers,
                       [&](const StagedBuffer &B) { return B.Var == V; }))
        continue;
      StagedBuffer B;
      B.Var = V;
      if (!V->getType()->isIncompleteType())
        B.Bytes = Context.getTypeSizeInChars(V->getType()).getQuantity();
      Tile.Buffers.push_back(B);
    }
  }

  void addBarrierBuffers() {
    for (const BulkBarrier &Of : Tile.Bulk->Barriers) {
      StagedBuffer B;
      B.Var = Of.Var;
      B.Bytes = 8;
      B.Alignment = 8;
      Tile.Buffers.push_back(B);
    }
  }
};

} // namespace

void recogniseBulk(LoopFacts &Facts) { BulkRecogniser(Facts).run(); }

} // namespace kpipe
