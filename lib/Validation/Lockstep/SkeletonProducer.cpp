// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The producer's part of a skeleton, which is one sequence: see Skeleton.h.
#include "BulkMatcher.h"
#include "ProducerMatcher.h"
#include "Skeleton.h"

using namespace clang;

namespace kpipe {

/// `int stage = 0; unsigned parity = 1; for (; k < K; k += BK) { … }`
bool SkeletonMatcher::producer(const Tree &Part) {
  ProducerMatcher Producer(M);
  const TreeList All = flattened(Part);
  Standing &At = M.Standings[M.Loop];
  if (All.size() != 3 || !All[0]->is("Var") || All[0]->Name != M.Loop->Stage ||
      All[0]->Kids.size() != 1 ||
      withoutConversions(All[0]->kid(0)).Label != "0" || !All[1]->is("Var") ||
      All[1]->Name != M.Loop->Parity || All[1]->Kids.size() != 1 ||
      withoutConversions(All[1]->kid(0)).Label != "1" ||
      !All[2]->is("ForStmt"))
    return false;
  At.Stage = All[0]->Local;
  At.Parity = All[1]->Local;
  const Tree &For = *All[2];
  if (!For.kid(0).is("-") || !condition(For.kid(2)) ||
      Asked != Values::This || !step(For.kid(3)))
    return false;
  const TreeList Body = flattened(For.kid(4));
  const Tree *Stage = nullptr;
  auto callsLoad = [&](const Tree &O) {
    return O.is("CXXOperatorCallExpr") && O.Kids.size() >= 2 &&
           Lambdas.count(withoutConversions(O.kid(1)).Local) &&
           Lambdas[withoutConversions(O.kid(1)).Local] == LoadLambda && call(O);
  };
  return Body.size() == 5 && callsRuntime(*Body[0], "wait_empty") &&
         Body[0]->Kids.size() == 3 &&
         Producer.isEmpty(Body[0]->kid(1), Stage) &&
         M.names(*Stage, At.Stage) && M.names(Body[0]->kid(2), At.Parity) &&
         callsRuntime(*Body[1], "fence_proxy_async") && callsLoad(*Body[2]) &&
         isTurn(*Body[3]) &&
         BulkMatcher(M).isFlip(*Body[4], Producer.flipsAt());
}

bool SkeletonMatcher::startProducer(llvm::ArrayRef<const Tree *> &Statements) {
  ProducerMatcher Producer(M);
  const Tree *Part = Statements.size() < 2 || !Producer.isStart(*Statements[0])
                         ? nullptr
                         : Producer.partOf(*Statements[1]);
  if (!Part || !producer(*Part))
    return M.fail(Author, {msg::meaning_producer});
  Statements = Statements.drop_front(2);
  // What a warpgroup gives all of the author's threads take, once.
  if (M.Loop->Takes) {
    if (Statements.empty() || !Producer.takesRegisters(*Statements[0]))
      return M.fail(Author, {msg::meaning_registers});
    Statements = Statements.drop_front();
  }
  // The author's threads bring nothing.
  Lambdas.erase(std::find_if(Lambdas.begin(), Lambdas.end(), [&](auto &L) {
    return L.second == LoadLambda;
  }));
  return true;
}

/// `kpipe::free_stage(empty_stages[stage])`
bool SkeletonMatcher::frees(const Tree &O) const {
  ProducerMatcher Producer(M);
  const Tree *Stage = nullptr;
  if (!callsRuntime(O, "free_stage") || O.Kids.size() != 2 ||
      !Producer.isEmpty(O.kid(1), Stage) || !isStage(*Stage))
    return false;
  // The tile before, or this one; of two stages each is next to the other.
  return M.names(*Stage, M.Standings[M.Loop].Stage) == !Producer.flipsAt();
}

} // namespace kpipe
