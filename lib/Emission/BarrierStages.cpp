// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in front of the loop, see BarrierStages.h.
#include "BarrierStages.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

static void initialise(const BulkBarrier &Barrier, const PipelinePlan &Plan,
                       const SourceText &Source, const StageNames &Stages,
                       llvm::StringRef Unit, RuntimeCalls &Calls,
                       std::vector<Edit> &Edits) {
  const Range Statement = Source.statement(Barrier.Init);
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
  Mentions.V = Barrier.Var;
  Mentions.TraverseStmt(Barrier.Init);
  for (const StagedName &N : Stages.Staged)
    if (N.Var == Barrier.Var)
      for (SourceLocation L : Mentions.Found)
        if (auto At = Source.offset(L))
          Edits.push_back({*At, Source.tokenEnd(*At) - *At,
                           N.at(Stages.Stage, Stages.Bytes, Calls)});
}

std::vector<Edit> initialiseStages(const TileLoop &Loop,
                                   const PipelinePlan &Plan,
                                   const SourceText &Source,
                                   const StageNames &Stages,
                                   llvm::StringRef Unit, RuntimeCalls &Calls) {
  std::vector<Edit> Edits;
  for (const BulkBarrier &B : Loop.Bulk->Barriers)
    initialise(B, Plan, Source, Stages, Unit, Calls, Edits);
  return Edits;
}

} // namespace kpipe
