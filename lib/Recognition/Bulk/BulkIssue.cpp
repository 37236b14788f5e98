// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statement that issues, see BulkIssue.h.
#include "BulkIssue.h"
#include "Code/AstUtils.h"
#include "Code/BulkOps.h"
#include "Code/Variance.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// What is done at one mbarrier in a turn.
struct AtBarrier {
  unsigned Issuer = 0, Others = 0, All = 0; ///< arrivals, by whom
  unsigned Expects = 0, TensorCopies = 0;
  std::optional<int64_t> Copied = 0; ///< by bulk copies, which say how much
  VarSet Filled;
};

class Checker {
public:
  Checker(LoopFacts &Facts, const BulkOpsOfItems &Ops)
      : Facts(Facts), Tile(Facts.Tile), Context(Facts.In->context()), Ops(Ops) {
    while (Tile.Body[Issue].S != Tile.Bulk->Issue)
      ++Issue;
    At.resize(Tile.Bulk->Barriers.size());
  }

  void run() {
    checkPlaces();
    const auto *If = dyn_cast<IfStmt>(Tile.Bulk->Issue);
    if (!If || If->getInit() || If->hasVarStorage())
      return void(no(Tile.Bulk->Issue, msg::bulk_issue_is_no_if));
    checkCondition(If);
    for (const BulkOp &Op : bulkOpsOf(If->getThen(), Context))
      issues(Op);
    checkElse(If);
    for (unsigned I = Issue + 1; I != Tile.Body.size(); ++I)
      if (llvm::is_contained(Tile.Bulk->Arrivals, Tile.Body[I].S))
        for (const BulkOp &Op : Ops[I])
          if (AtBarrier *B = barrierOf(Op))
            B->All += unconditional(Op);
    // What is at another mbarrier is missing in the counts.
    for (unsigned I = 0; !Elsewhere && I != At.size(); ++I)
      checkBarrier(Tile.Bulk->Barriers[I], At[I]);
    checkChanges();
  }

private:
  LoopFacts &Facts;
  TileLoop &Tile;
  const ASTContext &Context;
  const BulkOpsOfItems &Ops;
  unsigned Issue = 0;
  llvm::SmallVector<AtBarrier, 2> At; ///< parallel to the tile's barriers
  bool Elsewhere = false; ///< something is for a barrier that nobody waits at

