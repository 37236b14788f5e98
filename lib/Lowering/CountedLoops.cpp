// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountedLoops.h. A step is moved only past what neither changes nor asks
// for its variable.
#include "CountedLoops.h"
#include "BarrierLoops.h"
#include "Code/AstUtils.h"
#include "EndingBreaks.h"
#include "LocalNames.h"
#include "OwnCounters.h"
#include "SecondSteps.h"
#include "SingleStage.h"
#include "SteppingStores.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// A loop whose counter steps in its body, or begins in front of it.
struct Counter {
  const DeclStmt *Made = nullptr; ///< also of others
  const Expr *Cond = nullptr;
  const Expr *Step = nullptr; ///< a statement of the body; null: in the header
  const VarDecl *V = nullptr;
};

/// Copies in the body of a tile loop.
class StepWriter : public StepEdits {
public:
  StepWriter(const FunctionDecl *Body, const SourceText *Source)
      : StepEdits(Body->getBody(), Source) {}

  /// \returns whether anything is written otherwise, or may be.
  bool run(const Stmt *Loop) {
    Tile = Loop;
    return statements(bodyOf(Loop), nullptr);
  }

private:
  const Stmt *Tile = nullptr;

  bool statements(const Stmt *S, const Stmt *Around) {
    if (!S || isa<DeclStmt>(S) || (isLoop(S) && hasBarrier(S)))
      return false;
    if (const auto *E = dyn_cast<Expr>(S))
      return steppingStore(E, Around, *this);
    bool Any = false;
    if (const auto *F = dyn_cast<ForStmt>(S)) {
      Any |= secondSteps(F, Around, *this);
      Any |= ownCounter(F, Tile, *this);
    }
    llvm::SmallVector<const Stmt *, 16> Seen;
    for (const Stmt *Kid : S->children()) {
      const bool IsStatement =
          isa<CompoundStmt, AttributedStmt>(S) || Kid == bodyOfAny(S) ||
          (isa<IfStmt>(S) && Kid != cast<IfStmt>(S)->getCond());
      if (IsStatement && isa<CompoundStmt>(S))
        Any |= counts(Seen, withoutHints(Kid));
      if (IsStatement)
        Any |= statements(Kid, S);
      Seen.push_back(Kid);
    }
    return Any;
  }

  static const Stmt *withoutHints(const Stmt *S) {
    const auto *A = dyn_cast<AttributedStmt>(S);
    return A ? A->getSubStmt() : S;
  }

  static const Stmt *bodyOfAny(const Stmt *S) {
    return isLoop(S) ? bodyOf(S) : nullptr;
  }

  // The counter of a loop.

  using Before = llvm::ArrayRef<const Stmt *>;

  /// Where V is declared, with nothing but declarations behind it that have
  /// nothing to do with it.
  static const DeclStmt *declarationOf(const VarDecl *V, Before All) {
    for (const Stmt *S : llvm::reverse(All)) {
      const auto *D = dyn_cast<DeclStmt>(S);
      if (!D || D->getBeginLoc().isMacroID())
        return nullptr;
      const bool Here = llvm::is_contained(D->decls(), V);
      const bool Next = S == All.back() && D->isSingleDecl();
      if (Here && (Next || declaresApart(D, V)))
        return D;
      if (Here || !declaresApart(D, V))
        return nullptr;
    }
    return nullptr;
  }

  Counter counterOf(Before All, const Stmt *Loop) const {
    const auto *While = dyn_cast<WhileStmt>(Loop);
    const auto *For = dyn_cast<ForStmt>(Loop);
    if ((!While && !For) || Loop->getBeginLoc().isMacroID() ||
        isEntered(Loop) || !fillsTile(Loop) || hasBarrier(Loop) ||
        (While ? While->getConditionVariable() : For->getConditionVariable()))
      return {};
    Counter Of{nullptr, While ? While->getCond() : For->getCond(), nullptr};
    const Stmt *Body = bodyOf(Loop);
    const Expr *Step = For ? For->getInc() : nullptr;
    if (!Step) {
      const auto *Block = dyn_cast<CompoundStmt>(Body);
      if (!Block || Block->size() < 2 || mayContinue(Body) ||
          endsObjects(Body))
        return {};
      Step = Of.Step = dyn_cast<Expr>(Block->body_back());
    }
    const VarDecl *V = Step && Of.Cond ? updatedVariable(Step) : nullptr;
    if (!V || !V->hasInit() || V->hasAttrs() ||
        !V->getType()->isIntegerType() || !hasOneName(V, Function))
      return {};
    if (const Stmt *Init = For ? For->getInit() : nullptr)
      Of.Made = Of.Step ? declarationOf(V, {Init}) : nullptr;
    else
      Of.Made = declarationOf(V, All);
    // Nobody else asks for the counter, in the loop or behind it.
    if (!Of.Made || Step->getBeginLoc().isMacroID() ||
        namesOneOf(Step, Body) || hasNameOf(Body, V) ||
        timesNamed(Loop, V) != timesNamed(Function, V) ||
        !onlyReads(Of.Cond, V))
      return {};
    unsigned Reads = 0;
    for (const Stmt *One : statementsOf(Body))
      if (One != Of.Step) {
        if (!onlyReads(One, V))
          return {};
        Reads += timesNamed(One, V);
      }
    Of.V = V;
    return Reads ? Of : Counter();
  }

