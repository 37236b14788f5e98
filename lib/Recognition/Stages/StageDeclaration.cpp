// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StageDeclaration.h.
#include "StageDeclaration.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

const CompoundStmt *blockOfLoop(const TileLoop &Tile) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Stmt *Loop;
    const CompoundStmt *Found = nullptr;
    bool VisitCompoundStmt(const CompoundStmt *C) override {
      for (const Stmt *S : C->body()) {
        while (const auto *A = dyn_cast<AttributedStmt>(S))
          S = A->getSubStmt();
        if (S == Loop)
          Found = C;
      }
      return !Found;
    }
  } F;
  F.Loop = Tile.Loop;
  F.TraverseStmt(Tile.Function->getBody());
  return F.Found;
}

bool isJumpedOver(const Stmt *Block, const TileLoop &Tile,
                  const ASTContext &Context) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const SourceManager &SM;
    SourceRange Block;
    bool Found = false;
    Finder(const SourceManager &SM, SourceRange Block) : SM(SM), Block(Block) {}
    bool isIn(SourceLocation L) const {
      L = SM.getExpansionLoc(L);
      return !SM.isBeforeInTranslationUnit(L, Block.getBegin()) &&
             !SM.isBeforeInTranslationUnit(Block.getEnd(), L);
    }
    bool VisitLabelStmt(const LabelStmt *) override { return !(Found = true); }
    // A case may stand in any block of its switch.
    bool VisitSwitchStmt(const SwitchStmt *S) override {
      for (const SwitchCase *C = S->getSwitchCaseList();
           C && !isIn(S->getBeginLoc()); C = C->getNextSwitchCase())
        Found |= isIn(C->getBeginLoc());
      return !Found;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } F(Context.getSourceManager(),
      Context.getSourceManager()
          .getExpansionRange(Block->getSourceRange())
          .getAsRange());
  F.TraverseStmt(Tile.Function->getBody());
  return F.Found;
}

} // namespace kpipe
