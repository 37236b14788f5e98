// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation's statement has a text in its place: the copy, a barrier, or
// nothing. See LoweredBody.h.
#include "LoweredBody.h"
#include "Code/AstUtils.h"
#include "Code/GroupQueries.h"
#include "Code/KnownFunctions.h"
#include "EmptiedBranches.h"
#include "GroupWaits.h"
#include "ParityWaits.h"
#include "PlainCopy.h"
#include "Roles.h"
#include "SameMeaning.h"
#include "Support/RuleSwitch.h"
#include "Tokens.h"
#include "Unused.h"
#include "WholeBlock.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

class Lowerer {
public:
  Lowerer(const FunctionDecl *Body, const AsyncOps &Ops, const FileText &File,
          llvm::ArrayRef<const Stmt *> Loops)
      : Body(Body), Ops(Ops), File(File), Source(File.Source), Loops(Loops),
        Copies(copiesIn(Loops, Ops)), Numbers(Source, Ops, Body, Copies) {}

  /// \returns false where an operation of the loop cannot be written plainly.
  bool lower(const Stmt *Loop) {
    if (auto Roles = branchesByRole(Loop, Ops, Body))
      return roles(*Roles);
    for (const AsyncOp &Op : Ops.All)
      if (Ops.within(Op.At, Loop) && !lower(Op, Loop)) {
        NotPlain = &Op;
        return false;
      }
    return true;
  }

  /// What lower() failed at.
  const AsyncOp *NotPlain = nullptr;
  /// What it takes for granted.
  llvm::SmallSetVector<const FunctionDecl *, 2> Helpers;

  std::set<Edit> edits() {
    dropPhases();
    dropEnds();
    dropUnused();
    std::set<Edit> All = Divided;
    const llvm::SmallPtrSet<const Stmt *, 8> Empty = emptied();
    for (const auto &[S, Texts] : New)
      if (!isInOne(S, Empty))
        All.insert(replaced(S, Texts));
    for (const Stmt *S : Empty)
      if (!isInOne(Ops.parent(S), Empty))
        All.insert(replaced(S, {}));
    for (const auto &[V, P] : Numbers.Retyped)
      All.insert(P.Declaration);
    return All;
  }

private:
  const FunctionDecl *Body;
  const AsyncOps &Ops;
  const FileText &File;
  const SourceText &Source;
  llvm::SmallVector<const Stmt *, 4> Loops; ///< that are to be lowered
  llvm::SmallVector<const AsyncOp *, 4> Copies;
  SharedNumbers Numbers;
  llvm::MapVector<const Stmt *, std::vector<std::string>> New;
  llvm::SmallVector<PhaseCount, 2> Phases;
  std::set<Edit> Divided;
  /// What the texts name of the statements in whose place they stand.
  llvm::SmallVector<const Expr *, 8> Kept;

  static llvm::SmallVector<const AsyncOp *, 4>
  copiesIn(llvm::ArrayRef<const Stmt *> Loops, const AsyncOps &Ops) {
    llvm::SmallVector<const AsyncOp *, 4> All;
    for (const AsyncOp &Op : Ops.All)
      if (Op.Kind == AsyncKind::Copy && llvm::any_of(Loops, [&](const Stmt *L) {
            return Ops.within(Op.At, L);
          }))
        All.push_back(&Op);
    return All;
  }

  bool isInOne(const Stmt *S,
               const llvm::SmallPtrSetImpl<const Stmt *> &Some) const {
    while (S && !Some.count(S))
      S = Ops.parent(S);
    return S;
  }

  llvm::SmallPtrSet<const Stmt *, 8> emptied() const {
    llvm::SmallVector<const Stmt *, 8> Gone;
    for (const auto &[S, Texts] : New)
      if (Texts.empty())
        Gone.push_back(S);
    return emptiedBranches(std::move(Gone), Ops);
  }

  Edit replaced(const Stmt *S, const std::vector<std::string> &Texts) const {
    Range R = Source.statement(S);
    std::string Text = llvm::join(Texts, " ");
    bool InBlock = isa_and_nonnull<CompoundStmt>(Ops.parent(S));
    if (Texts.size() > 1 && !InBlock)
      Text = "{ " + Text + " }";
    if (Texts.empty())
      Text = InBlock ? GoneMark.str() : ";";
    return {R.Begin, R.size(), std::move(Text)};
  }

  bool lower(const AsyncOp &Op, const Stmt *Loop) {
    switch (Op.Kind) {
    case AsyncKind::Copy:
      return copy(Op);
    case AsyncKind::GroupWait:
      return groupWait(Op);
    case AsyncKind::InHelper:
      Helpers.insert(Op.Helper);
      return true;
    case AsyncKind::Unseen:
    case AsyncKind::Other:
    case AsyncKind::Quit:
      return false;
    case AsyncKind::Arrive:
    case AsyncKind::ArriveBehind:
      return arrive(Op, Loop);
    case AsyncKind::WaitForToken:
    case AsyncKind::ArriveAndWait:
      return barrier(Op, Loop);
    case AsyncKind::WaitForParity:
      return parity(Op, Loop);
    case AsyncKind::WaitOldest:
    case AsyncKind::Release:
      if (Op.OfBlock)
        return barrier(Op, Loop);
      New[Op.Statement];
      return true;
    default:
      New[Op.Statement];
      return true;
    }
  }

