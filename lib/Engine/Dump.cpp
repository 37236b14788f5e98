// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dumps and report rows, see Dump.h.

#include "Dump.h"
#include "kpipe/Words.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kpipe {

namespace {

std::string place(const LoopFacts &F, const Stmt *S) {
  const SourceManager &SM = F.In->context().getSourceManager();
  SourceLocation L = SM.getExpansionLoc(S->getBeginLoc());
  return std::to_string(SM.getExpansionLineNumber(L)) + ":" +
         std::to_string(SM.getExpansionColumnNumber(L));
}

const char *name(Fill F) {
  switch (F) {
  case Fill::None:
    return "none";
  case Fill::Ternary:
    return "ternary";
  case Fill::IfElse:
    return "if-else";
  }
  return "";
}

/// Which iterations of a copy loop some thread may have to leave out.
const char *name(CopyLoop::Partial P) {
  switch (P) {
  case CopyLoop::Partial::Any:
    return "any part may be partial";
  case CopyLoop::Partial::Last:
    return "the last part may be partial";
  case CopyLoop::Partial::None:
    return "no part is partial";
  }
  return "";
}

} // namespace

/// A tile that the copy engine brings.
static void dumpBulk(const LoopFacts &F, llvm::raw_ostream &OS) {
  const BulkTile &B = *F.Tile.Bulk;
  OS << "  bulk tile, " << B.TensorCopies << " tensor and " << B.BulkCopies
     << " bulk copies";
  if (B.Issue)
    OS << ", issue " << place(F, B.Issue);
  for (const clang::Stmt *S : B.Arrivals)
    OS << ", arrival " << place(F, S);
  OS << '\n';
  for (const BulkBarrier &One : B.Barriers) {
    OS << "    mbarrier " << (One.Var ? One.Var->getName() : "?");
    if (One.Bytes)
      OS << ", " << *One.Bytes << " bytes";
    if (One.AllArrive)
      OS << ", all threads arrive";
    if (One.Init)
      OS << ", initialised " << place(F, One.Init);
    if (One.Wait)
      OS << ", wait " << place(F, One.Wait);
    OS << '\n';
  }
  if (B.Unclosed)
    OS << "    no barrier behind the compute\n";
}

static void dumpMatrix(const TileLoop &T, llvm::raw_ostream &OS) {
  OS << "    wgmma "
     << (T.Matrix->staysInFlight()
             ? "stay in flight"
             : "are waited for: " + T.Matrix->NotInFlight.str());
  if (T.crossesProxies())
    OS << (T.Matrix->Fenced ? ", behind a proxy fence" : ", no proxy fence");
  OS << '\n';
}

static void dumpBuffer(const LoopFacts &F, const StagedBuffer &B,
                       llvm::raw_ostream &OS) {
  OS << "  buffer " << B.Var->getName() << ' ' << B.Bytes << " bytes, align "
     << B.Alignment;
  if (B.NoRing.empty())
    OS << ", ring";
  else
    OS << ", single: " << B.NoRing;
  if (!B.MentionsAfter.empty())
    OS << ", used after the loop";
  if (B.KeepsContents && B.NoRing.empty())
    OS << ", keeps its contents";
  OS << '\n';
  for (const VarDecl *V : B.Views)
    OS << "    view " << V->getName() << '\n';
  for (const DeclRefExpr *D : B.CopiedMentions)
    OS << "    captured by copy " << place(F, D) << '\n';
  if (!B.Block && !B.NotDynamic.empty())
    OS << "    stays static: " << B.NotDynamic << '\n';
}

