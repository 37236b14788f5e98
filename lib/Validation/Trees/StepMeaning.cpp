// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StepMeaning.h. A step may only be taken later or earlier than what neither
// names its variable nor could by another name.
#include "StepMeaning.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

bool isReadOf(const Tree &T, unsigned Local) {
  return T.is("ImplicitCastExpr") && T.Label == "LValueToRValue" &&
         T.Kids.size() == 1 && T.kid(0).is("DeclRefExpr") &&
         T.kid(0).Local == Local;
}

bool isNameOf(const Tree &T, unsigned Local) {
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
bool isChangeOf(const Tree &T, unsigned Local) {
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
unsigned changesIn(const Tree &T, unsigned Local) {
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
      Found += Statement(One.kid(0)) + Statement(One.kid(3)) +
               Statement(One.kid(4));
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

/// Is nothing of a body noticed when it ends, nor led past its end?
bool endsQuietly(const Tree &Body) {
  bool Noticed = false;
  eachNode(Body, [&](const Tree &One) {
    const auto *V = dyn_cast_or_null<VarDecl>(One.is("Var") ? One.Of : nullptr);
    Noticed |= One.is("ContinueStmt") || One.is("LabelStmt") ||
               One.is("GotoStmt") || One.is("IndirectGotoStmt") ||
               (V && (V->hasAttrs() ||
                      V->getType().isDestructedType() != QualType::DK_none));
  });
  return !Noticed;
}

/// Declares a loop one number of its own?
unsigned counterMade(const Tree &Made) {
  if (!Made.is("DeclStmt") || Made.Kids.size() != 1 || !Made.kid(0).is("Var") ||
      !Made.kid(0).Label.empty() || Made.kid(0).Kids.size() != 1)
    return 0;
  return Made.kid(0).Local;
}

bool isFor(const Tree &T) {
  return T.is("ForStmt") && T.Kids.size() == 5 && T.kid(1).is("-");
}

std::unique_ptr<Tree> shallow(const Tree &T) {
  auto New = std::make_unique<Tree>();
  New->Kind = T.Kind;
  New->Label = T.Label;
  New->Type = T.Type;
  New->Local = T.Local;
  New->Name = T.Name;
  New->Origin = T.Origin;
  New->Of = T.Of;
  return New;
}

/// A store with the values that its steps have, without the steps.
class WithoutSteps {
public:
  /// Null where a step might not be taken, or be asked for.
  std::unique_ptr<Tree> of(const Tree &T) {
    if (isPostStep(T)) {
      if (!T.kid(0).is("DeclRefExpr") || !T.kid(0).Local)
        return nullptr;
      Stepped.push_back(&T);
      auto Read = std::make_unique<Tree>();
      Read->Kind = "ImplicitCastExpr";
      Read->Label = "LValueToRValue";
      Read->Type = T.Type;
      Read->Kids.push_back(shallow(T.kid(0)));
      return Read;
    }
    const bool Always =
        T.is("ImplicitCastExpr") || T.is("CStyleCastExpr") ||
        T.is("CXXStaticCastExpr") || T.is("CXXReinterpretCastExpr") ||
        T.is("CXXFunctionalCastExpr") || T.is("ArraySubscriptExpr") ||
        T.is("MemberExpr") || T.is("DeclRefExpr") || T.is("IntegerLiteral") ||
        T.is("FloatingLiteral") || T.is("CXXThisExpr") ||
        (T.is("UnaryOperator") && T.Label != "++" && T.Label != "--") ||
        (T.is("BinaryOperator") && T.Label != "&&" && T.Label != "||" &&
         T.Label != "," && T.Label != "=");
    if (!Always)
      return nullptr;
    auto New = shallow(T);
    for (const auto &Kid : T.Kids) {
      auto Own = of(*Kid);
      if (!Own)
        return nullptr;
      New->Kids.push_back(std::move(Own));
    }
    return New;
  }

  TreeList Stepped;
};

/// The parts of `s, t, u`, in their order.
TreeList partsOf(const Tree &T) {
  if (!T.is("BinaryOperator") || T.Label != "," || T.Kids.size() != 2)
    return {&T};
  TreeList All = partsOf(T.kid(0));
  for (const Tree *One : partsOf(T.kid(1)))
    All.push_back(One);
  return All;
}

} // namespace

std::optional<ListPair> counterInHeader(const Tree &Made, const Tree &Loop,
                                        const Tree &Lowered,
                                        const Tree &Function, SameTrees Same) {
  const unsigned Local = counterMade(Made);
  const bool While = Loop.is("WhileStmt") && Loop.Kids.size() == 2;
  if (!Local || !isFor(Lowered) ||
      !(While || (isFor(Loop) && Loop.kid(0).is("-"))) ||
      !hasOnlyItsName(Function, Local))
    return std::nullopt;
  TreeList Body = statementsIn(*Loop.Kids.back());
  const Tree &Cond = Loop.kid(While ? 0 : 2);
  const Tree *Step = While ? nullptr : &Loop.kid(3);
  if (While) {
    if (Body.empty() || !Loop.Kids.back()->is("CompoundStmt") ||
        !endsQuietly(*Loop.Kids.back()))
      return std::nullopt;
    Step = Body.back();
    Body.pop_back();
  }
  if (!isStepOf(*Step, Local) || !Same(Made, Lowered.kid(0)) ||
      !Same(Cond, Lowered.kid(2)) || !Same(*Step, Lowered.kid(3)))
    return std::nullopt;
  return ListPair{Body, statementsIn(*Lowered.Kids.back())};
}

std::optional<ListPair> stepInBody(const Tree &Loop, const Tree &Lowered,
                                   const Tree &Function, SameTrees Same) {
  const unsigned Local = isFor(Loop) ? counterMade(Loop.kid(0)) : 0;
  if (!Local || !isFor(Lowered) || !hasOnlyItsName(Function, Local) ||
      !endsQuietly(Loop.kid(4)))
    return std::nullopt;
  const Tree *Own = nullptr;
  TreeList Moved;
  for (const Tree *Part : partsOf(Loop.kid(3)))
    if (isStepOf(*Part, Local) && !Own)
      Own = Part;
    else if (timesNamedIn(*Part, Local))
      return std::nullopt;
    else
      Moved.push_back(Part);
  TreeList New = statementsIn(Lowered.kid(4));
  while (!New.empty() && New.back()->is("NullStmt"))
    New.pop_back();
  if (!Own || Moved.empty() || New.size() < Moved.size() ||
      !Same(Loop.kid(0), Lowered.kid(0)) || !Same(Loop.kid(2), Lowered.kid(2)) ||
      !Same(*Own, Lowered.kid(3)))
    return std::nullopt;
  for (const Tree *Part : llvm::reverse(Moved)) {
    if (!Same(*Part, *New.back()))
      return std::nullopt;
    New.pop_back();
  }
  return ListPair{statementsIn(Loop.kid(4)), New};
}

size_t stepsBehind(const Tree &Store, llvm::ArrayRef<const Tree *> Lowered,
                   const Tree &Function, SameTrees Same) {
  if (Store.Kids.size() != 2 || !((Store.is("BinaryOperator") &&
                                   Store.Label == "=") ||
                                  Store.is("CompoundAssignOperator")))
    return 0;
  WithoutSteps Plain;
  auto New = shallow(Store);
  for (const auto &Kid : Store.Kids) {
    auto Own = Plain.of(*Kid);
    if (!Own)
      return 0;
    New->Kids.push_back(std::move(Own));
  }
  const size_t Steps = Plain.Stepped.size();
  if (!Steps || Lowered.size() <= Steps || !Same(*New, *Lowered.front()))
    return 0;
  for (size_t I = 0; I != Steps; ++I) {
    const Tree &Old = *Plain.Stepped[I], &Now = *Lowered[I + 1];
    const unsigned Local = Old.kid(0).Local;
    if (timesNamedIn(Store, Local) != 1 || !hasOnlyItsName(Function, Local) ||
        !Now.is("UnaryOperator") || Now.Kids.size() != 1 ||
        Old.Label != Now.Label + " post" || !Same(Old.kid(0), Now.kid(0)))
      return 0;
  }
  return Steps + 1;
}

} // namespace kpipe