  /// Nobody waits but behind each role.
  bool roles(const RoleBranches &Roles) {
    std::vector<Edit> Two = dividedRoles(Roles, Source);
    Divided.insert(Two.begin(), Two.end());
    for (const AsyncOp &Op : Ops.All) {
      const bool Copies = Op.Kind == AsyncKind::Copy;
      if (Two.empty() || !isCudas("__syncthreads", Body) ||
          (Copies && !copy(Op))) {
        NotPlain = &Op;
        return false;
      }
      if (!Copies)
        New[Op.Statement];
    }
    return true;
  }

  bool barrier(const AsyncOp &Op, const Stmt *Loop) {
    const bool Meets = ruleIsSwitchedOff("async-meetings") ||
                       meetsWholeBlock(Op, Loop, Loops, Ops, Body);
    if (!Meets || !isCudas("__syncthreads", Body))
      return false;
    if (isBeforeBarrier(Op.Statement, Ops))
      New[Op.Statement];
    else
      New[Op.Statement].push_back("__syncthreads();");
    return true;
  }

  bool parity(const AsyncOp &Op, const Stmt *Loop) {
    std::optional<PhaseCount> Phase = ruleIsSwitchedOff("async-parity")
                                          ? PhaseCount()
                                          : phaseOfTurn(Op, Loops, Ops, Body);
    if (!Phase || !barrier(Op, Loop))
      return false;
    Phases.push_back(std::move(*Phase));
    return true;
  }

  /// Of a variable that nothing asks for its parity any more.
  void dropPhases() {
    for (const PhaseCount &Phase : Phases) {
      // Else the declaration would stay, and the steps be missed.
      const DeclStmt *D =
          Phase.Var ? declarationOf(Phase.Var, Body->getBody()) : nullptr;
      if (D && D->isSingleDecl() &&
          isOnlyCounted(Phase, Ops, Body,
                        [&](const Stmt *S) { return New.count(S); }))
        for (const Stmt *Step : Phase.Steps)
          New[Step];
    }
  }

  /// `pipe.quit();` behind the last loop that has a use of the pipeline.
  void dropEnds() {
    for (const AsyncOp &Quit : Ops.All)
      if (Quit.Kind == AsyncKind::Quit && Quit.Statement &&
          llvm::all_of(Ops.All, [&](const AsyncOp &Op) {
            return Op.Object != Quit.Object || Op.Kind == AsyncKind::Quit ||
                   New.count(Op.Statement);
          }))
        New[Quit.Statement];
  }

  /// What only served what goes: declarations, initialisations of barriers.
  void dropUnused() {
    llvm::SmallVector<const Stmt *, 8> Gone;
    for (const auto &[S, Texts] : New)
      Gone.push_back(S);
    llvm::append_range(Gone, emptied());
    for (const Stmt *S : findUnused(Body, Ops, Source, Gone, Kept))
      New[S];
  }

  bool copy(const AsyncOp &Op) {
    std::optional<std::string> Text =
        plainCopy(Op, Source, Numbers, {Body, Ops, File});
    if (!Text)
      return false;
    New[Op.Statement].push_back(std::move(*Text));
    for (const Expr *E :
         {Op.To, Op.From, Op.KeptIf, Op.Kept, Op.Zeros, Op.Predicate, Op.Group})
      if (E)
        Kept.push_back(E);
    if (!Op.Bytes && Op.BytesGiven)
      Kept.push_back(Op.BytesGiven);
    return true;
  }

  /// `cg::wait(block)` is `cg::sync(block)` without copies.
  bool groupWait(const AsyncOp &Op) {
    // Who is asked for its group is asked without the wait, too.
    if (!namesGroup(Op.Group) && !isMadeByToolkit(Op.Group))
      return false;
    if (isBeforeBarrier(Op.Statement, Ops)) {
      New[Op.Statement];
      return true;
    }
    std::optional<std::string> Text = groupBarrier(Op, Source);
    if (!Text)
      return false;
    New[Op.Statement].push_back(std::move(*Text));
    Kept.push_back(Op.Group);
    return true;
  }