  static llvm::SmallVector<const Stmt *, 8> statementsOf(const Stmt *Body) {
    if (const auto *Block = dyn_cast<CompoundStmt>(Body))
      return {Block->body_begin(), Block->body_end()};
    return {Body};
  }

  /// `int i = t; while (i < N) { …; i += S; }` as a for loop.
  bool counts(Before All, const Stmt *Loop) {
    const Counter Of = counterOf(All, Loop);
    if (!Of.V)
      return false;
    if (!Source)
      return true;
    const auto *For = dyn_cast<ForStmt>(Loop);
    const auto *While = dyn_cast<WhileStmt>(Loop);
    auto Begin = Source->offset(Loop->getBeginLoc()),
         Left = Source->offset(For ? For->getLParenLoc() : While->getLParenLoc()),
         Right =
             Source->offset(For ? For->getRParenLoc() : While->getRParenLoc());
    if (!Begin || !Left || !Right || !movable({*Begin, *Right}))
      return fail();
    std::string Steps;
    if (Of.Step) {
      auto Step = Source->expression(Of.Step);
      auto Text = Step ? movable(*Step) : std::nullopt;
      if (!Text)
        return fail();
      Steps = " " + *Text;
      drop(Source->statement(Of.Step));
    }
    if (For && For->getInit()) {
      unsigned End = *Right;
      while (End && llvm::isSpace(Source->all()[End - 1]))
        --End;
      replace({End, *Right}, Steps);
      return true;
    }
    auto Decl = taken(Of);
    auto Cond = Source->expression(Of.Cond);
    if (!Decl || !Cond)
      return fail();
    if (While) {
      replace({*Begin, *Right + 1}, "for (" + *Decl + " " +
                                        Source->at(*Cond).str() + ";" + Steps +
                                        ")");
      return true;
    }
    const unsigned Semicolon = Source->skipSpaceAndComments(*Left + 1);
    if (Source->at({Semicolon, Semicolon + 1}) != ";")
      return fail();
    replace({*Left + 1, Semicolon + 1}, *Decl);
    if (Of.Step)
      replace({*Right, *Right}, Steps);
    return true;
  }

  /// The declaration of a counter alone, whose others stay where they are.
  std::optional<std::string> taken(const Counter &Of) {
    const Range Made = Source->statement(Of.Made);
    auto Text = movable(Made);
    if (!Text || !llvm::StringRef(*Text).ends_with(";"))
      return std::nullopt;
    if (Of.Made->isSingleDecl()) {
      drop(Made);
      return Text;
    }
    auto Texts = declaredTexts(Of.Made, *this);
    if (!Texts)
      return std::nullopt;
    const size_t At =
        llvm::find(Of.Made->decls(), Of.V) - Of.Made->decl_begin();
    replace(Made, Texts->without(At) + ";");
    return Texts->Type + Texts->Each[At] + ";";
  }
};

} // namespace

bool mayBeCounted(const FunctionDecl *Body) {
  bool Any = false;
  BarrierLoops([&](const Stmt *Loop) {
    Any = Any || StepWriter(Body, nullptr).run(Loop);
  }).TraverseStmt(Body->getBody());
  return Any;
}

std::vector<OpenedLoop>
loopsCounted(const FunctionDecl *Body, const SourceText &Source,
             llvm::function_ref<bool(const Stmt *)> MayTouch) {
  std::vector<OpenedLoop> All;
  BarrierLoops([&](const Stmt *Loop) {
    if (!MayTouch(Loop))
      return;
    StepWriter Steps(Body, &Source);
    if (Steps.run(Loop) && !Steps.Failed)
      All.push_back({Loop, std::move(Steps.Edits)});
  }).TraverseStmt(Body->getBody());
  return All;
}

} // namespace kpipe
