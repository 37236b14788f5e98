// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node by node, see ProducerMatcher.h.
#include "ProducerMatcher.h"
#include "BulkMatcher.h"
#include "kpipe/Plan.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

ProducerMatcher::ProducerMatcher(Matcher &M) : M(M) {
  for (const DeclaredLoop *L : M.Loops)
    if (L->Authors)
      Of = L;
}

/// `blockDim.x`, of any of the registers with axes.
static bool isRegister(const Tree &T, llvm::StringRef Register) {
  if (!T.is("MSPropertyRefExpr") || T.Kids.size() != 1 ||
      !llvm::StringRef(T.Name).ends_with("::x : unsigned int"))
    return false;
  const Tree &Base = withoutConversions(T.kid(0));
  llvm::StringRef Name = Base.Name;
  return Base.is("DeclRefExpr") && !Base.Local &&
         Name.consume_front("Var ") && Name.starts_with(Register.str() + " :");
}

/// `threadIdx.x >= 256`
bool ProducerMatcher::comparesThread(const Tree &O, llvm::StringRef Op) const {
  const Tree &T = withoutConversions(O);
  return isBinary(T, Op) &&
         isRegister(withoutConversions(T.kid(0)), "threadIdx") &&
         withoutConversions(T.kid(1)).Label == std::to_string(Of->Authors);
}

/// An `if` without `else`: its branch.
static const Tree *branchOf(const Tree &O) {
  return O.is("IfStmt") && O.Label.empty() && O.Kids.size() == 2 ? &O.kid(1)
                                                                 : nullptr;
}

bool ProducerMatcher::calls(const Tree &O, llvm::StringRef Name,
                            unsigned Argument) const {
  const llvm::StringRef Callee = withoutConversions(O.kid(0)).Name;
  const std::string Number = "<" + std::to_string(Argument);
  return callsRuntime(O, Name) &&
         (Callee.contains(Number + ",") || Callee.contains(Number + ">"));
}

bool ProducerMatcher::isBarrier(const Tree &O) const {
  return Of && calls(O, "sync_threads", Of->Authors) && O.Kids.size() == 1;
}

bool ProducerMatcher::isStart(const Tree &O) const {
  return Of && calls(O, "start_stages", Of->Authors) && O.Kids.size() == 2 &&
         M.names(O.kid(1), M.Standings[M.Loop].Empty);
}

bool ProducerMatcher::declaresEmpty(const Tree &V) {
  if (!V.is("Var") || M.Loop->Empty.empty() || V.Name != M.Loop->Empty)
    return false;
  M.Standings[M.Loop].Empty = V.Local;
  return V.Kids.empty() && V.Label == " shared static" &&
         V.Type == "unsigned long long[" + std::to_string(M.Loop->Stages) + "]";
}

bool ProducerMatcher::isEmpty(const Tree &O, const Tree *&Stage) const {
  const Tree &Plain = withoutConversions(O);
  if (!Plain.is("ArraySubscriptExpr") ||
      !M.names(Plain.kid(0), M.Standings[M.Loop].Empty))
    return false;
  Stage = &Plain.kid(1);
  return true;
}

unsigned ProducerMatcher::flipsAt() const {
  return M.Loop->Tile.matrixInFlight(M.Loop->Stages) ? M.Loop->Stages - 1 : 0;
}

const Tree *ProducerMatcher::partOf(const Tree &O) const {
  const Tree *Warp = branchOf(O);
  if (!Of || !Warp || !comparesThread(O.kid(0), ">="))
    return nullptr;
  TreeList All = flattened(*Warp);
  // All of its threads give registers, before one of them does anything else.
  if (Of->Keeps) {
    if (All.empty() || !callsPlainly(*All[0], "give_registers", Of->Keeps))
      return nullptr;
    All.erase(All.begin());
  }
  if (!Warp->is("CompoundStmt") || All.size() != 2 ||
      !All[1]->is("ReturnStmt") || !All[1]->Kids.empty())
    return nullptr;
  const Tree *Thread = branchOf(*All[0]);
  return Thread && comparesThread(All[0]->kid(0), "==") ? Thread : nullptr;
}

bool ProducerMatcher::callsPlainly(const Tree &O, llvm::StringRef Name,
                                   unsigned Argument) const {
  return O.is("CallExpr") && O.Kids.size() == 1 && calls(O, Name, Argument);
}

bool ProducerMatcher::takesRegisters(const Tree &O) const {
  return callsPlainly(O, "take_registers", Of->Takes);
}

std::optional<bool> ProducerMatcher::match(const Tree &A, const Tree &O) {
  if (!Of)
    return std::nullopt;
  for (auto Way : {&ProducerMatcher::matchSize, &ProducerMatcher::matchIssue,
                   &ProducerMatcher::matchGuard})
    if (auto Known = (this->*Way)(A, O))
      return Known;
  // From the loop on only the author's threads are there.
  if (!BulkMatcher::isBlockBarrier(A) ||
      M.Standings[Of].Where == Standing::Before)
    return std::nullopt;
  if (!isBarrier(O))
    return M.fail(A, {msg::meaning_producer_runs});
  // Deeper than the loop's own it is one of the author's that run.
  allRuns(A);
  return true;
}

void ProducerMatcher::allRuns(const Tree &A) {
  M.Trail.push_back(&A);
  for (const std::unique_ptr<Tree> &Kid : A.Kids)
    allRuns(*Kid);
}

/// `blockDim.x - 32`
std::optional<bool> ProducerMatcher::matchSize(const Tree &A, const Tree &O) {
  if (!isRegister(A, "blockDim"))
    return std::nullopt;
  return (isBinary(O, "-") &&
          withoutConversions(O.kid(1)).Label == std::to_string(Of->Extra) &&
          M.matchNode(A, withoutConversions(O.kid(0))) &&
          M.matchKids(A, withoutConversions(O.kid(0)))) ||
         M.fail(A, {msg::meaning_producer_runs});
}

/// The one thread that issues need not be asked for once more.
std::optional<bool> ProducerMatcher::matchIssue(const Tree &A, const Tree &O) {
  if (M.Half != LoadHalf::Ahead || !A.Origin || !M.Loop ||
      M.Loop->Tile.Bulk->Issue != A.Origin)
    return std::nullopt;
  const Tree *Then = branchOf(A);
  if (!Then)
    return M.fail(A, {msg::meaning_producer});
  M.Trail.push_back(&A);
  allRuns(A.kid(0));
  return M.match(*Then, O);
}

/// `if (threadIdx.x < 256) { … }` around a statement in front of the loop.
std::optional<bool> ProducerMatcher::matchGuard(const Tree &A, const Tree &O) {
  const Tree *Then = branchOf(O);
  if (M.Standings[Of].Where != Standing::Before || !Then ||
      !comparesThread(O.kid(0), "<") || !Then->is("CompoundStmt"))
    return std::nullopt;
  const TreeList All = flattened(*Then);
  if (All.size() == 1 && !All[0]->is("Var") &&
      M.attempt([&] { return M.match(A, *All[0]); }))
    return true;
  return std::nullopt;
}

} // namespace kpipe
