// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountedLoops.h. A step is moved only past what neither changes nor asks
// for its variable.
#include "CountedLoops.h"
#include "BarrierLoops.h"
#include "Code/AstUtils.h"
#include "EndingBreaks.h"
#include "LocalNames.h"
#include "SingleStage.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

static bool mayContinue(const Stmt *S) {
  return anyNode(S, [](const Stmt *One) { return isa<ContinueStmt>(One); });
}

namespace {

/// A loop whose counter steps in its body, or begins in front of it.
struct Counter {
  const DeclStmt *Made = nullptr;
  const Expr *Cond = nullptr;
  const Expr *Step = nullptr; ///< a statement of the body; null: in the header
};

/// Copies in the body of a tile loop.
class StepWriter {
public:
  StepWriter(const FunctionDecl *Body, const SourceText *Source)
      : Function(Body->getBody()), Source(Source) {}

  /// \returns whether anything is written otherwise, or may be.
  bool run(const Stmt *Loop) { return statements(bodyOf(Loop), nullptr); }

  bool failed() const { return Failed; }
  std::set<Edit> Edits;

private:
  const Stmt *Function;
  const SourceText *Source;
  bool Failed = false;

  bool statements(const Stmt *S, const Stmt *Around) {
    if (!S || isa<DeclStmt>(S) || (isLoop(S) && hasBarrier(S)))
      return false;
    if (const auto *E = dyn_cast<Expr>(S))
      return advances(E, Around);
    bool Any = false;
    if (const auto *F = dyn_cast<ForStmt>(S))
      Any |= steps(F);
    const Stmt *Before = nullptr;
    for (const Stmt *Kid : S->children()) {
      const bool IsStatement =
          isa<CompoundStmt, AttributedStmt>(S) || Kid == bodyOfAny(S) ||
          (isa<IfStmt>(S) && Kid != cast<IfStmt>(S)->getCond());
      if (IsStatement && isa<CompoundStmt>(S))
        Any |= counts(Before, withoutHints(Kid));
      if (IsStatement)
        Any |= statements(Kid, S);
      Before = Kid;
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

  bool fail() {
    Failed = true;
    return true;
  }

  void replace(Range R, std::string Text) {
    Edits.insert({R.Begin, R.size(), std::move(Text)});
  }

  /// A comment behind it stays, with the line.
  void drop(Range R) {
    const bool Comment = Source->trailingComment(R.End) != R.End;
    unsigned End = R.End;
    while (Comment && llvm::isSpace(Source->all()[End]))
      ++End;
    replace({R.Begin, End}, Comment ? "" : GoneMark.str());
  }

  /// Text that may stand elsewhere, on a line of its own.
  std::optional<std::string> movable(Range R) const {
    const llvm::StringRef Text = Source->at(R);
    if (Text.contains('#') || Text.contains('\n') || Text.contains("//") ||
        Text.contains("/*"))
      return std::nullopt;
    return Text.str();
  }

  // The counter of a loop.

  Counter counterOf(const Stmt *Before, const Stmt *Loop) const {
    const auto *Made = dyn_cast_or_null<DeclStmt>(Before);
    const auto *V = Made && Made->isSingleDecl()
                        ? dyn_cast<VarDecl>(Made->getSingleDecl())
                        : nullptr;
    const auto *While = dyn_cast<WhileStmt>(Loop);
    const auto *For = dyn_cast<ForStmt>(Loop);
    if (!V || (!While && !For) || !V->hasInit() || V->hasAttrs() ||
        !V->getType()->isIntegerType() || Before->getBeginLoc().isMacroID() ||
        Loop->getBeginLoc().isMacroID() || isEntered(Loop) ||
        !hasOneName(V, Function) || !fillsTile(Loop) || hasBarrier(Loop))
      return {};
    Counter Of{Made, While ? While->getCond() : For->getCond(), nullptr};
    const Stmt *Body = bodyOf(Loop);
    if (!Of.Cond || (While ? While->getConditionVariable()
                           : For->getConditionVariable()))
      return {};
    const Expr *Step = For ? For->getInc() : nullptr;
    if (For && For->getInit())
      return {};
    if (While) {
      const auto *Block = dyn_cast<CompoundStmt>(Body);
      if (!Block || Block->size() < 2 || mayContinue(Body) ||
          endsObjects(Body))
        return {};
      Step = Of.Step = dyn_cast<Expr>(Block->body_back());
    }
    // Nobody else asks for the counter, in the loop or behind it.
    if (!Step || updatedVariable(Step) != V || Step->getBeginLoc().isMacroID() ||
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
    return Reads ? Of : Counter();
  }

  static llvm::SmallVector<const Stmt *, 8> statementsOf(const Stmt *Body) {
    if (const auto *Block = dyn_cast<CompoundStmt>(Body))
      return {Block->body_begin(), Block->body_end()};
    return {Body};
  }

  /// `int i = t; while (i < N) { …; i += S; }` as a for loop.
  bool counts(const Stmt *Before, const Stmt *Loop) {
    const Counter Of = counterOf(Before, Loop);
    if (!Of.Made)
      return false;
    if (!Source)
      return true;
    const Range Made = Source->statement(Of.Made);
    auto Decl = movable(Made);
    const auto *For = dyn_cast<ForStmt>(Loop);
    if (!Decl || !llvm::StringRef(*Decl).ends_with(";"))
      return fail();
    if (For) {
      auto Left = Source->offset(For->getLParenLoc());
      const unsigned Semicolon =
          Left ? Source->skipSpaceAndComments(*Left + 1) : 0;
      if (!Left || Source->at({Semicolon, Semicolon + 1}) != ";")
        return fail();
      replace({*Left + 1, Semicolon + 1}, *Decl);
    } else {
      const auto *While = cast<WhileStmt>(Loop);
      auto Begin = Source->offset(While->getWhileLoc()),
           End = Source->offset(While->getRParenLoc());
      auto Cond = Source->expression(Of.Cond), Step = Source->expression(Of.Step);
      auto Asks = Cond ? movable(*Cond) : std::nullopt,
           Steps = Step ? movable(*Step) : std::nullopt;
      if (!Begin || !End || !Asks || !Steps ||
          !movable({*Begin, *End}).has_value())
        return fail();
      replace({*Begin, *End + 1},
              "for (" + *Decl + " " + *Asks + "; " + *Steps + ")");
      drop(Source->statement(Of.Step));
    }
    drop(Made);
    return true;
  }

  // Steps in a header beside the counter's.

  static void partsOf(const Expr *E, llvm::SmallVectorImpl<const Expr *> &All) {
    const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParens());
    if (!B || B->getOpcode() != BO_Comma)
      return All.push_back(E);
    partsOf(B->getLHS(), All);
    partsOf(B->getRHS(), All);
  }

  /// `++j, q >>= 4`: the second one becomes a statement.
  bool steps(const ForStmt *F) {
    const auto *Init = dyn_cast_or_null<DeclStmt>(F->getInit());
    const auto *V = Init && Init->isSingleDecl()
                        ? dyn_cast<VarDecl>(Init->getSingleDecl())
                        : nullptr;
    llvm::SmallVector<const Expr *, 4> Parts;
    if (F->getInc())
      partsOf(F->getInc(), Parts);
    const Stmt *Body = F->getBody();
    if (!V || Parts.size() < 2 || !hasOneName(V, Function) ||
        !fillsTile(Body) || hasBarrier(F) || !onlyReads(Body, V) ||
        F->getBeginLoc().isMacroID() || isEntered(Body) || mayContinue(Body) ||
        endsObjects(Body) || isa<NullStmt>(Body))
      return false;
    const Expr *Own = nullptr;
    std::string Moved;
    for (const Expr *Part : Parts)
      if (updatedVariable(Part) == V && !Own)
        Own = Part;
      else if (timesNamed(Part, V) || namesOneOf(Part, Body))
        return false;
    if (!Own)
      return false;
    if (!Source)
      return true;
    auto Whole = Source->expression(F->getInc()), Left = Source->expression(Own);
    if (!Whole || !Left || !movable(*Whole))
      return fail();
    std::vector<std::string> Others;
    for (const Expr *Part : Parts)
      if (Part != Own) {
        auto Place = Source->expression(Part);
        if (!Place)
          return fail();
        Others.push_back(Source->at(*Place).str() + ";");
      }
    replace(*Whole, Source->at(*Left).str());
    return behind(Body, F, Others);
  }

  /// Statements behind all that a body does, or behind one in its place.
  bool behind(const Stmt *Body, const Stmt *Around,
              llvm::ArrayRef<std::string> Others) {
    std::string Text;
    for (const std::string &One : Others)
      Text += lineMark(0) + One;
    if (const auto *Block = dyn_cast<CompoundStmt>(Body)) {
      if (Block->body_empty())
        return fail();
      const Range Last = Source->statement(Block->body_back());
      auto End = Source->offset(Block->getRBracLoc());
      if (!End || *End < Last.End)
        return fail();
      const bool OneLine = Source->lineStart(Last.End) ==
                           Source->lineStart(*End);
      if (OneLine) {
        Text.clear();
        for (const std::string &One : Others)
          Text += " " + One;
      }
      Edits.insert({Last.End, 0, Text});
      return true;
    }
    const Range One = Source->statement(Body);
    return braces(One, Around, "", Text);
  }

  /// Braces around a statement that is all of a loop's body, or a branch.
  /// \param Text what stands in its place; empty: itself.
  bool braces(Range One, const Stmt *Around, const std::string &Text,
              const std::string &Behind) {
    const std::string Step = "  ";
    const unsigned Line = Source->lineStart(One.Begin);
    const bool OwnLine =
        Source->skipSpaceAndComments(Line) == One.Begin;
    if (Source->at(One).contains('\n') || Source->at(One).contains('#') ||
        isa<IfStmt>(Around))
      return fail();
    const std::string Inside = Text.empty() ? Source->at(One).str() : Text;
    const int Deeper = OwnLine ? 0 : int(Step.size());
    std::string All = Inside + Behind;
    for (size_t At = 0; Deeper && (At = All.find(lineMark(0), At)) != All.npos;)
      All.replace(At, lineMark(0).size(), lineMark(Deeper));
    if (!OwnLine) {
      replace(One, "{" + lineMark(Deeper) + All + lineMark(0) + "}");
      return true;
    }
    // The brace opens where the line above ends.
    unsigned End = Line;
    while (End && llvm::isSpace(Source->all()[End - 1]))
      --End;
    auto Right = Source->offset(isa<ForStmt>(Around)
                                    ? cast<ForStmt>(Around)->getRParenLoc()
                                : isa<WhileStmt>(Around)
                                    ? cast<WhileStmt>(Around)->getRParenLoc()
                                    : SourceLocation());
    const size_t Own = Source->indentation(One.Begin).size(),
                 Of = Source->indentation(Around).size();
    if (!Right || *Right + 1 != End || Own < Of)
      return fail();
    Edits.insert({End, 0, " {"});
    replace(One, All + lineMark(int(Of) - int(Own)) + "}");
    return true;
  }

  // Pointers and indices that step within a copy.

  /// `v++` and `v--` where an operand is evaluated in any case.
  static bool stepsIn(const Expr *E, llvm::SmallVectorImpl<const UnaryOperator *> &All) {
    E = E->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      if (U->isPostfix() && isa<DeclRefExpr>(U->getSubExpr()->IgnoreParens())) {
        All.push_back(U);
        return !U->getOperatorLoc().isMacroID();
      }
      return !U->isIncrementDecrementOp() && stepsIn(U->getSubExpr(), All);
    }
    if (const auto *C = dyn_cast<CastExpr>(E))
      return stepsIn(C->getSubExpr(), All);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return stepsIn(A->getBase(), All) && stepsIn(A->getIdx(), All);
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return stepsIn(M->getBase(), All);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && !B->isLogicalOp() &&
                                                     !B->isAssignmentOp() &&
                                                     B->getOpcode() != BO_Comma)
      return stepsIn(B->getLHS(), All) && stepsIn(B->getRHS(), All);
    return isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CXXThisExpr>(E);
  }