  /// `auto token = bar.arrive();` whose token is waited for in the loop, or an
  /// arrival that is the token.
  bool arrive(const AsyncOp &Op, const Stmt *Loop) {
    if (Op.Statement && isAwaitedByParity(Op, Loop, Ops)) {
      New[Op.Statement];
      return true;
    }
    for (const Stmt *Up = Op.At; Up && Up != Loop; Up = Ops.parent(Up)) {
      for (const AsyncOp &Wait : Ops.All)
        if (Wait.Kind == AsyncKind::WaitForToken && Wait.At == Up)
          return Wait.counter() == Op.counter();
      const auto *D = dyn_cast<DeclStmt>(Up);
      if (!D)
        continue;
      if (D->getBeginLoc().isMacroID())
        return false;
      if (!llvm::all_of(D->decls(), [&](const Decl *One) {
            return isAwaitedToken(dyn_cast<VarDecl>(One), Loop, Ops, Body);
          }))
        return false;
      New[D];
      return true;
    }
    return false;
  }
};

} // namespace

/// A call in a loop of a helper that cannot become plain, or null.
static const AsyncOp *
callOfAnother(const Stmt *Loop, const AsyncOps &Ops,
              llvm::function_ref<bool(const FunctionDecl *)> MayCall) {
  auto Found = llvm::find_if(Ops.All, [&](const AsyncOp &Op) {
    return Op.Kind == AsyncKind::InHelper && Ops.within(Op.At, Loop) &&
           !MayCall(Op.Helper);
  });
  return Found == Ops.All.end() ? nullptr : &*Found;
}

bool overlap(const std::set<Edit> &A, const std::set<Edit> &B) {
  return llvm::any_of(A, [&](const Edit &X) {
    return llvm::any_of(B, [&](const Edit &Y) {
      return X.Offset == Y.Offset || (X.Offset < Y.Offset + Y.Length &&
                                      Y.Offset < X.Offset + X.Length);
    });
  });
}

/// A loop that keeps its asynchronous copies keeps its conditions too.
static void addOpened(LoweredBody &Result, llvm::ArrayRef<OpenedLoop> Opened) {
  for (const OpenedLoop &One : Opened) {
    if (llvm::any_of(Result.Others,
                     [&](const LoweredBody::Other &Other) {
                       return Other.Why.Loop == One.Loop;
                     }) ||
        overlap(Result.Edits, One.Edits))
      continue;
    Result.Edits.insert(One.Edits.begin(), One.Edits.end());
    if (llvm::is_contained(Result.Loops, One.Loop))
      continue;
    Result.Loops.push_back(One.Loop);
    Result.Opened.push_back(One.Loop);
  }
  llvm::sort(Result.Loops, [](const Stmt *A, const Stmt *B) {
    return A->getBeginLoc() < B->getBeginLoc();
  });
}

LoweredBody lowerBody(const FunctionDecl *Body, AsyncCode &Code,
                      UnitCalls &Calls, const FileText &File,
                      llvm::ArrayRef<OpenedLoop> Opened,
                      llvm::function_ref<bool(const Stmt *)> MayTouch,
                      llvm::function_ref<bool(const FunctionDecl *)> MayCall) {
  LoweredBody Result;
  const AsyncOps *Ops = Code.of(Body);
  if (!Ops || Ops->All.empty()) {
    addOpened(Result, Opened);
    return Result;
  }
  for (const AsyncTileLoop &L : findAsyncTileLoops(Body, *Ops, Code, Calls))
    if (const AsyncOp *Op = L.NotUnderstood || L.IsSingleStage
                                ? nullptr
                                : waitOfOneStage(L.Loop, *Ops)) {
      if (!branchesByRole(L.Loop, *Ops, Body))
        Result.Others.push_back({{L.Loop}, Op});
      else if (MayTouch(L.Loop))
        Result.Loops.push_back(L.Loop);
    } else if (!L.IsSingleStage)
      Result.Others.push_back({L, L.NotUnderstood});
    else if (const AsyncOp *Op = callOfAnother(L.Loop, *Ops, MayCall))
      Result.Others.push_back({{L.Loop}, Op});
    else if (MayTouch(L.Loop))
      Result.Loops.push_back(L.Loop);
  // What one loop cannot be is no reason for the others to stay; but then they
  // are written anew, as loops of one body share variables.
  while (!Result.Loops.empty()) {
    Lowerer One(Body, *Ops, File, Result.Loops);
    auto *Bad = llvm::find_if_not(Result.Loops,
                                  [&](const Stmt *L) { return One.lower(L); });
    if (Bad == Result.Loops.end()) {
      Result.Edits = One.edits();
      Result.Helpers = std::move(One.Helpers);
      break;
    }
    Result.Others.push_back({{*Bad}, One.NotPlain});
    Result.Loops.erase(Bad);
  }
  addOpened(Result, Opened);
  return Result;
}

std::optional<LoweredBody> lowerHelper(const FunctionDecl *Body,
                                       AsyncCode &Code, const FileText &File) {
  const AsyncOps *Ops = Code.of(Body);
  if (!Ops)
    return std::nullopt;
  const Stmt *Whole = Body->getBody();
  Lowerer One(Body, *Ops, File, Whole);
  if (!One.lower(Whole))
    return std::nullopt;
  LoweredBody Result;
  Result.Edits = One.edits();
  Result.Helpers = std::move(One.Helpers);
  return Result;
}

} // namespace kpipe
