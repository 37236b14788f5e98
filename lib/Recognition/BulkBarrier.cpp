// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declaration, initialisation and mentions, see BulkBarrier.h.
#include "BulkBarrier.h"
#include "Code/AstUtils.h"
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

  /// The barrier is initialised once, for one arrival, and is nobody else's.
  void run(const BulkOp &WaitOp) {
    Tile.Bulk->Barrier = variableAt(WaitOp.Barrier, Context);
    const VarDecl *V = Tile.Bulk->Barrier;
    if (!V->hasAttr<CUDASharedAttr>() || V->hasExternalStorage() ||
        V->getDeclContext() != Tile.Function ||
        V->getLocation().isMacroID() || V->getType()->isReferenceType() ||
        Context.getTypeSizeInChars(V->getType()).getQuantity() != 8)
      return void(no(Tile.Bulk->Wait, {msg::bulk_barrier_kind, quoted(V)}));
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
      return void(no(Tile.Bulk->Wait, {msg::bulk_no_init, quoted(V)}));
    bool InLoop = false;
    Tile.Bulk->Init = statementAround(Init->At, InLoop);
    const auto *E = dyn_cast_or_null<Expr>(Tile.Bulk->Init);
    if (!Tile.Bulk->Init || InLoop || Tile.Bulk->Init->getBeginLoc().isMacroID() ||
        bulkOpsOf(Tile.Bulk->Init, Context).size() != 1 ||
        (E ? E->IgnoreParenCasts() != Init->At : Tile.Bulk->Init != Init->At) ||
        !Context.getSourceManager().isBeforeInTranslationUnit(
            Tile.Bulk->Init->getBeginLoc(), Tile.Loop->getBeginLoc()))
      return void(no(Init->At, {msg::bulk_init_place, quoted(V)}));
    if (Init->Value != 1)
      return void(no(Init->At, {msg::bulk_init_count, quoted(V)}));
    if (!initialisesOnly(V))
      return void(no(Init->At, {msg::bulk_init_does_more, quoted(V)}));
    checkMentions(V);
  }

private:
  LoopFacts &Facts;
  TileLoop &Tile;
  const ASTContext &Context;

  bool no(const Stmt *At, Message Why) {
    Facts.Obstacles.push_back({RuleId::ForeignAsync,
                               startOf(At),
                               {msg::bulk_loop, std::move(Why)},
                               {}});
    return false;
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
  bool initialisesOnly(const VarDecl *V) const {
    const Effects E = effectsOf(Tile.Bulk->Init, *Facts.In);
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
  void checkMentions(const VarDecl *V) {
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
    for (const Stmt *S : {Tile.Bulk->Init, Tile.Bulk->Issue, Tile.Bulk->Wait})
      F.Allowed.push_back(S->getSourceRange());
    F.TraverseStmt(Tile.Function->getBody());
    if (const FunctionDecl *P = Tile.Function->getTemplateInstantiationPattern())
      F.TraverseStmt(P->getBody());
    if (F.Found)
      no(F.Found, {msg::bulk_barrier_elsewhere, quoted(V)});
  }
};

} // namespace

void findBarrier(LoopFacts &Facts, const BulkOp &Wait) {
  BarrierFinder(Facts).run(Wait);
}

} // namespace kpipe
