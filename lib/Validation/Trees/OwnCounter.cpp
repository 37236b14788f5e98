// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OwnCounter.h. Where a variable is named in loops alone that begin by
// setting it, no loop has what another one left in it.
#include "OwnCounter.h"
#include "CounterNames.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The variable that a for loop begins by setting, without asking for it; or 0.
static unsigned counterSet(const Tree &Loop) {
  if (!Loop.is("ForStmt") || Loop.Kids.size() != 5 || !Loop.kid(1).is("-"))
    return 0;
  const Tree &Set = Loop.kid(0);
  if (!Set.is("BinaryOperator") || Set.Label != "=" || Set.Kids.size() != 2 ||
      !Set.kid(0).is("DeclRefExpr") ||
      timesNamedIn(Set.kid(1), Set.kid(0).Local))
    return 0;
  return Set.kid(0).Local;
}

static unsigned loopsOf(const Tree &T, unsigned Local) {
  unsigned Times = 0;
  eachNode(T, [&](const Tree &One) { Times += counterSet(One) == Local; });
  return Times;
}

/// A declaration with no value, or with a number.
static bool beginsQuietly(const Tree &Var) {
  const Tree *Value = Var.Kids.size() == 1 ? &Var.kid(0) : nullptr;
  while (Value && Value->is("ImplicitCastExpr") && Value->Kids.size() == 1)
    Value = &Value->kid(0);
  return Var.Kids.empty() || (Value && Value->is("IntegerLiteral"));
}

/// How often a variable is named outside of loops that set it, but for its
/// declaration; or set in one of them once more, which goes on
/// with what it is left.
static unsigned timesNamedApart(const Tree &T, unsigned Local) {
  if (counterSet(T) == Local)
    return loopsOf(T, Local) - 1;
  unsigned Times = T.Local == Local && !(T.is("Var") && beginsQuietly(T));
  for (const auto &Kid : T.Kids)
    Times += timesNamedApart(*Kid, Local);
  return Times;
}

/// Does anything come into a loop past its begin?
/// \param InSwitch a `case` leads from within the loop.
static bool isEntered(const Tree &T, bool InSwitch = false) {
  if (T.is("LabelStmt") ||
      (!InSwitch && (T.is("CaseStmt") || T.is("DefaultStmt"))))
    return true;
  InSwitch |= T.is("SwitchStmt");
  return llvm::any_of(
      T.Kids, [&](const auto &Kid) { return isEntered(*Kid, InSwitch); });
}

/// Does anything so come into a loop that sets the variable?
static bool isEnteredElsewhere(const Tree &Function, unsigned Local) {
  bool Found = false;
  eachNode(Function, [&](const Tree &One) {
    Found |= counterSet(One) == Local && isEntered(One);
  });
  return Found;
}

static std::unique_ptr<Tree> renamed(const Tree &T, unsigned Local,
                                     unsigned Number) {
  auto New = nodeOf(T);
  if (T.Local == Local)
    New->Local = Number;
  for (const auto &Kid : T.Kids)
    New->Kids.push_back(renamed(*Kid, Local, Number));
  return New;
}

std::unique_ptr<Tree> withOwnCounter(const Tree &Loop, const Tree &Function,
                                     unsigned Number) {
  const unsigned Local = counterSet(Loop);
  if (!Local || !hasOnlyItsName(Function, Local) ||
      timesNamedApart(Function, Local) || isEnteredElsewhere(Function, Local))
    return nullptr;
  const Tree *Declared = nullptr;
  eachNode(Function, [&](const Tree &One) {
    if (One.is("Var") && One.Local == Local)
      Declared = &One;
  });
  if (!Declared)
    return nullptr;
  auto New = renamed(Loop, Local, Number);
  auto Made = renamed(*Declared, Local, Number);
  Made->Kids.clear();
  Made->Kids.push_back(std::move(New->Kids[0]->Kids[1]));
  auto Statement = std::make_unique<Tree>();
  Statement->Kind = "DeclStmt";
  Statement->Kids.push_back(std::move(Made));
  New->Kids[0] = std::move(Statement);
  return New;
}

} // namespace kpipe
