// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage by storage, see SumsInFlight.h.
#include "SumsInFlight.h"
#include "Code/AstUtils.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace kpipe {

static bool isMatrix(const Stmt *At) {
  const auto *A = dyn_cast_or_null<GCCAsmStmt>(At);
  return A && llvm::StringRef(A->getAsmString()).contains("wgmma.mma_async");
}

std::optional<OrderViolation> findUseOfSums(const LoopUses &Of, bool Again) {
  // Where the stages do not suffice the wait stands behind all of the compute.
  if (!Of.Loop.Matrix || !Of.Loop.Matrix->staysInFlight())
    return std::nullopt;
  const SourceManager &SM = Of.Index.context().getSourceManager();
  const Stmt *Loop = Of.Loop.Loop;
  llvm::SmallVector<Access, 8> Sums;
  for (const Access &A : accessesOf(Of.Loop.Function->getBody(), Of.In).All) {
    const bool OfLoop = A.Outer && Of.Moved.count(A.Outer);
    // What comes behind the loop is not in flight in it.
    if (!A.Write || !isMatrix(A.At) ||
        (!OfLoop && !Again && A.Outer &&
         SM.isBeforeInTranslationUnit(Loop->getEndLoc(),
                                      A.Outer->getBeginLoc())))
      continue;
    if (A.Where.Where != Storage::Kind::Local || !A.Where.Var)
      return Of.violation(A, A, {msg::flight_sums_unknown});
    Sums.push_back(A);
  }
  llvm::SmallVector<Access, 32> Used;
  for (const Use &U : Of.Uses)
    Used.push_back(U.A);
  // All of the header, beside the steps of its variables.
  for (const Stmt *S : Loop->children())
    if (isa_and_nonnull<Expr>(S))
      llvm::append_range(Used, accessesOf(S, Of.In).All);
  for (const Access &U : Used)
    for (const Access &A : Sums)
      if (!isMatrix(U.At) && Of.same(U.Where, A.Where))
        return Of.violation(A, U, {msg::flight_sums_used, quoted(A.Where.Var)});
  return std::nullopt;
}

} // namespace kpipe
