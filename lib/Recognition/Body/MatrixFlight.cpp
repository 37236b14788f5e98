// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma in the compute region, see MatrixFlight.h.
#include "MatrixFlight.h"
#include "Code/AstUtils.h"
#include "Code/InlineAssembly.h"
#include "SumNames.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <vector>

using namespace clang;

namespace kpipe {

namespace {

/// What an element or a member belongs to; Indices: what is computed for it.
const VarDecl *objectOf(const Expr *E,
                        llvm::SmallVectorImpl<const Stmt *> &Indices) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      Indices.push_back(S->getIdx());
      E = S->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
      E = M->getBase();
    } else {
      break;
    }
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

/// Does a wgmma, or a call that makes one, name the sums but as what is added
/// to? Functions around it are entered.
bool usesSums(const Stmt *S, const VarSet &Sums, unsigned Depth = 0) {
  if (!S)
    return false;
  auto within = [&](const Stmt *Kid) { return usesSums(Kid, Sums, Depth); };
  // A place of the sums is handed on: only its indices are values.
  auto place = [&](const Expr *E, bool &OfSums) {
    llvm::SmallVector<const Stmt *, 2> Indices;
    const VarDecl *V = objectOf(E, Indices);
    OfSums = V && Sums.count(V);
    return OfSums ? llvm::any_of(Indices, within) : within(E);
  };
  bool OfSums = false;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I != A->getNumInputs(); ++I)
      if (within(A->getInputExpr(I)))
        return true;
    const bool Matrix = classifyAsm(A->getAsmString()).OnlyMatrix;
    for (unsigned I = 0; I != A->getNumOutputs(); ++I)
      if (place(A->getOutputExpr(I), OfSums) || (OfSums && !Matrix))
        return true;
    return false;
  }
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr, *Body = nullptr;
  if (F && F->hasBody(Body) && !isa<CXXMethodDecl>(Body)) {
    VarSet Inner;
    for (unsigned I = 0; I != C->getNumArgs(); ++I) {
      if (place(C->getArg(I), OfSums))
        return true;
      if (!OfSums)
        continue;
      const ParmVarDecl *P =
          I < Body->getNumParams() ? Body->getParamDecl(I) : nullptr;
      if (!P || Depth == 8 ||
          !(P->getType()->isReferenceType() || P->getType()->isPointerType()))
        return true;
      Inner.insert(P);
    }
    return !Inner.empty() && usesSums(Body->getBody(), Inner, Depth + 1);
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && Sums.count(V))
      return true;
  return llvm::any_of(S->children(), within);
}

/// Where the sums are named: as what wgmma adds to, or otherwise.
struct Names : ConstDynamicRecursiveASTVisitor {
  const VarSet &Sums;
  llvm::ArrayRef<const Stmt *> Products;
  const DeclRefExpr *Other = nullptr;
  explicit Names(const VarSet &Sums, llvm::ArrayRef<const Stmt *> Products)
      : Sums(Sums), Products(Products) {
  }
  bool TraverseStmt(const Stmt *S) override {
    return llvm::is_contained(Products, S) ||
           ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && Sums.count(V))
      Other = D;
    return !Other;
  }
};

/// The statement is that operation and nothing else.
bool onlyThis(const Stmt *S, const Stmt *Op) {
  const auto *E = dyn_cast<Expr>(S);
  return S == Op || (E && E->IgnoreParenCasts() == Op);
}

class Flight {
public:
  Flight(LoopFacts &Facts, const BulkOpsOfItems &Ops)
      : Facts(Facts), Ops(Ops) {}

  void run() {
    const std::optional<BulkTile> &Bulk = Facts.Tile.Bulk;
    for (unsigned I = 0; I != Ops.size(); ++I) {
      const BodyItem &Item = Facts.Tile.Body[I];
      Fenced |= Item.Replaced && !Bulk;
      if (Item.Replaced || (Bulk && Item.S == Bulk->Issue))
        continue;
      bool Reads = isAnyInFlight();
      for (const BulkOp &Op : Ops[I]) {
        one(Op, I);
        Reads |= isAnyInFlight();
      }
      if (Reads)
        checkStores(I);
    }
    if (Products.empty() && !Commits)
      return;
    MatrixTile &Matrix = Facts.Tile.Matrix.emplace();
    if (!Facts.Tile.Bulk && !understood())
      return;
    if (isAnyInFlight())
      return notWaited(Open.empty() ? Flying.front().At : Open.front().At);
    if (Waits != 1 || !WaitItem)
      Why = msg::flight_several_waits;
    else if (Commits != 1)
      Why = msg::flight_several_groups;
    else if (!Why)
      checkNames();
    Matrix.Wait = WaitItem;
    Matrix.NotInFlight = Why;
    Matrix.Fenced = Fenced;
    if (!Matrix.staysInFlight())
      return;
    for (BodyItem &I : Facts.Tile.Body)
      if (I.S == WaitItem) {
        I.Replaced = true;
        I.InCompute = false;
      }
  }

private:
  LoopFacts &Facts;
  const BulkOpsOfItems &Ops;
  VarSet Sums;
  llvm::SmallVector<const Stmt *, 8> Products;
  /// Those that are not committed, and those that are not waited for.
  std::vector<BulkOp> Open, Flying;
  unsigned Commits = 0, Waits = 0;
  bool Fenced = false;
  const Stmt *WaitItem = nullptr;
  Message Why;

