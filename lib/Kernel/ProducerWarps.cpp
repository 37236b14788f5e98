// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement of the kernel's body, see ProducerWarps.h. In front of
// the loop all threads are there: the producer's compute what the copies need, and
// do nothing that others see. From the loop on they are not.
#include "ProducerWarps.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "LaunchBounds.h"
#include "OtherThreads.h"
#include "ProducerCode.h"
#include "SeenLaunches.h"
#include "Support/RuleSwitch.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static const Stmt *withoutAttributes(const Stmt *S) {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  return S;
}

static bool isWithin(const Stmt *S, const Stmt *In) {
  return S == In || (In && llvm::any_of(In->children(), [&](const Stmt *Kid) {
                       return Kid && isWithin(S, Kid);
                     }));
}

namespace {

class Finder {
public:
  Finder(const LoopFacts &Facts, const CallIndex &Calls,
         const ASTContext &Context)
      : Facts(Facts), Tile(Facts.Tile), Context(Context),
        SM(Context.getSourceManager()), Threads(Tile.Function, &Calls) {}

  void find(ProducerWarp &Producer) {
    Made = &Producer;
    const auto *Body = dyn_cast<CompoundStmt>(Tile.Function->getBody());
    if (!Body || llvm::none_of(Body->body(), [&](const Stmt *S) {
          return withoutAttributes(S) == Tile.Loop;
        }))
      return no(msg::producer_not_in_kernel);
    for (const BulkBarrier &B : Tile.Bulk->Barriers)
      if (B.AllArrive)
        return no({msg::producer_all_arrive, quoted(B.Var)});
    BlockCode Code = blockCodeOf(Tile.Function);
    if (Code.Not)
      return no(Code.Not);
    Made->Sizes = std::move(Code.Sizes);
    for (const Stmt *S : Body->body())
      otherLoops(S);
    for (const Stmt *S : Body->body()) {
      if (withoutAttributes(S) == Tile.Loop)
        break;
      inFront(S, Code.Barriers);
    }
    issue();
    barriers(Code.Barriers, Body);
  }

private:
  const LoopFacts &Facts;
  const TileLoop &Tile;
  const ASTContext &Context;
  const SourceManager &SM;
  ThreadDependence Threads;
  ProducerWarp *Made = nullptr;
  /// Variables that the producer's threads do not have as the author's do.
  VarSet Unset;

  void no(Message Why) {
    if (!Made->Not)
      Made->Not = std::move(Why);
  }

  unsigned line(const Stmt *S) const {
    return SM.getExpansionLineNumber(S->getBeginLoc());
  }

  /// Is there a call that may come to what none of the author's threads does?
  bool reachesFurther(const Stmt *S) const {
    if (const auto *C = dyn_cast<CallExpr>(S))
      return reachesFurther(C);
    return llvm::any_of(S->children(), [&](const Stmt *Kid) {
      return Kid && reachesFurther(Kid);
    });
  }

  /// A function may use what it is given as an index of what it is given.
  bool reachesFurther(const CallExpr *C) const {
    bool Differs = false, Points = false;
    const auto *Member = dyn_cast<CXXMemberCallExpr>(C);
    llvm::SmallVector<const Expr *, 4> Given(C->arguments());
    if (Member)
      Given.push_back(Member->getImplicitObjectArgument());
    for (const Expr *E : Given) {
      Differs |= Threads.dependent(E) || readsUnset(E);
      Points |= E->isGLValue() || E->getType()->isPointerType();
    }
    return (Differs && Points) || llvm::any_of(Given, [&](const Expr *E) {
             return reachesFurther(static_cast<const Stmt *>(E));
           });
  }