std::string dumpTileLoop(const LoopFacts &F) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  const TileLoop &T = F.Tile;
  OS << "tile-loop " << T.Function->getQualifiedNameAsString() << ' '
     << place(F, T.Loop) << '\n';
  if (!F.IsTileLoop) {
    OS << "  none\n";
    return Text;
  }
  OS << "  kind "
     << (T.Kind == LoopKind::For     ? "for"
         : T.Kind == LoopKind::While ? "while"
                                     : "do")
     << (T.BarrierFirst ? ", barrier first" : "")
     << (F.InOuterLoop ? ", in an outer loop" : "")
     << (T.BarrierAfter ? ", barrier after the epilogue" : "") << '\n';
  for (const HeaderVar &V : T.HeaderVars)
    OS << "  induction " << V.Var->getName()
       << (V.ReadByLoad ? " load" : "") << (V.ReadByCompute ? " compute" : "")
       << '\n';
  for (const VarDecl *V : T.PrivateToLoad)
    OS << "  private-to-load " << V->getName() << '\n';
  for (const StagedBuffer &B : T.Buffers)
    dumpBuffer(F, B, OS);
  if (T.Bulk)
    dumpBulk(F, OS);
  if (T.Matrix)
    dumpMatrix(T, OS);
  for (const TileCopy &C : T.Copies) {
    OS << "  copy " << place(F, C.Store) << " to "
       << T.Buffers[C.Buffer].Var->getName() << ", " << C.Bytes
       << " bytes, fill " << name(C.Kind);
    for (const CopyLoop &L : C.Loops) {
      OS << ", loop of " << (L.Trips ? std::to_string(L.Trips) : "?");
      if (L.Trips && !L.ConstantInit)
        OS << " from an index of the thread, " << name(L.Partly);
    }
    if (C.Helper)
      OS << ", in " << C.Helper->getName();
    OS << (C.NotAsync.empty() ? ", async" : ", not async: " + C.NotAsync.str())
       << '\n';
  }
  if (!T.NotSplittable.empty())
    OS << "  not splittable: " << T.NotSplittable << '\n';
  if (T.TensorCores)
    OS << "  tensor cores\n";
  for (const ForStmt *L : T.Unrollable)
    OS << "  short loop of the compute " << place(F, L) << '\n';
  for (unsigned I = 0; I != T.Body.size(); ++I) {
    const BodyItem &B = T.Body[I];
    OS << "  item " << place(F, B.S) << ' '
       << (B.SharedDecl              ? "declaration"
           : B.Step                  ? "step"
           : B.Replaced              ? "wait, replaced"
           : B.S == T.LoadBarrier    ? "barrier, load to compute"
           : B.Barrier && B.InCompute ? "barrier, compute"
           : B.Barrier               ? "barrier, replaced"
           : B.InLoad && B.InCompute ? "load and compute"
           : B.InLoad                ? "load"
                                     : "compute")
       << '\n';
  }
  return Text;
}

std::string dumpLegality(const std::vector<Diagnostic> &Violated) {
  if (Violated.empty())
    return "legal\n";
  std::string Text;
  for (const Diagnostic &D : Violated)
    Text += "violated " + idOf(*D.Rule).str() + " " + std::to_string(D.Where.Line) + ":" +
            std::to_string(D.Where.Column) + " " + D.What.str() + "\n";
  return Text;
}

std::string dumpPlan(const TileLoop &Loop, const PipelinePlan &Plan,
                     std::optional<double> Ratio) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "plan " << Plan.stages()
     << (Plan.stages() == 1 ? " stage" : " stages") << ", ";
  if (Plan.TilesInRegisters > 1)
    OS << Plan.TilesInRegisters << " tiles in ";
  OS << Plan.StagedRegisters << " staged registers, " << wordFor(Plan.Schedule)
     << '\n';
  for (unsigned I = 0; I != Plan.Copies.size(); ++I) {
    const TileCopy &C = Loop.Copies[I];
    OS << "  copy to " << Loop.Buffers[C.Buffer].Var->getName() << ", "
       << C.Bytes << " bytes: " << describe(Plan.Copies[I].Way) << ", "
       << Plan.Copies[I].Reason << '\n';
  }
  if (Ratio)
    OS << "  compute/load " << llvm::format("%.2f", *Ratio) << ", "
       << ratioClass(*Ratio) << '\n';
  else
    OS << "  compute/load unknown\n";
  OS << "  shared " << Plan.Before.SharedBytes << " -> "
     << Plan.After.SharedBytes << " bytes";
  if (Plan.dynamic())
    OS << ", dynamic 0 -> " << *Plan.After.DynamicBytes;
  else if (!Plan.Before.DynamicBytes)
    OS << ", dynamic unknown";
  else if (*Plan.Before.DynamicBytes)
    OS << ", dynamic " << *Plan.Before.DynamicBytes;
  OS << '\n';
  if (Plan.Before.Fits && Plan.After.Fits)
    OS << "  blocks per SM " << Plan.Before.Fits->BlocksPerSM << " -> "
       << Plan.After.Fits->BlocksPerSM << ", limited by "
       << describe(Plan.After.Fits->Limit) << ", cliff "
       << Plan.After.Fits->CliffBytes << ", distance "
       << Plan.After.Fits->DistanceToCliff << '\n';
  for (const BankConflict &C : Plan.Conflicts) {
    OS << "  " << C.LeastDegree << " to " << C.Degree << "-way conflict of " << (C.Write ? "writes" : "reads")
       << " of " << Loop.Buffers[C.Buffer].Var->getName();
    if (!C.Spacing.empty())
      OS << ", " << C.Spacing;
    if (C.PadElements)
      OS << (C.Padded ? ", padded by " : ", padding ") << C.PadElements
         << " elements, " << C.PadBytes << " bytes, leaves " << C.ReadsAfter << " of reads, " << C.WritesAfter << " of writes";
    if (!C.NotPadded.empty())
      OS << ", not padded: " << C.NotPadded;
    OS << '\n';
  }
  for (const Reason &R : Plan.Reasons)
    OS << (R.StepDown ? "  step-down: " : "  reason: ") << R.Text << '\n';
  return Text;
}

