// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StepMeaning.h. A step may only be taken later or earlier than what neither
// names its variable nor could by another name.
#include "StepMeaning.h"
#include "CounterNames.h"
#include "SideEffects.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

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
      Read->Kids.push_back(nodeOf(T.kid(0)));
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
    auto New = nodeOf(T);
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

/// A loop of the author's whose counter is Local, and one that begins with it and
/// steps it in its header.
static std::optional<ListPair> stepInHeader(const Tree &Loop,
                                            const Tree &Lowered,
                                            unsigned Local, SameTrees Same) {
  const bool While = Loop.is("WhileStmt");
  TreeList Body = statementsIn(*Loop.Kids.back());
  const Tree *Step = While ? nullptr : &Loop.kid(3);
  if (!Step || Step->is("-")) {
    if (Body.empty() || !Loop.Kids.back()->is("CompoundStmt") ||
        !endsQuietly(*Loop.Kids.back()))
      return std::nullopt;
    Step = Body.back();
    Body.pop_back();
  }
  if (!isStepOf(*Step, Local) ||
      !Same(Loop.kid(While ? 0 : 2), Lowered.kid(2)) ||
      !Same(*Step, Lowered.kid(3)))
    return std::nullopt;
  return ListPair{Body, statementsIn(*Lowered.Kids.back())};
}

/// The author's second steps at the end of the other body.
static std::optional<ListPair> stepsInBody(const Tree &Loop,
                                           const Tree &Lowered, unsigned Local,
                                           SameTrees Same) {
  if (!endsQuietly(Loop.kid(4)))
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
      !Same(Loop.kid(2), Lowered.kid(2)) || !Same(*Own, Lowered.kid(3)))
    return std::nullopt;
  for (const Tree *Part : llvm::reverse(Moved)) {
    if (!Same(*Part, *New.back()))
      return std::nullopt;
    New.pop_back();
  }
  return ListPair{statementsIn(Loop.kid(4)), New};
}

/// Declares D numbers of the thread's own alone, whose values do nothing and do
/// not name Local?
static bool declaresApart(const Tree &D, unsigned Local) {
  return D.is("DeclStmt") && llvm::all_of(D.Kids, [&](const auto &V) {
           const auto *Of = dyn_cast_or_null<VarDecl>(V->Of);
           bool Quiet = V->is("Var") && V->Label.empty() && Of &&
                        Of->hasLocalStorage() && V->Kids.size() == 1 &&
                        Of->getType()->isIntegralOrEnumerationType() &&
                        !Of->getType().isVolatileQualified() &&
                        timesNamedIn(V->kid(0), Local) == 0;
           if (Quiet)
             eachNode(V->kid(0), [&](const Tree &One) {
               Quiet &= !hasOwnEffect(One.Origin) && !One.is("LambdaExpr");
             });
           return Quiet;
         });
}

/// Is Other what D declares, but for one variable?
static bool declaresOthers(const Tree &D, const Tree &But, const Tree &Other,
                           SameTrees Same) {
  if (!Other.is("DeclStmt") || Other.Kids.size() + 1 != D.Kids.size())
    return false;
  size_t J = 0;
  for (const auto &V : D.Kids)
    if (V.get() != &But && !Same(*V, Other.kid(J++)))
      return false;
  return true;
}

/// Does a loop's header make what the author's V is?
static bool makes(const Tree &Loop, const Tree &V, SameTrees Same) {
  return isFor(Loop) && counterMade(Loop.kid(0)) && V.is("Var") &&
         V.Label.empty() && Same(V, Loop.kid(0).kid(0));
}

/// With V as the counter.
static std::optional<MovedCounter>
movedCounter(llvm::ArrayRef<const Tree *> Author,
             llvm::ArrayRef<const Tree *> Lowered, const Tree &V,
             const Tree &Function, SameTrees Same) {
  const bool InHeader = isFor(*Author.front());
  const Tree &Made = InHeader ? Author.front()->kid(0) : *Author.front();
  size_t At = 0, Other = 0;
  if (!InHeader)
    while (At != Author.size() && Author[At]->is("DeclStmt"))
      ++At;
  if (At == Author.size() || !hasOnlyItsName(Function, V.Local))
    return std::nullopt;
  const Tree &Loop = *Author[At];
  if (Made.Kids.size() > 1 || At > 1)
    for (size_t I = 0; I == 0 || I < At; ++I)
      if (!declaresApart(I ? *Author[I] : Made, V.Local))
        return std::nullopt;
  if (Made.Kids.size() > 1)
    if (Lowered.empty() || !declaresOthers(Made, V, *Lowered[Other++], Same))
      return std::nullopt;
  for (size_t I = 1; I < At; ++I)
    if (Other == Lowered.size() || !Same(*Author[I], *Lowered[Other++]))
      return std::nullopt;
  if (Other == Lowered.size() || !makes(*Lowered[Other], V, Same))
    return std::nullopt;
  const bool Counts = Loop.is("WhileStmt") ? Loop.Kids.size() == 2
                                           : isFor(Loop) && Loop.kid(0).is("-");
  auto Bodies = InHeader ? stepsInBody(Loop, *Lowered[Other], V.Local, Same)
                : Counts ? stepInHeader(Loop, *Lowered[Other], V.Local, Same)
                         : std::nullopt;
  if (!Bodies)
    return std::nullopt;
  return MovedCounter{std::move(*Bodies), At + 1, Other + 1};
}

std::optional<MovedCounter> movedCounter(llvm::ArrayRef<const Tree *> Author,
                                         llvm::ArrayRef<const Tree *> Lowered,
                                         const Tree &Function,
                                         SameTrees Same) {
  const Tree &First = *Author.front();
  const bool InHeader = isFor(First) && First.kid(0).Kids.size() > 1;
  const Tree &Made = InHeader ? First.kid(0) : First;
  if (Made.is("DeclStmt"))
    for (const auto &V : Made.Kids)
      if (V->Local)
        if (auto Found = movedCounter(Author, Lowered, *V, Function, Same))
          return Found;
  return std::nullopt;
}

std::optional<ListPair> stepElsewhere(const Tree &Loop, const Tree &Lowered,
                                      const Tree &Function, SameTrees Same) {
  const unsigned Local = isFor(Loop) ? counterMade(Loop.kid(0)) : 0;
  if (!Local || !hasOnlyItsName(Function, Local) ||
      !makes(Lowered, Loop.kid(0).kid(0), Same))
    return std::nullopt;
  return Loop.kid(3).is("-") ? stepInHeader(Loop, Lowered, Local, Same)
                             : stepsInBody(Loop, Lowered, Local, Same);
}

size_t stepsBehind(const Tree &Store, llvm::ArrayRef<const Tree *> Lowered,
                   const Tree &Function, SameTrees Same) {
  if (Store.Kids.size() != 2 || !((Store.is("BinaryOperator") &&
                                   Store.Label == "=") ||
                                  Store.is("CompoundAssignOperator")))
    return 0;
  WithoutSteps Plain;
  auto New = nodeOf(Store);
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