  /// `*to++ = *from++` as three statements.
  bool advances(const Expr *E, const Stmt *Around) {
    const auto *Store = dyn_cast<BinaryOperator>(E);
    llvm::SmallVector<const UnaryOperator *, 4> Steps;
    if (!Store || !Store->isAssignmentOp() || !fillsTile(Store) ||
        !Around || !(isa<CompoundStmt>(Around) || isLoop(Around)) ||
        E->getBeginLoc().isMacroID() || !stepsIn(Store->getLHS(), Steps) ||
        !stepsIn(Store->getRHS(), Steps) || Steps.empty())
      return false;
    for (const UnaryOperator *U : Steps) {
      const auto *V = dyn_cast<VarDecl>(
          cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())->getDecl());
      if (!V || timesNamed(Store, V) != 1 || !hasOneName(V, Function))
        return false;
    }
    if (!Source)
      return true;
    const Range Whole = Source->statement(E);
    if (!movable(Whole))
      return fail();
    std::vector<TextEdit> Cut;
    std::string Behind;
    for (const UnaryOperator *U : Steps) {
      auto At = Source->offset(U->getOperatorLoc());
      if (!At)
        return fail();
      Cut.push_back({*At, 2, ""});
      Behind += lineMark(0) + UnaryOperator::getOpcodeStr(U->getOpcode()).str() +
                Source->text(U->getSubExpr()) + ";";
    }
    llvm::sort(Cut);
    const std::string Plain = Source->edited(Whole, Cut);
    if (!isa<CompoundStmt>(Around))
      return braces(Whole, Around, Plain, Behind);
    replace(Whole, Plain + Behind);
    return true;
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
    if (Steps.run(Loop) && !Steps.failed())
      All.push_back({Loop, std::move(Steps.Edits)});
  }).TraverseStmt(Body->getBody());
  return All;
}

} // namespace kpipe