  bool readsUnset(const Stmt *S) const {
    if (const auto *D = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        return Unset.count(V);
    return llvm::any_of(S->children(), [&](const Stmt *Kid) {
      return Kid && readsUnset(Kid);
    });
  }

  /// Does it compute variables of each thread, and end, whoever runs it?
  bool isOwnWork(const Stmt *S, const Effects &E) const {
    // Where all threads read one place, one more may.
    auto isRead = [](const MemoryAccess &A) {
      return !A.Write && !A.Atomic && !A.Volatile && A.At &&
             !isa<CallExpr, CXXConstructExpr>(A.At->IgnoreParenImpCasts());
    };
    return llvm::all_of(E.Memory, isRead) &&
           llvm::all_of(
               E.Events,
               [](const Event &X) { return X.Kind == EventKind::WarpSync; }) &&
           (ruleIsSwitchedOff("producer-front") ||
            (!reachesFurther(S) &&
             !mayGoWrong(S, Threads,
                         [&](const VarDecl *V) { return Unset.count(V); })));
  }

  /// Is it under a condition that holds for none of the producer's threads?
  bool isOthersAlone(const Stmt *S) const {
    const auto *If = dyn_cast<IfStmt>(S);
    if (!If || If->getElse() || If->getInit() || If->hasVarStorage() ||
        !isOwnWork(If->getCond(), effectsOf(If->getCond(), *Facts.In)))
      return false;
    Values Known(Context);
    Known.Block = Extent3{Made->Authors, 1, 1};
    for (unsigned I = 0; I != Made->Threads; ++I) {
      Known.Thread = Extent3{Made->Authors + I, 0, 0};
      if (Known.evaluate(If->getCond()) != 0)
        return false;
    }
    return true;
  }

  void inFront(const Stmt *S, llvm::ArrayRef<const CallExpr *> Barriers) {
    if (llvm::is_contained(Barriers, S))
      return; // all threads are there
    for (const CallExpr *B : Barriers)
      if (isWithin(B, S))
        return no({msg::producer_barrier_place, line(B)});
    const Effects E = effectsOf(S, *Facts.In);
    const bool Declares = isa<DeclStmt>(S);
    const bool Own = isOwnWork(S, E);
    if (Declares && !Own)
      return no({msg::producer_runs_too, inOrder(E.Declared).empty()
                                             ? std::string("'?'")
                                             : quoted(inOrder(E.Declared)[0])});
    if (Own && (Declares || (!Threads.divides(S) && !readsUnset(S)))) {
      if (readsUnset(S))
        for (const VarDecl *V : E.Declared)
          Unset.insert(V);
      return;
    }
    for (const VarDecl *V : E.Writes)
      if (!E.Declared.count(V))
        Unset.insert(V);
    if (!isOthersAlone(S))
      Made->Guarded.push_back(S);
  }

  /// They may be pipelined as well, with barriers for all threads.
  void otherLoops(const Stmt *S) {
    if (!S || S == Tile.Loop)
      return;
    if (isLoop(S) && effectsOf(S, *Facts.In).has(EventKind::AsyncCopy))
      return no({msg::producer_barrier_loop, line(S)});
    for (const Stmt *Kid : S->children())
      otherLoops(Kid);
  }

  /// What the producer does has to be what the author's thread did.
  void issue() {
    const auto *If = cast<IfStmt>(Tile.Bulk->Issue);
    if (If->getElse())
      return no(msg::producer_issue_else);
    const bool AnyThread = ruleIsSwitchedOff("producer-issue");
    llvm::SmallVector<const Stmt *, 4> Header{Tile.Init, Tile.Cond};
    for (const HeaderVar &V : Tile.HeaderVars)
      Header.push_back(V.Update);
    for (const Stmt *S : Header) {
      if (!S)
        continue;
      if (!AnyThread && dependsOnThread(S, Threads))
        return no(msg::producer_trips_depend);
      for (const Expr *Size : Made->Sizes)
        if (isWithin(Size, S))
          return no(msg::producer_size_in_macro);
      needs(S);
    }
    for (const BodyItem &I : Tile.Body) {
      if (!I.InLoad)
        continue;
      const Stmt *S = I.S == If ? If->getThen() : I.S;
      if (Message By = AnyThread ? Message() : dependsOnThread(S, Threads))
        return no(By.is(msg::producer_unknown_code)
                      ? By
                      : Message(msg::producer_issue_depends, By));
      needs(S);
    }
  }

  void needs(const Stmt *S) {
    for (const VarDecl *V : inOrder(Unset))
      if (mentions(S, V))
        return no({msg::producer_guarded_value, quoted(V)});
  }
  static bool mentions(const Stmt *S, const VarDecl *V) {
    if (const auto *D = dyn_cast<DeclRefExpr>(S); D && D->getDecl() == V)
      return true;
    return llvm::any_of(S->children(), [&](const Stmt *Kid) {
      return Kid && mentions(Kid, V);
    });
  }

  /// From the loop on those of all threads are the author's.
  void barriers(llvm::ArrayRef<const CallExpr *> All,
                const CompoundStmt *Body) {
    for (const BodyItem &I : Tile.Body)
      if (I.InCompute)
        for (const CallExpr *B : All)
          if (isWithin(B, I.S))
            Made->Barriers.push_back(B);
    bool Behind = false;
    for (const Stmt *S : Body->body()) {
      if (withoutAttributes(S) == Tile.Loop) {
        Behind = true;
        continue;
      }
      for (const CallExpr *B : All) {
        if (!Behind || !isWithin(B, S))
          continue;
        for (const Stmt *Around : pathTo(B, S))
          if (isLoop(Around))
            return no({msg::producer_barrier_loop, line(Around)});
        Made->Barriers.push_back(B);
      }
    }
  }
};

} // namespace

ProducerWarp producerFor(const LoopFacts &Facts, unsigned Threads,
                         const LaunchIndex &Launches, const CallIndex &Calls,
                         const ASTContext &Context, bool Elsewhere) {
  ProducerWarp Producer;
  Producer.Threads = Threads;
  const FunctionDecl *Kernel = Facts.Tile.Function;
  if (!Kernel->hasAttr<CUDAGlobalAttr>()) {
    Producer.Not = msg::producer_not_in_kernel;
    return Producer;
  }
  if (Elsewhere) {
    Producer.Not = msg::producer_launched_elsewhere;
    return Producer;
  }
  growBlocks(Kernel, Launches, Context, Producer);
  if (Producer.Not)
    return Producer;
  GrownBounds Bounds = growBounds(Kernel, Producer.Authors, Producer.Threads,
                                  Producer.isGroup(), Context);
  Producer.Not = std::move(Bounds.Not);
  Producer.Bounds = std::move(Bounds.Edit);
  Producer.MaxThreads = Bounds.MaxThreads;
  if (!Producer.Not)
    Finder(Facts, Calls, Context).find(Producer);
  return Producer;
}

} // namespace kpipe
