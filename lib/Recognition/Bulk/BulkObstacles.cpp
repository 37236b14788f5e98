// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop may do beside bringing and computing a tile, if its copies are to
// be issued tiles earlier: nothing that other threads or the copies could see.
#include "BulkLoops.h"
#include "Code/AstUtils.h"
#include "Code/BulkOps.h"
#include "Code/InlineAssembly.h"
#include "Code/ThreadDependence.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// Is all assembly of unknown kind in S, and in what it calls, wgmma?
bool onlyMatrix(const Stmt *S, unsigned Depth = 0) {
  if (!S)
    return true;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    AsmEffect E = classifyAsm(A->getAsmString());
    return E.Kind != CallKind::Ordinary || E.OnlyMatrix;
  }
  if (isa<MSAsmStmt>(S) || Depth > 12)
    return false;
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body) && !onlyMatrix(Body->getBody(), Depth + 1))
      return false;
  }
  return llvm::all_of(S->children(),
                      [&](const Stmt *Kid) { return onlyMatrix(Kid, Depth); });
}

class Obstacles {
public:
  explicit Obstacles(LoopFacts &Facts)
      : Facts(Facts), Tile(Facts.Tile), Context(Facts.In->context()) {}

  void run() {
    if (Tile.Kind != LoopKind::For || Facts.InOuterLoop || !standsAlone())
      no(Tile.Loop, msg::bulk_outer_loop);
    for (unsigned I = 0; I != Tile.Body.size(); ++I) {
      const BodyItem &Item = Tile.Body[I];
      if (Item.S == Tile.Bulk->Issue ||
          llvm::is_contained(Tile.Bulk->Arrivals, Item.S))
        events(Facts.Items[I], Item, /*Issue=*/true);
      else if (!Tile.Bulk->waits(Item.S))
        compute(I);
    }
    for (const StagedBuffer &B : Tile.Buffers)
      if (!B.NoRing.empty())
        Facts.Obstacles.push_back({RuleId::ForeignAsync, B.NoRingLoc,
                                   {msg::bulk_loop, B.NoRing}, {}});
      else if (!B.MentionsAfter.empty())
        no(B.MentionsAfter.front(), {msg::bulk_used_after, name(B.Var)});
    if (Tile.Bulk->Unclosed)
      checkUniform();
  }

private:
  LoopFacts &Facts;
  TileLoop &Tile;
  const ASTContext &Context;

  static std::string name(const VarDecl *V) { return quoted(V); }

  void no(const Stmt *At, Message Why) {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(At),
                               {msg::bulk_loop, std::move(Why)},
                               {}});
  }

  /// Directly in the kernel's body, so that it runs once.
  bool standsAlone() const {
    const auto *Body = dyn_cast<CompoundStmt>(Tile.Function->getBody());
    return Body && llvm::any_of(Body->body(), [&](const Stmt *S) {
             while (const auto *A = dyn_cast<AttributedStmt>(S))
               S = A->getSubStmt();
             return S == Tile.Loop;
           });
  }

  void compute(unsigned I) {
    const BodyItem &Item = Tile.Body[I];
    for (const BulkOp &Op : bulkOpsOf(Item.S, Context))
      switch (Op.Kind) {
      case BulkKind::Fence:
      case BulkKind::Matrix:
      case BulkKind::MatrixFence:
      case BulkKind::MatrixCommit:
      case BulkKind::MatrixWait:
        break;
      default:
        no(Op.At, {msg::bulk_not_understood, Op.Name});
      }
    events(Facts.Items[I], Item, /*Issue=*/false);
    for (const MemoryAccess &A : Facts.Items[I].Memory) {
      const Stmt *At = A.At ? static_cast<const Stmt *>(A.At) : Item.S;
      if (A.Atomic || A.Volatile)
        no(At, msg::bulk_ordered_access);
      else if (A.Write && A.Root.Where == Space::Shared && A.Root.Var)
        continue; // of a tile that is no ring; or beside it
      else if (A.Write)
        no(At, msg::bulk_stores);
    }
  }

  /// As assembly, or as libcu++ calls it.
  static bool isProxyFence(llvm::StringRef Name) {
    return llvm::any_of(
        llvm::ArrayRef{"fence.proxy.async", "fence.mbarrier_init",
                       "fence_proxy_async", "fence_mbarrier_init"},
        [&](llvm::StringRef Start) { return Name.starts_with(Start); });
  }

  void events(const Effects &Of, const BodyItem &Item, bool Issue) {
    for (const Event &E : Of.Events)
      switch (E.Kind) {
      case EventKind::WarpSync:
      case EventKind::Assertion:
        break;
      case EventKind::BlockBarrier:
      case EventKind::ValueBarrier:
      case EventKind::Output:
        if (Issue)
          no(E.At, {msg::bulk_orders, E.Name});
        break;
      case EventKind::AsyncCopy:
        if (!Issue)
          no(E.At, {msg::bulk_not_understood, E.Name});
        break;
      case EventKind::Fence:
        if (!isProxyFence(E.Name))
          no(E.At, {msg::bulk_orders, E.Name});
        break;
      case EventKind::UnknownAsm:
        if (Issue || !onlyMatrix(Item.S))
          no(E.At, {msg::bulk_orders, E.Name});
        break;
      case EventKind::UnknownCall:
        no(E.At, {msg::callee_may_synchronize, E.Callee});
        break;
      default:
        no(E.At, E.Name.empty() ? Message(msg::bulk_jumps)
                                : Message(msg::bulk_orders, E.Name));
      }
    if (Issue)
      for (const MemoryAccess &A : Of.Memory)
        if ((A.Write && A.Root.Where != Space::Shared) || A.Atomic ||
            A.Volatile)
          no(A.At ? static_cast<const Stmt *>(A.At) : Item.S,
             msg::bulk_ordered_access);
  }

  /// A barrier that the input has not is passed by all threads, or by none.
  void checkUniform() {
    ThreadDependence Threads(Tile.Function, Facts.In->calls());
    bool Apart = Tile.LeftBefore || Threads.dependent(Tile.Cond) ||
                 !Tile.Function->hasAttr<CUDAGlobalAttr>();
    if (const auto *D = dyn_cast_or_null<DeclStmt>(Tile.Init))
      for (const Decl *One : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(One))
          Apart |= Threads.dependent(V->getInit());
    if (Apart)
      no(Tile.Loop, msg::bulk_unclosed_apart);
  }
};

} // namespace

void findBulkObstacles(LoopFacts &Facts) { Obstacles(Facts).run(); }

} // namespace kpipe