  bool no(const Stmt *At, Message Why) {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(At),
                               {msg::bulk_loop, std::move(Why)},
                               {}});
    return false;
  }

  /// Every tile fills the same elements. What a tile left out would be an older
  /// one's in the input, and of another stage in the ring.
  void checkPlaces() {
    VarSet Varies = Facts.Variant;
    llvm::SmallVector<const Stmt *, 8> Before;
    for (unsigned I = 0; I <= Issue; ++I) {
      for (const VarDecl *V : Facts.Items[I].Declared)
        Varies.erase(V);
      Before.push_back(Tile.Body[I].S);
    }
    spreadVariance(Varies, Before, *Facts.In);
    for (const BulkOp &Op : Ops[Issue])
      if (Op.copies() &&
          (placeDiffers(Op, Varies) || conditionDiffers(Op, Varies)))
        no(Op.At, {msg::bulk_place_varies, Op.Name});
  }

  static bool mentions(const Stmt *S, const VarSet &Any) {
    if (const auto *D = dyn_cast_or_null<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Any.count(V))
        return true;
    return S && llvm::any_of(S->children(), [&](const Stmt *Kid) {
             return mentions(Kid, Any);
           });
  }

  /// Where it copies to, and how much of it.
  bool placeDiffers(const BulkOp &Op, const VarSet &Varies) const {
    return !Op.To || mentions(Op.To, Varies) ||
           placeVaries(Op.To, Varies, *Facts.In) ||
           (Op.To->isPRValue() && varies(Op.To, Varies, *Facts.In)) ||
           (Op.Number && !Op.Value && varies(Op.Number, Varies, *Facts.In));
  }

  /// Does what decides over the copy, inside of the issue, vary?
  bool conditionDiffers(const BulkOp &Op, const VarSet &Varies) const {
    auto Around = conditionsOf(Op.At, Tile.Bulk->Issue, Tile.Bulk->Issue);
    return !Around || llvm::any_of(*Around, [&](const Expr *E) {
      return mentions(E, Varies) || varies(E, Varies, *Facts.In);
    }) || llvm::any_of(bulkOpsOf(Op.At, Context), [](const BulkOp &In) {
      return In.isConditional();
    });
  }

  void checkCondition(const IfStmt *If) {
    Effects Cond = effectsOf(If->getCond(), *Facts.In);
    const bool Writes = llvm::any_of(
        Cond.Writes, [&](const VarDecl *V) { return !Cond.Declared.count(V); });
    if (Writes || !Cond.Memory.empty() ||
        bulkOpsOf(If->getCond(), Context).size())
      no(If->getCond(), msg::bulk_condition_does_more);
    for (const VarDecl *V : inOrder(Cond.Reads))
      if (Facts.Variant.count(V))
        no(If->getCond(), {msg::bulk_condition_varies, quoted(V)});
  }

  AtBarrier *barrierOf(const BulkOp &Op) {
    bool Whole = false;
    const VarDecl *V = variableAt(Op.Barrier, Context, &Whole);
    for (unsigned I = 0; V && Whole && I != At.size(); ++I)
      if (Tile.Bulk->Barriers[I].Var == V)
        return &At[I];
    Elsewhere = true;
    no(Op.At, {msg::bulk_other_barrier, Op.Name});
    return nullptr;
  }

  bool unconditional(const BulkOp &Op) {
    return !Op.isConditional() ||
           no(Op.At, {msg::bulk_arrival_conditional, Op.Name}) || true;
  }

  /// What the issuer does.
  void issues(const BulkOp &Op) {
    const bool Arrives =
        Op.Kind == BulkKind::Arrive || Op.Kind == BulkKind::ArriveExpect;
    const bool Expects =
        Op.Kind == BulkKind::Expect || Op.Kind == BulkKind::ArriveExpect;
    if (Op.Kind == BulkKind::Fence)
      return;
    if (!Arrives && !Expects && !Op.copies())
      return void(no(Op.At, {msg::bulk_not_understood, Op.Name}));
    if (Arrives || Expects)
      unconditional(Op);
    AtBarrier *B = barrierOf(Op);
    if (!B)
      return;
    B->Issuer += Arrives;
    if (Expects) {
      ++B->Expects;
      if (Op.Value)
        Tile.Bulk->Barriers[B - At.data()].Bytes = *Op.Value;
    }
    if (!Op.copies())
      return;
    B->TensorCopies += Op.Kind == BulkKind::TensorCopy;
    if (const VarDecl *V = variableOf(Op))
      B->Filled.insert(V);
    B->Copied = B->Copied && Op.Value && !Op.isConditional()
                    ? std::optional(*B->Copied + *Op.Value)
                    : std::nullopt;
  }

  const VarDecl *variableOf(const BulkOp &Op) const {
    if (!Op.To)
      return nullptr;
    Roots All = Op.To->getType()->isPointerType() ? Facts.In->ofPointer(Op.To)
                                                  : Facts.In->ofLValue(Op.To);
    return All.size() == 1 ? All[0].Var : nullptr;
  }

  /// The others arrive, and do nothing else.
  void checkElse(const IfStmt *If) {
    if (!If->getElse())
      return;
    for (const BulkOp &Op : bulkOpsOf(If->getElse(), Context)) {
      if (Op.Kind != BulkKind::Arrive)
        no(Op.At, {msg::bulk_not_understood, Op.Name});
      else if (AtBarrier *B = barrierOf(Op))
        B->Others += unconditional(Op);
    }
  }

  /// One arrival of the issuer, or one of each thread.
  void checkBarrier(BulkBarrier &Barrier, const AtBarrier &Of) {
    const bool One = Of.Issuer == 1 && !Of.Others && !Of.All;
    Barrier.AllArrive = (Of.Issuer == 1 && Of.Others == 1 && !Of.All) ||
                        (!Of.Issuer && !Of.Others && Of.All == 1);
    if ((!One && !Barrier.AllArrive) || Of.Expects != 1)
      return void(no(Tile.Bulk->Issue,
                     {msg::bulk_arrivals, quoted(Barrier.Var),
                      Of.Issuer + Of.All, Of.Others + Of.All, Of.Expects}));
    checkBytes(Barrier, Of);
  }

  void checkBytes(const BulkBarrier &Barrier, const AtBarrier &Of) {
    if (!Of.TensorCopies) {
      if (!Of.Copied || !Barrier.Bytes)
        no(Tile.Bulk->Issue, msg::bulk_bytes_unknown);
      else if (*Of.Copied != int64_t(*Barrier.Bytes))
        no(Tile.Bulk->Issue,
           {msg::bulk_bytes_differ, *Barrier.Bytes, *Of.Copied});
      return;
    }
    // The box of a tensor map is the host's. What is expected has to be what
    // the arrays hold: no copy then leaves its array.
    uint64_t Room = 0;
    for (const StagedBuffer &B : Tile.Buffers) {
      if (!Of.Filled.count(B.Var))
        continue;
      if (!B.Bytes)
        return; // its size is the launch's
      Room += B.Bytes;
    }
    if (!Barrier.Bytes)
      no(Tile.Bulk->Issue, msg::bulk_bytes_unknown);
    else if (*Barrier.Bytes != Room)
      no(Tile.Bulk->Issue, {msg::bulk_bytes_not_arrays, *Barrier.Bytes, Room});
  }

  /// What it leaves in variables is a later tile's.
  void checkChanges() {
    for (const VarDecl *V : inOrder(Facts.Load.Writes)) {
      if (Facts.Load.Declared.count(V))
        continue;
      const bool Used =
          Facts.Compute.Reads.count(V) || Facts.Compute.Writes.count(V) ||
          llvm::any_of(Tile.HeaderVars,
                       [&](const HeaderVar &H) { return H.Var == V; });
      if (Used || !V->hasLocalStorage() || isReadOutside(V))
        no(Tile.Bulk->Issue, {msg::bulk_issue_changes, quoted(V)});
    }
  }

  /// Read outside of the loop. A token is none that the loop's own wait reads.
  bool isReadOutside(const VarDecl *V) const {
    auto Reads = [&](auto &Self, const Stmt *S) -> bool {
      if (!S || S == Tile.Loop)
        return false;
      if (const auto *D = dyn_cast<DeclRefExpr>(S); D && D->getDecl() == V)
        return true;
      return llvm::any_of(S->children(),
                          [&](const Stmt *Kid) { return Self(Self, Kid); });
    };
    return Reads(Reads, Tile.Function->getBody());
  }
};

} // namespace

void checkIssue(LoopFacts &Facts, const BulkOpsOfItems &Ops) {
  Checker(Facts, Ops).run();
}

} // namespace kpipe
