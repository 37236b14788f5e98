// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JumpMeaning.h"
#include "SideEffects.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace clang;

namespace kpipe {

TreeList statementsIn(const Tree &T) {
  if (T.is("-"))
    return {};
  if (!T.is("CompoundStmt"))
    return {&T};
  TreeList All;
  for (const auto &Kid : T.Kids)
    All.push_back(Kid.get());
  return All;
}

/// One of two is true, whatever the operands are: not of numbers that may be
/// NaN.
static bool comparesExactly(const Tree &T) {
  return llvm::all_of(T.Kids, [](const auto &Kid) {
    const auto *E = dyn_cast_or_null<Expr>(Kid->Origin);
    return E && (E->getType()->isIntegralOrEnumerationType() ||
                 E->getType()->isPointerType());
  });
}

static llvm::StringRef opposite(llvm::StringRef Operator) {
  return llvm::StringSwitch<llvm::StringRef>(Operator)
      .Case("<", ">=")
      .Case(">=", "<")
      .Case(">", "<=")
      .Case("<=", ">")
      .Case("==", "!=")
      .Case("!=", "==")
      .Default("");
}

/// Does New hold exactly where Old does not?
static bool isNegation(const Tree &Old, const Tree &New, SameTrees Same) {
  if (New.is("UnaryOperator") && New.Label == "!" && Same(Old, New.kid(0)))
    return true;
  if (Old.is("UnaryOperator") && Old.Label == "!" && Same(Old.kid(0), New))
    return true;
  return Old.is("BinaryOperator") && New.is("BinaryOperator") &&
         !New.Label.empty() && New.Label == opposite(Old.Label) &&
         comparesExactly(Old) && Same(Old.kid(0), New.kid(0)) &&
         Same(Old.kid(1), New.kid(1));
}

/// An `if` without another branch, and without declarations.
static bool isPlainIf(const Tree &T) {
  const auto *I = dyn_cast_or_null<IfStmt>(T.Origin);
  return T.is("IfStmt") && T.Label.empty() && T.Kids.size() == 2 && I &&
         !I->getInit() && !I->getConditionVariable();
}

std::optional<std::pair<ListPair, ListPair>>
restAsBranch(llvm::ArrayRef<const Tree *> Author, const Tree &Lowered,
             SameTrees Same) {
  const Tree &Old = *Author.front();
  if (!isPlainIf(Old) || !Lowered.is("IfStmt") || !Lowered.Label.empty())
    return std::nullopt;
  TreeList Then = statementsIn(Old.kid(1));
  if (Then.empty() || !Then.back()->is("ContinueStmt"))
    return std::nullopt;
  Then.pop_back();
  const llvm::ArrayRef<const Tree *> Behind = Author.drop_front();
  const TreeList Rest(Behind.begin(), Behind.end());
  const size_t Kids = Lowered.Kids.size();
  if (Then.empty() && Kids == 2 &&
      isNegation(Old.kid(0), Lowered.kid(0), Same))
    return std::pair(ListPair(), ListPair{Rest, statementsIn(Lowered.kid(1))});
  if (Kids == 3 && isNegation(Old.kid(0), Lowered.kid(0), Same))
    return std::pair(ListPair{Then, statementsIn(Lowered.kid(2))},
                     ListPair{Rest, statementsIn(Lowered.kid(1))});
  if (Kids == 3 && Same(Old.kid(0), Lowered.kid(0)))
    return std::pair(ListPair{Then, statementsIn(Lowered.kid(1))},
                     ListPair{Rest, statementsIn(Lowered.kid(2))});
  return std::nullopt;
}

/// No condition, or one that is a constant as it is written.
static bool isEndless(const Tree &Cond) {
  const Tree *T = &Cond;
  while (T->is("ImplicitCastExpr") && T->Kids.size() == 1)
    T = &T->kid(0);
  return T->is("-") || (T->is("CXXBoolLiteralExpr") && T->Label == "true") ||
         (T->is("IntegerLiteral") && T->Label != "0");
}

/// Does a `continue` in T begin another turn of the loop around it?
static bool mayContinue(const Tree &T) {
  if (T.is("ForStmt") || T.is("WhileStmt") || T.is("DoStmt") ||
      T.is("CXXForRangeStmt") || T.is("LambdaExpr"))
    return false;
  return T.is("ContinueStmt") ||
         llvm::any_of(T.Kids,
                      [](const auto &Kid) { return mayContinue(*Kid); });
}

static const Tree *breakIf(const Tree &T) {
  if (!isPlainIf(T))
    return nullptr;
  const TreeList Then = statementsIn(T.kid(1));
  return Then.size() == 1 && Then.front()->is("BreakStmt") ? &T.kid(0)
                                                           : nullptr;
}

/// The condition of a for or while loop that declares nothing there.
static const Tree *conditionOf(const Tree &T) {
  if (T.is("ForStmt") && T.Kids.size() == 5 && T.kid(1).is("-"))
    return &T.kid(2);
  if (T.is("WhileStmt") && T.Kids.size() == 2)
    return &T.kid(0);
  return nullptr;
}

static bool anyNodeOf(const Tree &T,
                      llvm::function_ref<bool(const Tree &)> Is) {
  bool Any = false;
  eachNode(T, [&](const Tree &One) { Any |= Is(One); });
  return Any;
}

/// A declaration of numbers and pointers that does nothing besides: where
/// nobody asks for them it might as well be missing.
static bool declaresQuietly(const Tree &T) {
  return T.is("DeclStmt") && llvm::all_of(T.Kids, [](const auto &V) {
           const auto *Of = dyn_cast_or_null<VarDecl>(V->Of);
           return V->is("Var") && V->Label.empty() && Of && V->Local &&
                  Of->hasLocalStorage() &&
                  Of->getType()->getBaseElementTypeUnsafe()->isScalarType() &&
                  !Of->getType().isVolatileQualified() &&
                  !anyNodeOf(*V, [](const Tree &One) {
                    return hasOwnEffect(One.Origin);
                  });
         });
}

/// The condition with what the declarations in front of it give their variables
/// in the place of these. Null where that may be something else: what is in
/// memory, and a variable whose address is asked for.
static std::unique_ptr<Tree>
withValues(const Tree &T, const std::map<unsigned, const Tree *> &Values) {
  auto Value = [&](const Tree &Name) {
    return Name.is("DeclRefExpr") && Name.Local ? Values.find(Name.Local)
                                                : Values.end();
  };
  if (T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
      T.Kids.size() == 1)
    if (auto It = Value(T.kid(0)); It != Values.end())
      return It->second ? withValues(*It->second, Values) : nullptr;
  if (Value(T) != Values.end())
    return nullptr;
  auto New = nodeOf(T);
  for (const auto &Kid : T.Kids) {
    auto Own = withValues(*Kid, Values);
    if (!Own)
      return nullptr;
    New->Kids.push_back(std::move(Own));
  }
  return New;
}

/// By their variables; null for one without a value, or with one that may
/// change until it is asked for again.
static std::map<unsigned, const Tree *>
valuesOf(llvm::ArrayRef<const Tree *> Declarations) {
  std::map<unsigned, const Tree *> Values;
  for (const Tree *D : Declarations)
    for (const auto &V : D->Kids)
      Values[V->Local] =
          V->Kids.size() == 1 &&
                  !cast<VarDecl>(V->Of)->getType()->isFloatingType() &&
                  !anyNodeOf(
                      V->kid(0),
                      [](const Tree &One) {
                        return One.is("ArraySubscriptExpr") ||
                               (One.is("UnaryOperator") && One.Label == "*") ||
                               (One.is("MemberExpr") && One.Label == "->");
                      })
              ? &V->kid(0)
              : nullptr;
  return Values;
}

std::optional<ListPair> breakAsCondition(const Tree &Author,
                                         const Tree &Lowered, SameTrees Same,
                                         SameTrees Meet) {
  const Tree *Cond = conditionOf(Author);
  TreeList Body;
  if (Cond && Author.Kids.back()->is("CompoundStmt"))
    Body = statementsIn(*Author.Kids.back());
  if (Body.empty())
    return std::nullopt;
  if (Lowered.is("DoStmt")) {
    TreeList Behind;
    while (Body.size() > 1 && !breakIf(*Body.back())) {
      Behind.push_back(Body.back());
      Body.pop_back();
    }
    const Tree *Last = breakIf(*Body.back());
    Body.pop_back();
    const bool Bare =
        !Author.is("ForStmt") || (Author.kid(0).is("-") && Author.kid(3).is("-"));
    if (!Last || !Bare || !isEndless(*Cond) ||
        llvm::any_of(Body, [](const Tree *T) { return mayContinue(*T); }) ||
        !isNegation(*Last, Lowered.kid(1), Same) ||
        !llvm::all_of(Behind, [&](const Tree *T) { return Meet(*Last, *T); }))
      return std::nullopt;
    llvm::append_range(Body, llvm::reverse(Behind));
    return ListPair{Body, statementsIn(Lowered.kid(0))};
  }
  size_t Front = 0;
  while (Front + 1 < Body.size() && declaresQuietly(*Body[Front]))
    ++Front;
  const Tree *Asks = breakIf(*Body[Front]), *Now = conditionOf(Lowered);
  const auto First =
      Asks ? withValues(*Asks, valuesOf(llvm::ArrayRef(Body).take_front(Front)))
           : nullptr;
  if (!First || !Now || Lowered.Kind != Author.Kind)
    return std::nullopt;
  if (Author.is("ForStmt") && (!Same(Author.kid(0), Lowered.kid(0)) ||
                               !Same(Author.kid(3), Lowered.kid(3))))
    return std::nullopt;
  const bool Both = Now->is("BinaryOperator") && Now->Label == "&&" &&
                    Same(*Cond, Now->kid(0)) &&
                    isNegation(*First, Now->kid(1), Same);
  if (!Both && !(isEndless(*Cond) && isNegation(*First, *Now, Same)))
    return std::nullopt;
  Body.erase(Body.begin() + Front);
  return ListPair{Body, statementsIn(*Lowered.Kids.back())};
}

} // namespace kpipe
