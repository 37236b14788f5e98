// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in front of the loop, see BarrierStages.h.
#include "BarrierStages.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace kpipe {

/// A line of its own for the statement at Offset, one step deeper; by a mark
/// where the statement has its line by one.
static std::string newLine(const SourceText &Source, unsigned Offset,
                           llvm::StringRef Unit) {
  if (auto More = markedDepth(Source.all().take_front(Offset)))
    return lineMark(*More + int(Unit.size()));
  return "\n" + Source.indentation(Offset).str() + Unit.str();
}

static void initialise(const BulkBarrier &Barrier, const PipelinePlan &Plan,
                       const SourceText &Source, const StageNames &Stages,
                       llvm::StringRef Unit, RuntimeCalls &Calls,
                       std::vector<Edit> &Edits) {
  const Range Statement = Source.statement(Barrier.Init);
  Edits.push_back({Statement.Begin, 0,
                   "for (int " + Stages.Stage + " = 0; " + Stages.Stage +
                       " < " + std::to_string(Plan.Buffers) + "; ++" +
                       Stages.Stage + ")" +
                       newLine(Source, Statement.Begin, Unit)});
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
