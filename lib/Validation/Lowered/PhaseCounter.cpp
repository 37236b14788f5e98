// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PhaseCounter.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

const Tree &plain(const Tree &T) {
  const Tree *Up = &T;
  while (Up->Kids.size() == 1 && dyn_cast_or_null<CastExpr>(exprOf(*Up)))
    Up = &Up->kid(0);
  return *Up;
}

unsigned localIn(const Tree &T) {
  const Tree &Name = plain(T);
  return Name.is("DeclRefExpr") ? Name.Local : 0;
}

/// `const uint32_t &parity` of the toolkit's.
static bool mbarrierReads(const Tree &Call) {
  const FunctionDecl *Callee = calleeOf(Call);
  return Callee && Callee->getIdentifier() && isToolkits(Callee) &&
         !isa<CXXMethodDecl>(Callee) &&
         Callee->getName().contains("wait_parity") &&
         llvm::all_of(Callee->parameters(), [](const ParmVarDecl *P) {
           return !P->getType()->isReferenceType() ||
                  P->getType()->getPointeeType().isConstQualified();
         });
}

unsigned changes(const Tree &T, unsigned Local) {
  if (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
      T.kid(0).is("DeclRefExpr"))
    return 0;
  if (T.is("DeclRefExpr"))
    return T.Local == Local;
  if (isa_and_nonnull<CallExpr>(T.Origin) && mbarrierReads(T))
    return 0;
  unsigned All = 0;
  for (const auto &Kid : T.Kids)
    All += changes(*Kid, Local);
  return All;
}

unsigned goesOn(const Tree &T, unsigned Local, int64_t By, const Frame &F) {
  const Tree &Step = plain(T);
  if (Step.is("BinaryOperator") && Step.Label == ",")
    return goesOn(Step.kid(0), Local, By, F) +
           goesOn(Step.kid(1), Local, By, F);
  if (!changes(Step, Local))
    return 0;
  // One more than true is true.
  const auto *E = dyn_cast_or_null<Expr>(Step.Origin);
  if (!E || E->getType()->isBooleanType())
    return 2;
  const bool One = Step.is("UnaryOperator") &&
                   Step.Label.find("++") != std::string::npos && By == 1 &&
                   localIn(Step.kid(0)) == Local;
  const bool More = Step.is("CompoundAssignOperator") && Step.Label == "+=" &&
                    localIn(Step.kid(0)) == Local &&
                    !changes(Step.kid(1), Local) &&
                    constantOf(Step.kid(1), F) == By;
  return One || More ? 1 : 2;
}

bool isPhaseStep(const Tree &S, const PhaseCounter &C, const Frame &F) {
  const Tree &T = plain(S);
  if (!C.Flips)
    return goesOn(T, C.Local, 1, F) == 1;
  if (T.Kids.size() != 2 || localIn(T.kid(0)) != C.Local)
    return false;
  if (T.is("CompoundAssignOperator"))
    return T.Label == "^=" && constantOf(T.kid(1), F) == 1;
  const Tree &To = plain(T.kid(1));
  if (!T.is("BinaryOperator") || T.Label != "=")
    return false;
  if (To.is("UnaryOperator"))
    return To.Label == "!" && localIn(To.kid(0)) == C.Local;
  return To.is("BinaryOperator") &&
         ((To.Label == "-" && constantOf(To.kid(0), F) == 1 &&
           localIn(To.kid(1)) == C.Local) ||
          (To.Label == "^" && constantOf(To.kid(1), F) == 1 &&
           localIn(To.kid(0)) == C.Local));
}

} // namespace kpipe
