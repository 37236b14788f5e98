// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CounterNames.h.
#include "CounterNames.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace kpipe {

static bool isReadOf(const Tree &T, unsigned Local) {
  return T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
         T.Kids.size() == 1 && T.kid(0).is("DeclRefExpr") &&
         T.kid(0).Local == Local;
}

static bool isNameOf(const Tree &T, unsigned Local) {
  return T.is("DeclRefExpr") && T.Local == Local;
}

unsigned timesNamedIn(const Tree &T, unsigned Local) {
  unsigned Times = 0;
  eachNode(T, [&](const Tree &One) { Times += One.Local == Local; });
  return Times;
}

bool isPostStep(const Tree &T) {
  return T.is("UnaryOperator") && T.Kids.size() == 1 &&
         (T.Label == "++ post" || T.Label == "-- post");
}

/// What changes a variable, by its name, and has its value for itself.
static bool isChangeOf(const Tree &T, unsigned Local) {
  if (T.Kids.empty() || !isNameOf(T.kid(0), Local))
    return false;
  if (T.is("UnaryOperator"))
    return T.Label == "++" || T.Label == "--";
  return T.is("CompoundAssignOperator") ||
         (T.is("BinaryOperator") && T.Label == "=");
}

/// The same, or `v++`, whose value nobody has.
bool isStepOf(const Tree &T, unsigned Local) {
  return isChangeOf(T, Local) || (isPostStep(T) && isNameOf(T.kid(0), Local));
}

/// Changes of a variable that are statements.
static unsigned changesIn(const Tree &T, unsigned Local) {
  auto Statement = [&](const Tree &One) {
    const Tree *Part = &One;
    unsigned Found = 0;
    for (; Part->is("BinaryOperator") && Part->Label == "," &&
           Part->Kids.size() == 2;
         Part = &Part->kid(0))
      Found += isChangeOf(Part->kid(1), Local);
    return Found + isChangeOf(*Part, Local);
  };
  unsigned Found = 0;
  eachNode(T, [&](const Tree &One) {
    if (One.is("CompoundStmt"))
      for (const auto &Kid : One.Kids)
        Found += Statement(*Kid);
    else if (One.is("ForStmt") && One.Kids.size() == 5)
      Found +=
          Statement(One.kid(0)) + Statement(One.kid(3)) + Statement(One.kid(4));
    else if (One.is("WhileStmt") && One.Kids.size() == 2)
      Found += Statement(One.kid(1));
    else if (One.is("IfStmt"))
      for (size_t I = 1; I < One.Kids.size(); ++I)
        Found += Statement(One.kid(I));
  });
  return Found;
}

/// The declaration of a variable of a function, by its number.
const VarDecl *variableOf(const Tree &Function, unsigned Local) {
  const VarDecl *V = nullptr;
  eachNode(Function, [&](const Tree &One) {
    if (One.Local == Local && !V)
      V = dyn_cast_or_null<VarDecl>(One.Of);
  });
  return V;
}

/// A number or a pointer of a thread's own that nothing but its name leads to.
bool hasOnlyItsName(const Tree &Function, unsigned Local) {
  const VarDecl *V = Local ? variableOf(Function, Local) : nullptr;
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType() ||
      V->getType().isVolatileQualified() ||
      !(V->getType()->isIntegralOrEnumerationType() ||
        V->getType()->isPointerType()))
    return false;
  unsigned Named = 0, Known = changesIn(Function, Local);
  bool Kept = false;
  eachNode(Function, [&](const Tree &One) {
    if (One.is("LambdaExpr") || One.is("StmtExpr"))
      Kept |= timesNamedIn(One, Local) != 0;
    Named += One.Local == Local && !One.is("Var") && !One.is("ParmVar");
    Known += isReadOf(One, Local) ||
             (isPostStep(One) && isNameOf(One.kid(0), Local));
  });
  return !Kept && Named == Known;
}

} // namespace kpipe
