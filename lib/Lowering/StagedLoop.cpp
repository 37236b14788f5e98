// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagedLoop.h"
#include "Code/AstUtils.h"
#include "SingleStage.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class StagedParts {
public:
  StagedParts(const FunctionDecl *Body, const AsyncOps &Ops, AsyncCode &Code,
              NotStaged &No)
      : Body(Body), Ops(Ops), Code(Code), No(No) {}

  std::optional<StagedLoop> run(const Stmt *Loop) {
    Out.Loop = dyn_cast<ForStmt>(Loop);
    if (!Out.Loop || !header())
      return fail(Loop, msg::restage_header);
    if (!guard() || !arrays() || !waits() || !first())
      return std::nullopt;
    return std::move(Out);
  }

private:
  const FunctionDecl *Body;
  const AsyncOps &Ops;
  AsyncCode &Code;
  NotStaged &No;
  StagedLoop Out;

  std::nullopt_t fail(const Stmt *At, Message Why) {
    No = {At, std::move(Why)};
    return std::nullopt;
  }
  bool none(const Stmt *At, Message Why) {
    No = {At, std::move(Why)};
    return false;
  }

  bool header() {
    const auto *D = dyn_cast_or_null<DeclStmt>(Out.Loop->getInit());
    Out.Counter = D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl())
                                         : nullptr;
    const Expr *Inc = Out.Loop->getInc();
    if (!Out.Counter || !Inc || !Out.Loop->getCond() ||
        !isa<CompoundStmt>(Out.Loop->getBody()) ||
        updatedVariable(Inc) != Out.Counter)
      return false;
    Inc = Inc->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(Inc))
      return U->isIncrementOp();
    const auto *B = dyn_cast<BinaryOperator>(Inc);
    if (B && B->getOpcode() == BO_AddAssign) {
      Out.Step = B->getRHS();
      return true;
    }
    const auto *Sum =
        B && B->getOpcode() == BO_Assign
            ? dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts())
            : nullptr;
    if (!Sum || Sum->getOpcode() != BO_Add)
      return false;
    const bool Left = mentionedVariable(Sum->getLHS()) == Out.Counter;
    Out.Step = Left ? Sum->getRHS() : Sum->getLHS();
    return Left || mentionedVariable(Sum->getRHS()) == Out.Counter;
  }

  bool copies(const AsyncOp &Op) const {
    if (Op.Kind == AsyncKind::Copy)
      return true;
    const AsyncOps *Inside =
        Op.Kind == AsyncKind::InHelper ? Code.of(Op.Helper) : nullptr;
    return Inside && llvm::any_of(Inside->All, [&](const AsyncOp &In) {
             return copies(In);
           });
  }
  bool copiesIn(const Stmt *S) const {
    return llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
      return copies(Op) && Ops.within(Op.At, S);
    });
  }
  llvm::ArrayRef<const Stmt *> turn() const {
    const auto *Block = cast<CompoundStmt>(Out.Loop->getBody());
    return {Block->body_begin(), Block->body_end()};
  }
  bool isCommit(const Stmt *S) const { return is(S, AsyncKind::Commit); }
  bool is(const Stmt *S, AsyncKind Kind) const {
    return llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
      return Op.Kind == Kind && Op.Statement == S;
    });
  }

  bool guard() {
    for (const Stmt *S : turn()) {
      if (!copiesIn(S))
        continue;
      const auto *If = dyn_cast<IfStmt>(S);
      if (!If || If->getInit() || If->getConditionVariable() || Out.Guard ||
          (If->getElse() && !waitsOnly(If->getElse())))
        return none(S, msg::restage_no_guard);
      Out.Guard = If;
    }
    if (!Out.Guard)
      return none(Out.Loop, msg::restage_no_guard);
    Out.Issued = Out.Guard;
    for (auto *At = llvm::find(turn(), Out.Guard) + 1;
         At != turn().end() && isCommit(*At); ++At)
      Out.Issued = *At;
    return true;
  }

  /// Arrays of two buffers that the copies of a turn name.
  bool arrays() {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      llvm::SmallSetVector<const VarDecl *, 4> Shared;
      bool VisitDeclRefExpr(const DeclRefExpr *D) override {
        if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
          if (V->hasAttr<CUDASharedAttr>())
            Shared.insert(V);
          // What is declared for them in front.
          else if (V->isLocalVarDecl() && V->getInit() && !Seen.count(V)) {
            Seen.insert(V);
            TraverseStmt(const_cast<Expr *>(V->getInit()));
          }
        }
        return true;
      }
      llvm::SmallPtrSet<const VarDecl *, 8> Seen;
    } All;
    All.TraverseStmt(Out.Guard->getThen());
    for (const VarDecl *V : All.Shared) {
      const auto *Array =
          Body->getASTContext().getAsConstantArrayType(V->getType());
      if (!Array || Array->getSize() != 2 || V->hasExternalStorage() ||
          !declarationOf(V, Body->getBody()))
        return none(Out.Guard, msg::restage_arrays);
    }
    Out.Arrays = std::move(All.Shared);
    findPointers();
    return !Out.Arrays.empty() || none(Out.Guard, msg::restage_arrays);
  }

  /// Pointers to buffers, made in front of the loop, that change places.
  void findPointers() {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      StagedLoop &Out;
      explicit Finder(StagedLoop &Out) : Out(Out) {}
      bool VisitVarDecl(const VarDecl *V) override {
        const auto *A = V->getInit() && V->getType()->isPointerType()
                            ? dyn_cast<ArraySubscriptExpr>(
                                  V->getInit()->IgnoreParenImpCasts())
                            : nullptr;
        const VarDecl *Of = A ? mentionedVariable(A->getBase()) : nullptr;
        if (Of && Out.Arrays.count(Of))
          Out.Pointers[V] = Of;
        return true;
      }
    } All(Out);
    All.TraverseStmt(Body->getBody());
    auto IsPointer = [&](const Expr *E) {
      return E && Out.Pointers.count(mentionedVariable(E));
    };
    llvm::SmallSetVector<const VarDecl *, 4> Moved;
    for (const Stmt *S : turn()) {
      const auto *D = dyn_cast<DeclStmt>(S);
      const auto *V = D && D->isSingleDecl()
                          ? dyn_cast<VarDecl>(D->getSingleDecl())
                          : nullptr;
      const auto *B = dyn_cast<BinaryOperator>(S);
      if ((V && IsPointer(V->getInit())) ||
          (B && B->getOpcode() == BO_Assign && IsPointer(B->getLHS())))
        Out.Swaps.push_back(S);
      if (B && B->getOpcode() == BO_Assign && IsPointer(B->getLHS()))
        Moved.insert(mentionedVariable(B->getLHS()));
    }
    // Others are names of one buffer.
    Out.Pointers.remove_if(
        [&](const auto &P) { return !Moved.count(P.first); });
    if (Out.Pointers.empty())
      Out.Swaps.clear();
  }

  bool waits() {
    const auto Turn = turn();
    for (size_t I = 0; I != Turn.size() && !Out.Wait; ++I)
      for (const AsyncOp &Op : Ops.All) {
        if (Op.Statement != Turn[I])
          continue;
        if (Op.Kind == AsyncKind::GroupWait)
          Out.Wait = Turn[I];
        else if ((Op.Kind == AsyncKind::WaitAll ||
                  (Op.Kind == AsyncKind::Wait && !Op.Keep)) &&
                 I + 1 != Turn.size() && isBarrier(Turn[I + 1])) {
          Out.Wait = Turn[I];
          Out.Barrier = Turn[I + 1];
        }
      }
    return Out.Wait || waitsForOlder() || none(Out.Loop, msg::restage_no_wait);
  }

  bool isWait(const Stmt *S) const {
    return is(S, AsyncKind::Commit) || is(S, AsyncKind::Wait) ||
           is(S, AsyncKind::WaitAll);
  }

  /// Waits and commits of the thread, also in branches.
  bool waitsOnly(const Stmt *S) const {
    if (const auto *I = dyn_cast<IfStmt>(S))
      return waitsOnly(I->getThen()) &&
             (!I->getElse() || waitsOnly(I->getElse()));
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return llvm::all_of(Block->body(),
                          [&](const Stmt *In) { return waitsOnly(In); });
    return isa<NullStmt>(S) || isWait(S);
  }

  /// `wait_group 1` behind the copies of the next tile, and a barrier.
  bool waitsForOlder() {
    const auto Turn = turn();
    auto At = llvm::find(Turn, Out.Issued) + 1;
    while (At != Turn.end() && waitsOnly(*At))
      ++At;
    if (At == Turn.end() || !isBarrier(*At))
      return false;
    Out.Barrier = *At;
    return Out.WaitsForOlder = true;
  }

  static bool isBarrier(const Stmt *S) {
    return isa<CallExpr, GCCAsmStmt>(S) && hasBarrier(S);
  }

  bool mentionsArrays(const Stmt *S) const {
    return namesAny(S, [&](const VarDecl *V) {
      return Out.Arrays.count(V) || Out.Pointers.count(V);
    });
  }

  bool first() {
    const auto *Around = dyn_cast_or_null<CompoundStmt>(Ops.parent(Out.Loop));
    if (!Around)
      return none(Out.Loop, msg::restage_no_prologue);
    bool Copied = false;
    for (const Stmt *S : Around->body()) {
      if (S == Out.Loop)
        break;
      const bool Copies = copiesIn(S) && mentionsArrays(S);
      Copied |= Copies;
      const bool Ends =
          Copied &&
          (isBarrier(S) || llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
             return Op.Statement == S && (Op.Kind == AsyncKind::Commit ||
                                          Op.Kind == AsyncKind::Wait ||
                                          Op.Kind == AsyncKind::WaitAll ||
                                          Op.Kind == AsyncKind::GroupWait);
           }));
      if (Copies || Ends || mentionsArrays(S))
        Out.First.push_back(S);
    }
    return Copied || none(Out.Loop, msg::restage_no_prologue);
  }
};

} // namespace

std::optional<StagedLoop> stagedLoop(const FunctionDecl *Body, const Stmt *Loop,
                                     const AsyncOps &Ops, AsyncCode &Code,
                                     NotStaged &No) {
  return StagedParts(Body, Ops, Code, No).run(Loop);
}

} // namespace kpipe
