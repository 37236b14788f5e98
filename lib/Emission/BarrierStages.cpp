// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in front of the loop, see BarrierStages.h.
#include "BarrierStages.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

std::vector<Edit> initialiseStages(const TileLoop &Loop,
                                   const PipelinePlan &Plan,
                                   const SourceText &Source,
                                   const StageNames &Stages,
                                   llvm::StringRef Unit, RuntimeCalls &Calls) {
  std::vector<Edit> Edits;
  const Range Statement = Source.statement(Loop.Bulk->Init);
  Edits.push_back({Statement.Begin, 0,
                   "for (int " + Stages.Stage + " = 0; " + Stages.Stage +
                       " < " + std::to_string(Plan.Buffers) + "; ++" +
                       Stages.Stage + ")\n" +
                       Source.indentation(Statement.Begin).str() + Unit.str()});
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    llvm::SmallVector<SourceLocation, 1> Found;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (D->getDecl() == V)
        Found.push_back(D->getLocation());
      return true;
    }
  } Mentions;
  Mentions.V = Loop.Bulk->Barrier;
  Mentions.TraverseStmt(Loop.Bulk->Init);
  for (const StagedName &N : Stages.Staged)
    if (N.Var == Loop.Bulk->Barrier)
      for (SourceLocation L : Mentions.Found)
        if (auto At = Source.offset(L))
          Edits.push_back({*At, Source.tokenEnd(*At) - *At,
                           N.at(Stages.Stage, Stages.Bytes, Calls)});
  return Edits;
}

} // namespace kpipe