  /// Of a bulk loop BulkObstacles asks.
  bool understood() {
    auto no = [&](const Stmt *At, const std::string &Name) {
      Facts.Obstacles.push_back({RuleId::ForeignAsync, startOf(At),
                                 {msg::bulk_not_understood, Name}, {}});
      return false;
    };
    for (unsigned I = 0; I != Ops.size(); ++I) {
      for (const BulkOp &Op : Ops[I])
        if (Op.Kind == BulkKind::Other || Op.ofThreadsCopies())
          return no(Op.At, Op.Name);
      for (const Event &E : Facts.Items[I].Events)
        if (E.OnlyMatrix && llvm::none_of(Ops[I], [&](const BulkOp &Op) {
              return Op.At == E.At;
            }))
          return no(E.At, E.Name);
    }
    return true;
  }

  bool isAnyInFlight() const { return !Open.empty() || !Flying.empty(); }

  /// What wgmma may be reading is not stored to.
  void checkStores(unsigned Item) {
    for (const MemoryAccess &A : Facts.Items[Item].Memory) {
      if (!A.Write || !mayBeShared(A))
        continue;
      bool Tile = !A.Root.Var;
      for (unsigned J = 0; J != Facts.Items.size(); ++J)
        for (const MemoryAccess &B : Facts.Items[J].Memory)
          Tile |= Facts.Tile.Body[J].InLoad && B.Write && mayBeShared(B) &&
                  mayOverlap(A.Root, B.Root);
      if (Tile)
        notWaited(A.At ? static_cast<const Stmt *>(A.At)
                       : Facts.Tile.Body[Item].S);
    }
  }

  bool storesMemory(unsigned Item) const {
    return llvm::any_of(Facts.Items[Item].Memory,
                        [](const MemoryAccess &A) { return A.Write; });
  }

  static bool mayBeShared(const MemoryAccess &A) {
    return A.Root.Where == Space::Shared || A.Root.Where == Space::Unknown;
  }

  void notWaited(const Stmt *At) {
    const bool Bulk = Facts.Tile.Bulk.has_value();
    Facts.Obstacles.push_back(
        {RuleId::ForeignAsync,
         startOf(Bulk ? Facts.Tile.Bulk->Issue : At),
         Bulk ? Message(msg::bulk_loop, Message(msg::bulk_matrix_not_waited))
              : Message(msg::matrix_not_waited),
         {}});
  }

  void one(const BulkOp &Op, unsigned Item) {
    switch (Op.Kind) {
    case BulkKind::Matrix:
      Open.push_back(Op);
      Products.push_back(Op.At);
      if (Op.RegisterOperand)
        Why = msg::flight_register_operand;
      if (Commits)
        Why = msg::flight_several_groups;
      for (const Expr *Sum : Op.Sums) {
        const auto *D = dyn_cast_or_null<DeclRefExpr>(Sum);
        const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
        if (V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
            !V->getType()->isPointerType())
          Sums.insert(V);
        else
          Why = msg::flight_sums_unknown;
      }
      return;
    case BulkKind::MatrixCommit:
      ++Commits;
      llvm::copy_if(Open, std::back_inserter(Flying),
                    [&](const BulkOp &X) { return Op.follows(X); });
      llvm::erase_if(Open, [&](const BulkOp &X) { return Op.follows(X); });
      Flying.push_back(Op); // a group, whatever is in it
      if (Op.isConditional())
        Why = msg::flight_several_groups;
      return;
    case BulkKind::MatrixWait:
      ++Waits;
      if (Op.Value == 0)
        llvm::erase_if(Flying, [&](const BulkOp &X) { return Op.follows(X); });
      if (Ops[Item].size() == 1 && Commits == 1 &&
          Facts.Items[Item].Events.size() == 1 &&
          Facts.Items[Item].Writes.empty() && !storesMemory(Item) &&
          onlyThis(Facts.Tile.Body[Item].S, Op.At))
        WaitItem = Facts.Tile.Body[Item].S;
      return;
    case BulkKind::Fence:
      Fenced |= Products.empty();
      return;
    default:
      return;
    }
  }

