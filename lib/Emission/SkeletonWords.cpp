// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a skeleton, see SkeletonWords.h.
#include "SkeletonWords.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The author's barrier. What it is given may be known in the body alone, or
/// differ from tile to tile: then the barrier that it comes to.
static std::string barrierOf(const TileLoop &Loop, const SourceText &Source) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const TileLoop &Loop;
    bool Inside = false;
    explicit Finder(const TileLoop &Loop) : Loop(Loop) {}
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      const SourceManager &SM =
          Loop.Function->getASTContext().getSourceManager();
      SourceLocation At = SM.getExpansionLoc(D->getDecl()->getLocation());
      SourceRange Whole =
          SM.getExpansionRange(Loop.Loop->getSourceRange()).getAsRange();
      Inside |= Whole.fullyContains(At) ||
                llvm::any_of(Loop.HeaderVars, [&](const HeaderVar &H) {
                  return H.Var == D->getDecl();
                });
      return true;
    }
  } F(Loop);
  F.TraverseStmt(Loop.LoadBarrier);
  if (F.Inside || !Loop.LoadBarrier)
    return "__syncthreads();";
  std::string Text = Source.at(Source.statement(Loop.LoadBarrier)).str();
  return Text.back() == ';' ? Text : Text + ";";
}

/// No instruction, and a reader of all buffers for the compiler.
static std::string touchOf(const TileLoop &Loop,
                           llvm::ArrayRef<StagedName> Staged) {
  std::string Text = "asm volatile(\"\" : : ";
  for (const StagedBuffer &B : Loop.Buffers) {
    auto N = llvm::find_if(Staged,
                           [&](const StagedName &N) { return N.Var == B.Var; });
    Text += std::string(&B == Loop.Buffers.begin() ? "" : ", ") +
            (B.GivenOut ? "\"l\"(" : "\"l\"(&") +
            (N == Staged.end() || N->View ? B.named()->getNameAsString()
                                          : N->Stages) +
            ")";
  }
  return Text + " : \"memory\");";
}

static std::string parametersOf(const HeaderText &Header, const char *Between) {
  std::string P;
  for (const HeaderText::Var &V : Header.Vars)
    P += (P.empty() ? "" : ", ") + V.Type + Between + V.Name;
  return P;
}

/// Variables that run ahead, and a function for what a macro hides of their
/// updates.
static void runAhead(SkeletonText &T, const PipelinePlan &Plan,
                     const SourceText &Source, const Lambdas &Calls,
                     Names &Fresh, Lines &Out) {
  const HeaderText &H = T.Header;
  const bool StoresAtOnce =
      Plan.hasRoute(Route::Registers) && Plan.TilesInRegisters == 1;
  llvm::SmallVector<bool, 4> Needed;
  for (unsigned I = 0; I != H.Vars.size(); ++I)
    Needed.push_back(Calls.isGiven(TileWork::Ahead, I) ||
                     (StoresAtOnce && Calls.isGiven(TileWork::Store, I)));
  Names Tried = Fresh;
  CursorText Least = cursorOf(T.Loop, H, Needed, Tried, Source);
  // Functions of the variables take all of them.
  if (Least.Cond.empty() || Least.Step.empty())
    Needed.assign(H.Vars.size(), true);
  T.Cursor = cursorOf(T.Loop, H, Needed, Fresh, Source);
  if (T.Cursor.Step.empty()) {
    T.NextTile = Fresh.fresh("next_tile");
    Out.add(1, "auto " + T.NextTile + " = [&](" + parametersOf(H, " &") +
                   ") { " + H.Step + "; };");
  }
}

/// What the loop of tiles does, in one line.
static Message remarkOn(const TileLoop &Loop, const PipelinePlan &Plan,
                        const Schedule &S) {
  const bool Async = Plan.hasRoute(Route::AsyncCopy);
  if (Plan.Producer)
    return {Plan.Producer->isGroup() ? msg::comment_consumes_of_group
                                     : msg::comment_consumes,
            Plan.Buffers - 1};
  if (Loop.Bulk)
    return {msg::comment_brought, S.Fills};
  if (S.Fills > 1)
    return {Async ? msg::comment_copied_ahead : msg::comment_fetched_ahead,
            S.Fills};
  return {Async ? msg::comment_copied : msg::comment_fetched};
}

SkeletonText skeletonWords(const TileLoop &Loop, const PipelinePlan &Plan,
                           const SourceText &Source, const HeaderText &Header,
                           const StageNames &Stages, const Lambdas &Calls,
                           const ScheduleShape &Shape, const Schedule &S,
                           Names &Fresh, RuntimeCalls &Runtime, Lines &Out) {
  SkeletonText T(Loop, Header);
  if (S.Fills > 1)
    runAhead(T, Plan, Source, Calls, Fresh, Out);
  if (S.Fills > 1          ? T.Cursor.Cond.empty()
      : S.Producer.empty() ? Header.NextCond.empty()
                           : false) {
    T.HasTile = Fresh.fresh("has_tile");
    Out.add(1, "auto " + T.HasTile + " = [&](" + parametersOf(Header, " ") +
                   ") { return " + Header.Cond + "; };");
  }
  T.Load = Calls.caller(TileWork::Ahead);
  T.Store = Calls.caller(TileWork::Store);
  T.Compute = Calls.caller(TileWork::Compute);
  T.Barrier = barrierOf(Loop, Source);
  if (Plan.Producer) {
    T.Authors = Plan.Producer->Authors;
    T.Empty = Stages.Empty;
    T.Keeps = Plan.Producer->Keeps;
    T.Takes = Plan.Producer->Takes;
    T.Produces =
        Message(Plan.Producer->isGroup() ? msg::comment_produces_in_group
                                         : msg::comment_produces,
                T.Authors)
            .str();
    T.Barrier = Runtime.to(Primitive::SyncThreads) + "<" +
                std::to_string(T.Authors) + ">();";
  }
  T.Touch = touchOf(Loop, Stages.Staged);
  T.Stage = Stages.Stage;
  T.Parity = Stages.Parity;
  if (Loop.Bulk)
    for (const BulkBarrier &B : Loop.Bulk->Barriers)
      for (const StagedName &N : Stages.Staged)
        if (N.Var == B.Var)
          T.Full.push_back(N.at(Stages.Stage, Stages.Bytes, Runtime));
  T.StageIsDeclared = Shape.StageAfter;
  T.Stages = Plan.Buffers;
  T.Slot = Stages.Slot;
  T.More = Fresh.fresh("more");
  T.Unroll = Plan.Unroll == Unrolling::Stages  ? Plan.Buffers
             : Plan.Unroll == Unrolling::Never ? 1
                                               : 0;
  T.Comment = remarkOn(Loop, Plan, S).str();
  return T;
}

} // namespace kpipe