std::string dumpSums(const LoopFacts &F, const SumsVerdict &Sums) {
  if (F.Tile.Unrollable.empty())
    return "";
  if (Sums.Why.empty())
    return "  unrolling its short loops changes no sum\n";
  const SourceManager &SM = F.In->context().getSourceManager();
  return "  unrolling its short loops may change a sum: line " +
         std::to_string(SM.getExpansionLineNumber(Sums.Where)) + ": " +
         Sums.Why.str() + "\n";
}

void fillReport(LoopOutcome &O, const LoopFacts &Facts,
                const PipelinePlan *Plan, const KernelShape &Kernel,
                const ArchLimits &Arch, ASTContext &Context) {
  O.Report.Where = O.Where;
  O.Report.Function = O.Function;
  O.Report.TensorCores = Facts.Tile.TensorCores;
  O.Report.ShortLoops = !Facts.Tile.Unrollable.empty();
  O.Report.LoadsNoTile = Facts.LoadsNoTile;
  ArchReport A;
  A.Arch = Arch.Name;
  A.Verdict = O.Verdict;
  if (!Kernel.Name.empty())
    A.Launch = {Kernel.Name, Kernel.Threads, Kernel.DynamicShared,
                Plan ? Plan->After.Registers : std::nullopt};
  if (!Plan) {
    A.Reasons = O.Diagnostics;
    O.Report.Archs.push_back(std::move(A));
    return;
  }
  for (const Reason &R : Plan->Reasons) {
    Diagnostic D;
    D.Where = O.Where;
    D.What = R.Text;
    A.Reasons.push_back(std::move(D));
  }
  bool Async = Plan->hasRoute(Route::AsyncCopy);
  bool Staged = Plan->hasRoute(Route::Registers);
  A.Routes = Async && Staged ? RouteMix::Both
             : Async         ? RouteMix::AsyncCopy
                             : RouteMix::Registers;
  A.Form = Plan->form();
  A.RegistersStaged = Plan->StagedRegisters;
  for (unsigned I = 0; I != Plan->Copies.size(); ++I) {
    const TileCopy &C = Facts.Tile.Copies[I];
    A.Copies.push_back({Facts.Tile.Buffers[C.Buffer].Var->getNameAsString(),
                        C.Bytes, Plan->Copies[I].Way,
                        Plan->Copies[I].Reason});
  }
  for (const BankConflict &C : Plan->Conflicts) {
    const SourceManager &SM = Context.getSourceManager();
    PresumedLoc At = SM.getPresumedLoc(C.Where, false);
    ConflictReport R;
    R.Array = Facts.Tile.Buffers[C.Buffer].Var->getNameAsString();
    if (At.isValid())
      R.Where = {At.getFilename(), At.getLine(), At.getColumn()};
    R.Write = C.Write;
    R.Degree = C.Degree;
    R.LeastDegree = C.LeastDegree;
    R.Spacing = C.Spacing;
    R.PadElements = C.PadElements;
    R.PadBytes = C.PadBytes;
    R.ReadsPadded = C.ReadsAfter;
    R.WritesPadded = C.WritesAfter;
    R.Padded = C.Padded;
    R.NotPadded = C.NotPadded;
    A.Conflicts.push_back(std::move(R));
  }
  LaunchShape Before, After;
  // Without both sizes the blocks per SM are not known.
  if (Kernel.Threads && Plan->Before.DynamicBytes)
    Before.ThreadsPerBlock = After.ThreadsPerBlock = *Kernel.Threads;
  Before.Registers = Plan->Before.Registers;
  After.Registers = Plan->After.Registers;
  Before.StaticShared = Plan->Before.SharedBytes;
  After.StaticShared = Plan->After.SharedBytes;
  Before.DynamicShared = Plan->Before.DynamicBytes.value_or(0);
  After.DynamicShared = Plan->After.DynamicBytes.value_or(0);
  A.Budget = makeBudget(Arch, Before, After);
  O.Report.Archs.push_back(std::move(A));
}

} // namespace kpipe