  /// wgmma beside the loop that it may find in flight: what they add to is there
  /// when a turn has waited, unless it leaves a group.
  void checkOthers() {
    VarSet Others, Before;
    const bool Again = mayRunAgain(Facts.Tile.Loop, Facts.Tile.Function);
    const SourceManager &SM = Facts.In->context().getSourceManager();
    for (const BulkOp &Op : bulkOpsOf(Facts.Tile.Function->getBody(),
                                      Facts.In->context())) {
      if (Op.Kind != BulkKind::Matrix || llvm::is_contained(Products, Op.At))
        continue;
      for (const Expr *Sum : Op.Sums)
        if (const auto *D = dyn_cast_or_null<DeclRefExpr>(Sum)) {
          const auto *V = cast<VarDecl>(D->getDecl());
          Others.insert(V);
          if (Again || SM.isBeforeInTranslationUnit(startOf(Op.At),
                                                    startOf(Facts.Tile.Loop)))
            Before.insert(V);
        } else {
          Why = msg::flight_sums_unknown;
        }
    }
    if (haveSecondName(Before, Facts.Tile.Function, Facts.Tile.Loop, {}))
      Why = msg::flight_sums_unknown;
    Names InLoop(Others, Products);
    for (const BodyItem &I : Facts.Tile.Body)
      InLoop.TraverseStmt(I.S);
    if (InLoop.Other)
      Why = {msg::flight_sums_used, quoted(InLoop.Other->getDecl())};
  }

  void checkNames() {
    if (ruleIsSwitchedOff("matrix-sums"))
      return;
    for (const VarDecl *V : Sums)
      if (Facts.Body.Declared.count(V))
        Why = {msg::flight_sums_used, quoted(V)};
    Names InLoop(Sums, Products);
    for (const BodyItem &I : Facts.Tile.Body)
      InLoop.TraverseStmt(I.S);
    if (InLoop.Other)
      Why = {msg::flight_sums_used, quoted(InLoop.Other->getDecl())};
    for (const Stmt *Product : Products)
      if (usesSums(Product, Sums))
        Why = {msg::flight_sums_used, quoted(inOrder(Sums).front())};
    if (haveSecondName(Sums, Facts.Tile.Function, Facts.Tile.Loop, Products))
      Why = msg::flight_sums_unknown;
    checkOthers();
    // The next tile's stores come before the wait for this tile's reads.
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      for (const MemoryAccess &A : Facts.Items[I].Memory)
        if (Facts.Tile.Body[I].InCompute && A.Write && mayBeShared(A))
          Why = msg::flight_stores_shared;
    // A loop behind the wait, or work there, may rely on sums that are there.
    bool Behind = false;
    for (unsigned I = 0; I != Facts.Tile.Body.size(); ++I) {
      const BodyItem &Item = Facts.Tile.Body[I];
      if (Behind && !Item.Barrier && !Facts.Items[I].isPure())
        Why = msg::flight_work_behind;
      Behind |= Item.S == WaitItem;
    }
  }
};

} // namespace

void findFlight(LoopFacts &Facts, const BulkOpsOfItems &Ops) {
  Flight(Facts, Ops).run();
}

BulkOpsOfItems matrixOpsOf(const LoopFacts &Facts) {
  BulkOpsOfItems All;
  if (llvm::none_of(Facts.Body.Events, [](const Event &E) {
        return llvm::StringRef(E.Name).starts_with("wgmma.");
      }))
    return All;
  bool Any = false;
  for (const BodyItem &I : Facts.Tile.Body) {
    All.push_back(bulkOpsOf(I.S, Facts.In->context()));
    Any |= llvm::any_of(All.back(), [](const BulkOp &Op) {
      return Op.Kind == BulkKind::Matrix;
    });
  }
  return Any ? All : BulkOpsOfItems();
}

/// Is item I `fence.proxy.async` and nothing else?
static bool isProxyFence(const LoopFacts &Facts, const BulkOpsOfItems &Ops,
                         unsigned I) {
  const Effects &E = Facts.Items[I];
  if (Ops[I].size() != 1 || Ops[I][0].Kind != BulkKind::Fence ||
      Ops[I][0].isConditional() || E.Events.size() != 1 || !E.Memory.empty() ||
      !E.Writes.empty() || !onlyThis(Facts.Tile.Body[I].S, Ops[I][0].At))
    return false;
  // What the pipeline has in its place is for shared memory alone.
  const llvm::StringRef Name = E.Events[0].Name;
  return Name.starts_with("fence.proxy.async.shared::") ||
         (Name == "fence.proxy.async" && !Facts.Body.writesGlobal());
}

void dropProxyFences(LoopFacts &Facts, const BulkOpsOfItems &Ops,
                     llvm::ArrayRef<bool> Front) {
  for (unsigned I = 0; I != Ops.size(); ++I)
    Facts.Tile.Body[I].Replaced = Front[I] && isProxyFence(Facts, Ops, I);
}

} // namespace kpipe
