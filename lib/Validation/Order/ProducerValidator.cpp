// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statement by statement, see ProducerValidator.h.
#include "ProducerValidator.h"
#include "Accesses.h"
#include "Code/Values.h"
#include "WorkOfProducer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static bool isWithin(const Stmt *S, const Stmt *In) {
  return S == In || llvm::any_of(In->children(), [&](const Stmt *Kid) {
           return Kid && isWithin(S, Kid);
         });
}

/// Is it an `if` that none of the producer's threads enters?
static bool isLeftOut(const Stmt *S, const ProducerWarp &Producer,
                      const ASTContext &Context) {
  const unsigned Authors = Producer.Authors;
  const auto *If = dyn_cast<IfStmt>(S);
  if (!If || If->getElse())
    return false;
  Values Known(Context);
  Known.Block = Extent3{Authors, 1, 1};
  for (unsigned I = Authors; I != Authors + Producer.Threads; ++I) {
    Known.Thread = Extent3{I, 0, 0};
    std::optional<int64_t> Enters = Known.evaluate(If->getCond());
    if (!Enters || *Enters)
      return false;
  }
  return true;
}

/// Is what the producer does in the loop the same whoever does it?
static bool isForAnyThread(const TileLoop &Loop, const Tree &Whole,
                           const SameForAll &Same, ASTContext &Context) {
  llvm::SmallPtrSet<const Stmt *, 16> Moved;
  for (const Stmt *S : {Loop.Init, static_cast<const Stmt *>(Loop.Cond)})
    if (S)
      Moved.insert(originOf(S));
  for (const HeaderVar &H : Loop.HeaderVars)
    if (H.Update)
      Moved.insert(originOf(H.Update));
  for (const BodyItem &I : Loop.Body)
    if (I.InLoad)
      Moved.insert(originOf(
          I.S == Loop.Bulk->Issue ? cast<IfStmt>(I.S)->getThen() : I.S));
  bool Hangs = false;
  eachNode(Whole, [&](const Tree &T) {
    if (T.Origin && Moved.erase(T.Origin))
      Hangs |= hangsOnThread(T, Same, Context);
  });
  return !Hangs && Moved.empty();
}

std::optional<OrderViolation> findProducersWork(const TileLoop &Loop,
                                                const PipelinePlan &Plan,
                                                const CodeIndex &Index) {
  if (!Plan.Producer)
    return std::nullopt;
  CallFrame In;
  In.Function = Loop.Function;
  In.Index = &Index;
  auto RunByAll = [&](const Stmt *S) {
    return !llvm::is_contained(Plan.Producer->Guarded, S) &&
           !isLeftOut(S, *Plan.Producer, Index.context());
  };
  const std::unique_ptr<Tree> Whole = treeOf(Loop.Function, Index.context());
  const SameForAll Same(*Whole);
  if (!isForAnyThread(Loop, *Whole, Same, Index.context()))
    return OrderViolation{Loop.Bulk->Issue->getBeginLoc(),
                          Loop.Bulk->Issue->getBeginLoc(),
                          {msg::order_producer_runs}};
  for (const auto &T : Whole->Kids.back()->Kids) {
    if (T->Origin && isWithin(Loop.Loop, T->Origin))
      break;
    if ((!T->Origin || RunByAll(T->Origin)) &&
        mayFail(*T, Same, Index.context()))
      return OrderViolation{Loop.Loop->getBeginLoc(),
                            Loop.Loop->getBeginLoc(),
                            {msg::order_producer_runs}};
  }
  const auto *Body = cast<CompoundStmt>(Loop.Function->getBody());
  for (const Stmt *S : Body->body()) {
    const Stmt *Plain = S;
    while (const auto *A = dyn_cast<AttributedStmt>(Plain))
      Plain = A->getSubStmt();
    if (Plain == Loop.Loop)
      return std::nullopt;
    if (!RunByAll(S))
      continue;
    const Accesses Found = accessesOf(S, In);
    const auto *Writes = llvm::find_if(Found.All, [](const Access &A) {
      return A.Write && A.Where.Where != Storage::Kind::Local;
    });
    if (Writes != Found.All.end() || (Found.HasBarrier && !isa<CallExpr>(S)))
      return OrderViolation{S->getBeginLoc(), S->getBeginLoc(),
                            {msg::order_producer_runs}};
  }
  return OrderViolation{Loop.Loop->getBeginLoc(), Loop.Loop->getBeginLoc(),
                        {msg::order_producer_runs}};
}

} // namespace kpipe
