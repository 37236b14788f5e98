// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issue, wait, compute and the barrier behind it, see BulkLoops.h. Each is a
// statement of the body; what does two of these things at once is not taken
// apart.
#include "BulkLoops.h"
#include "BarrierStatements.h"
#include "BulkBarrier.h"
#include "BulkParity.h"
#include "Code/AstUtils.h"
#include "Code/BulkOps.h"
#include "Code/Jumps.h"
#include "LoopHeader.h"
#include "MatrixFlight.h"
#include "Movable.h"
#include "NamesInBody.h"
#include "Rings.h"
#include "SecondNames.h"
#include "TensorCores.h"
#include "WhatFollows.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool copies(const BulkOp &Op) {
  return Op.Kind == BulkKind::TensorCopy || Op.Kind == BulkKind::BulkCopy;
}

bool isBulkLoop(const Stmt *Loop, const ASTContext &Context) {
  bool Copies = false, Waits = false;
  for (const BulkOp &Op : bulkOpsOf(bodyOf(Loop), Context)) {
    Copies |= copies(Op);
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

class Recogniser {
public:
  explicit Recogniser(LoopFacts &Facts)
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
    checkPlaces();
    checkIssue();
    findBarrier(Facts, WaitOp);
    checkParity(Facts, WaitOp);
    findFlight(Facts, Ops);
    findSecondNames(Facts);
    findMovedText(Facts);
    findRings(Facts);
    addBarrierBuffer();
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
  int Issue = -1, Wait = -1;
  BulkOp WaitOp;

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
      const Stmt *S = Tile.Body[I].S;
      if (llvm::any_of(Ops[I], copies)) {
        if (Issue >= 0)
          return no(S, msg::bulk_two_issues);
        Issue = I;
      }
      if (llvm::any_of(Ops[I], [](const BulkOp &Op) {
            return Op.Kind == BulkKind::Wait;
          })) {
        if (Wait >= 0)
          return no(S, msg::bulk_two_waits);
        Wait = I;
      }
    }
    if (Issue < 0 || Wait < 0 || Issue >= Wait)
      return no(Tile.Loop, msg::bulk_waits_first);
    if (Ops[Wait].size() != 1 || !writesNothing(Facts.Items[Wait]))
      return no(Tile.Body[Wait].S, msg::bulk_wait_does_more);
    WaitOp = Ops[Wait].front();
    Tile.Bulk->Issue = Tile.Body[Issue].S;
    Tile.Bulk->Wait = Tile.Body[Wait].S;
    Tile.Body[Wait].Replaced = true;
    return true;
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
    for (unsigned I = Tile.Body.size(); I-- > unsigned(Wait) + 1;) {
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
      Item.InLoad = I == unsigned(Issue) || (Front && !Item.Barrier);
      Item.InCompute =
          I != unsigned(Issue) && !Item.Replaced &&
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
        if (I != unsigned(Issue) && Facts.Items[I].Reads.count(V))
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
      if (!copies(Op))
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
      if (!V->getType()->isIncompleteType() && !V->hasExternalStorage())
        B.Bytes = Context.getTypeSizeInChars(V->getType()).getQuantity();
      Tile.Buffers.push_back(B);
    }
  }

  /// Every tile fills the same elements. What a tile left out would be an older
  /// one's in the input, and of another stage in the ring.
  void checkPlaces() {
    VarSet Varies = Facts.Variant, Own;
    for (int I = 0; I <= Issue; ++I)
      for (const VarDecl *V : Facts.Items[I].Declared)
        Own.insert(V), Varies.erase(V);
    // As often as there are variables that one may hand its value to.
    for (size_t Round = 0; Round <= Own.size(); ++Round)
      for (int I = 0; I <= Issue; ++I)
        spread(Tile.Body[I].S, Own, Varies);
    for (const BulkOp &Op : Ops[Issue]) {
      if (!copies(Op))
        continue;
      if (mentions(Op.To, Varies) ||
          conditionVaries(Tile.Bulk->Issue, Op.At, Varies) ||
          llvm::any_of(bulkOpsOf(Op.At, Context),
                       [](const BulkOp &In) { return In.isConditional(); }))
        no(Op.At, {msg::bulk_place_varies, Op.Name});
    }
  }

  static bool mentions(const Stmt *S, const VarSet &Any) {
    if (const auto *D = dyn_cast_or_null<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Any.count(V))
        return true;
    return S && llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return mentions(Kid, Any);
           });
  }

  /// A statement that changes something of the issue's own while it reads what
  /// varies makes that vary, too.
  void spread(const Stmt *S, const VarSet &Own, VarSet &Varies) const {
    if (!S)
      return;
    for (const Stmt *Kid : S->children())
      spread(Kid, Own, Varies);
    if (isa<CompoundStmt>(S))
      return;
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One);
            V && mentions(V->getInit(), Varies))
          Varies.insert(V);
      return;
    }
    const auto *B = dyn_cast<BinaryOperator>(S);
    const auto *To = B && B->isAssignmentOp()
                         ? dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens())
                         : nullptr;
    const auto *V = To ? dyn_cast<VarDecl>(To->getDecl()) : nullptr;
    if (V && Own.count(V) && mentions(B->getRHS(), Varies))
      Varies.insert(V);
  }

  /// Does what decides over the copy, inside of the issue, vary?
  static bool conditionVaries(const Stmt *S, const Stmt *Copy,
                              const VarSet &Varies) {
    auto Path = pathTo(Copy, S);
    for (unsigned I = 1; I < Path.size(); ++I) {
      if (isa<CompoundStmt>(Path[I]) || Path[I] == Copy)
        continue;
      for (const Stmt *Kid : Path[I]->children())
        if (I + 1 < Path.size() && Kid != Path[I + 1] &&
            mentions(Kid, Varies))
          return true;
    }
    return false;
  }

  /// One thread expects the bytes of all copies, and makes them.
  void checkIssue() {
    const auto *If = dyn_cast<IfStmt>(Tile.Bulk->Issue);
    if (!If || If->getElse() || If->getInit() || If->hasVarStorage())
      return void(no(Tile.Bulk->Issue, msg::bulk_issue_is_no_if));
    Effects Cond = effectsOf(If->getCond(), *Facts.In);
    if (!writesNothing(Cond) || !Cond.Memory.empty())
      no(If->getCond(), msg::bulk_condition_does_more);
    for (const VarDecl *V : inOrder(Cond.Reads))
      if (Facts.Variant.count(V))
        no(If->getCond(), {msg::bulk_condition_varies, quoted(V)});
    unsigned Arrivals = 0, Expects = 0;
    std::optional<int64_t> Copied = 0;
    const VarDecl *Barrier = variableAt(WaitOp.Barrier, Context);
    for (const BulkOp &Op : bulkOpsOf(If->getThen(), Context)) {
      const bool Counts = Op.Kind == BulkKind::Expect ||
                          Op.Kind == BulkKind::Arrive ||
                          Op.Kind == BulkKind::ArriveExpect;
      if (!Counts && !copies(Op) && Op.Kind != BulkKind::Fence)
        no(Op.At, {msg::bulk_not_understood, Op.Name});
      if (Counts && Op.isConditional())
        no(Op.At, {msg::bulk_arrival_conditional, Op.Name});
      bool Whole = false;
      if (Op.Kind != BulkKind::Fence && Op.Kind != BulkKind::Other &&
          (variableAt(Op.Barrier, Context, &Whole) != Barrier || !Whole))
        no(Op.At, {msg::bulk_other_barrier, Op.Name});
      Arrivals += Op.Kind == BulkKind::Arrive ||
                  Op.Kind == BulkKind::ArriveExpect;
      if (Op.Kind == BulkKind::Expect || Op.Kind == BulkKind::ArriveExpect) {
        ++Expects;
        if (Op.Value)
          Tile.Bulk->Bytes = *Op.Value;
      }
      if (copies(Op))
        Copied = Copied && Op.Value && !Op.isConditional()
                     ? std::optional(*Copied + *Op.Value)
                     : std::nullopt;
    }
    if (bulkOpsOf(If->getCond(), Context).size())
      no(If->getCond(), msg::bulk_condition_does_more);
    if (Arrivals != 1 || Expects != 1)
      no(If, {msg::bulk_arrivals, Arrivals, Expects});
    checkBytes(Copied);
  }

  /// \param Copied by bulk copies, which say how much they copy.
  void checkBytes(std::optional<int64_t> Copied) {
    if (!Tile.Bulk->TensorCopies) {
      if (!Copied || !Tile.Bulk->Bytes)
        no(Tile.Bulk->Issue, msg::bulk_bytes_unknown);
      else if (*Copied != int64_t(*Tile.Bulk->Bytes))
        no(Tile.Bulk->Issue, {msg::bulk_bytes_differ, *Tile.Bulk->Bytes, *Copied});
      return;
    }
    // The box of a tensor map is the host's. What is expected has to be what
    // the arrays hold: no copy then leaves its array.
    uint64_t Room = 0;
    for (const StagedBuffer &B : Tile.Buffers)
      if (!B.Bytes)
        return; // its size is the launch's
      else
        Room += B.Bytes;
    if (!Tile.Bulk->Bytes)
      no(Tile.Bulk->Issue, msg::bulk_bytes_unknown);
    else if (*Tile.Bulk->Bytes != Room)
      no(Tile.Bulk->Issue, {msg::bulk_bytes_not_arrays, *Tile.Bulk->Bytes, Room});
  }

  void addBarrierBuffer() {
    if (!Tile.Bulk->Barrier)
      return;
    StagedBuffer B;
    B.Var = Tile.Bulk->Barrier;
    B.Bytes = 8;
    B.Alignment = 8;
    Tile.Buffers.push_back(B);
  }
};

} // namespace

void recogniseBulk(LoopFacts &Facts) { Recogniser(Facts).run(); }

} // namespace kpipe
