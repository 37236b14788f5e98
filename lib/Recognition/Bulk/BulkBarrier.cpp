// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declaration, initialisation and mentions, see BulkBarrier.h.
#include "BulkBarrier.h"
#include "Code/AstUtils.h"
#include "Code/BlockAxes.h"
#include "Code/BulkOps.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class BarrierFinder {
public:
  explicit BarrierFinder(LoopFacts &Facts)
      : Facts(Facts), Tile(Facts.Tile), Context(Facts.In->context()) {}

  /// Each barrier is initialised once, for those who arrive, and is nobody
  /// else's.
  void run() {
    // Where arrivals are not understood nothing is said about their number.
    Counted = Facts.Obstacles.empty();
    for (BulkBarrier &B : Tile.Bulk->Barriers)
      one(B);
    if (!Facts.Obstacles.empty())
      return;
    for (const BulkBarrier &B : Tile.Bulk->Barriers)
      checkMentions(B);
  }

private:
  LoopFacts &Facts;
  TileLoop &Tile;
  const ASTContext &Context;
  bool Counted = true;

  bool no(const Stmt *At, Message Why) {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(At),
                               {msg::bulk_loop, std::move(Why)},
                               {}});
    return false;
  }

  void one(BulkBarrier &B) {
    const VarDecl *V = B.Var;
    if (!V->hasAttr<CUDASharedAttr>() || V->hasExternalStorage() ||
        V->getDeclContext() != Tile.Function ||
        V->getLocation().isMacroID() || V->getType()->isReferenceType() ||
        Context.getTypeSizeInChars(V->getType()).getQuantity() != 8)
      return void(no(B.Wait, {msg::bulk_barrier_kind, quoted(V)}));
    const BulkOp *Init = nullptr;
    auto All = bulkOpsOf(Tile.Function->getBody(), Context);
    for (const BulkOp &Op : All)
      if (Op.Kind == BulkKind::Init && Op.Barrier &&
          variableAt(Op.Barrier, Context) == V) {
        if (Init)
          return void(no(Op.At, {msg::bulk_initialised_twice, quoted(V)}));
        Init = &Op;
      }
    if (!Init)
      return void(no(B.Wait, {msg::bulk_no_init, quoted(V)}));
    bool InLoop = false;
    B.Init = statementAround(Init->At, InLoop);
    if (!B.Init || InLoop || B.Init->getBeginLoc().isMacroID() ||
        bulkOpsOf(B.Init, Context).size() != 1 ||
        !isThis(B.Init, Init->At) ||
        !Context.getSourceManager().isBeforeInTranslationUnit(
            B.Init->getBeginLoc(), Tile.Loop->getBeginLoc()))
      return void(no(Init->At, {msg::bulk_init_place, quoted(V)}));
    if (Counted && !B.AllArrive && Init->Value != 1)
      return void(no(Init->At, {msg::bulk_init_count, quoted(V)}));
    if (Counted && B.AllArrive && !isBlock(*Init))
      return void(no(Init->At, {msg::bulk_init_block, quoted(V)}));
    if (!initialisesOnly(B))
      return void(no(Init->At, {msg::bulk_init_does_more, quoted(V)}));
  }

  /// The statement is that operation and nothing else.
  static bool isThis(const Stmt *S, const Stmt *Op) {
    const auto *E = dyn_cast<Expr>(S);
    if (const auto *Full = dyn_cast<FullExpr>(S))
      E = Full->getSubExpr();
    return S == Op || (E && E->IgnoreParenCasts() == Op);
  }

  /// As many arrivals as the block has threads: `blockDim.x`, a product of its
  /// axes, or a number, that of __launch_bounds__ where there are any. With more
  /// no phase would ever end; with less arrivals could come, in some order of
  /// the threads, while a phase that has had all of its own waits for its bytes.
  /// No program can rely on either, so the number is that of the threads.
  bool isBlock(const BulkOp &Init) const {
    if (!Init.Value)
      return Init.Number &&
             axesOfBlock(Init.Number->IgnoreParenCasts()).has_value();
    const auto *Bounds = Tile.Function->getAttr<CUDALaunchBoundsAttr>();
    const auto Most = Bounds ? constantValue(Bounds->getMaxThreads(), Context)
                             : std::nullopt;
    return Most ? Init.Value == Most
                : *Init.Value > 1 && *Init.Value <= 1024;
  }

  const Stmt *statementAround(const Stmt *S, bool &InLoop) const {
    auto Path = pathTo(S, Tile.Function->getBody());
    const Stmt *Found = nullptr;
    for (unsigned I = 0; I + 1 < Path.size(); ++I) {
      InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Path[I]);
      const auto *If = dyn_cast<IfStmt>(Path[I]);
      if (isa<CompoundStmt>(Path[I]) || (If && If->getThen() == Path[I + 1]))
        Found = Path[I + 1];
    }
    return Found;
  }

  /// The statement is repeated for each stage.
  bool initialisesOnly(const BulkBarrier &B) const {
    const VarDecl *V = B.Var;
    // libcu++'s does no more than that.
    const auto *Whole = dyn_cast<Expr>(B.Init);
    if (const auto *Full = dyn_cast<FullExpr>(B.Init))
      Whole = Full->getSubExpr();
    const auto *C =
        Whole ? dyn_cast<CallExpr>(Whole->IgnoreParenCasts()) : nullptr;
    if (C && C->getDirectCallee() && isToolkits(C->getDirectCallee()))
      return llvm::none_of(C->arguments(), [&](const Expr *A) {
        return A->HasSideEffects(Context, /*IncludePossibleEffects=*/false);
      });
    const Effects E = effectsOf(B.Init, *Facts.In);
    return llvm::all_of(E.Writes,
                        [&](const VarDecl *W) { return E.Declared.count(W); }) &&
           llvm::all_of(E.Memory,
                        [&](const MemoryAccess &A) {
                          return A.Root.Var == V ||
                                 !(A.Write || A.Atomic || A.Volatile);
                        }) &&
           llvm::all_of(E.Events, [](const Event &Of) {
             return Of.Kind == EventKind::AsyncCopy ||
                    Of.Kind == EventKind::Assertion;
           });
  }

  /// Is the barrier named anywhere but where it is initialised, in the issue
  /// and in the wait? Of a template the pattern has what an instance leaves out.
  void checkMentions(const BulkBarrier &B) {
    const VarDecl *V = B.Var;
    struct Finder : ConstDynamicRecursiveASTVisitor {
      const VarDecl *V;
      const DeclRefExpr *Found = nullptr;
      llvm::SmallVector<SourceRange, 3> Allowed;
      const SourceManager *SM;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (D->getDecl()->getLocation() == V->getLocation() &&
            llvm::none_of(Allowed, [&](SourceRange R) {
              return SM->getExpansionRange(R).getAsRange().fullyContains(
                  SM->getExpansionLoc(D->getLocation()));
            }))
          Found = D;
        return !Found;
      }
    } F;
    F.V = V;
    F.SM = &Context.getSourceManager();
    for (const Stmt *S : {B.Init, Tile.Bulk->Issue, B.Wait})
      F.Allowed.push_back(S->getSourceRange());
    for (const Stmt *S : Tile.Bulk->Arrivals)
      F.Allowed.push_back(S->getSourceRange());
    F.TraverseStmt(Tile.Function->getBody());
    if (const FunctionDecl *P = Tile.Function->getTemplateInstantiationPattern())
      F.TraverseStmt(P->getBody());
    if (F.Found)
      no(F.Found, {msg::bulk_barrier_elsewhere, quoted(V)});
  }
};

} // namespace

void findBarriers(LoopFacts &Facts) { BarrierFinder(Facts).run(); }

} // namespace kpipe
