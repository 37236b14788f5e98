// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SecondSteps.h. A step is moved only past what neither changes nor asks for
// its variable.
#include "SecondSteps.h"
#include "BarrierLoops.h"
#include "Code/AstUtils.h"
#include "Code/ComputesOnly.h"
#include "EndingBreaks.h"
#include "LocalNames.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

bool mayContinue(const Stmt *S) {
  return anyNode(S, [](const Stmt *One) { return isa<ContinueStmt>(One); });
}

void StepEdits::drop(Range R) {
  const bool Comment = Source->trailingComment(R.End) != R.End;
  unsigned End = R.End;
  while (Comment && llvm::isSpace(Source->all()[End]))
    ++End;
  replace({R.Begin, End}, Comment ? "" : GoneMark.str());
}

std::optional<std::string> StepEdits::movable(Range R) const {
  const llvm::StringRef Text = Source->at(R);
  if (Text.contains('#') || Text.contains('\n') || Text.contains("//") ||
      Text.contains("/*"))
    return std::nullopt;
  return Text.str();
}

bool declaresApart(const DeclStmt *D, const VarDecl *V) {
  return llvm::all_of(D->decls(), [&](const Decl *One) {
    const auto *Own = dyn_cast<VarDecl>(One);
    return Own && Own->hasLocalStorage() && Own->hasInit() &&
           Own->getInitStyle() == VarDecl::CInit && !Own->hasAttrs() &&
           Own->getType()->isIntegerType() && computesOnly(Own->getInit()) &&
           !timesNamed(Own->getInit(), V);
  });
}

std::string DeclaredTexts::without(size_t Of) const {
  std::string Text = Type;
  bool Any = false;
  for (size_t I = 0; I != Each.size(); ++I)
    if (I != Of) {
      Text += (Any ? ", " : "") + Each[I];
      Any = true;
    }
  return Text;
}

std::optional<DeclaredTexts> declaredTexts(const DeclStmt *D,
                                           const StepEdits &In) {
  DeclaredTexts Texts;
  auto Begin = In.Source->offset(D->getBeginLoc());
  for (const Decl *One : D->decls()) {
    const auto *V = cast<VarDecl>(One);
    auto Name = In.Source->offset(V->getLocation());
    auto Value = In.Source->expression(V->getInit());
    if (!Begin || !Name || !Value || *Name < *Begin || Value->End < *Name)
      return std::nullopt;
    if (Texts.Each.empty()) {
      auto Type = In.movable({*Begin, *Name});
      if (!Type)
        return std::nullopt;
      Texts.Type = *Type;
    }
    auto Text = In.movable({*Name, Value->End});
    if (!Text)
      return std::nullopt;
    Texts.Each.push_back(*Text);
  }
  return Texts;
}

namespace {

class Writer {
public:
  explicit Writer(StepEdits &To) : To(To), Function(To.Function), Source(To.Source) {}

  // Steps in a header beside the counter's.

  static void partsOf(const Expr *E, llvm::SmallVectorImpl<const Expr *> &All) {
    const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParens());
    if (!B || B->getOpcode() != BO_Comma)
      return All.push_back(E);
    partsOf(B->getLHS(), All);
    partsOf(B->getRHS(), All);
  }

  /// Of what a header declares, what its condition asks for and a step changes.
  static const VarDecl *counterOf(const DeclStmt *Init, const ForStmt *F,
                                  llvm::ArrayRef<const Expr *> Parts) {
    for (const Expr *Part : Parts)
      if (const VarDecl *V = updatedVariable(Part);
          V && llvm::is_contained(Init->decls(), V) &&
          timesNamed(F->getCond(), V))
        return V;
    return nullptr;
  }

  /// `int i = a, j = b` without i in front of the loop: nothing else has the name
  /// of j, and its value has nothing to do with i.
  bool mayStandInFront(const DeclStmt *Init, const VarDecl *V,
                       const Stmt *Around) const {
    return isa_and_nonnull<CompoundStmt>(Around) && declaresApart(Init, V) &&
           llvm::all_of(Init->decls(), [&](const Decl *D) {
             return D == V || isOnlyName(cast<VarDecl>(D), Function);
           });
  }

  bool inFront(const DeclStmt *Init, const VarDecl *V, const ForStmt *F) {
    auto Texts = declaredTexts(Init, To);
    auto Begin = Source->offset(F->getForLoc());
    if (!Texts || !Begin)
      return false;
    const size_t Of = llvm::find(Init->decls(), V) - Init->decl_begin();
    const Range Declared = Source->statement(Init);
    To.replace({*Begin, Declared.End},
               Texts->without(Of) + "; for (" + Texts->Type +
                   Texts->Each[Of] + ";");
    return true;
  }

  /// `++j, q >>= 4`: the second one becomes a statement.
  bool steps(const ForStmt *F, const Stmt *Around) {
    const auto *Init = dyn_cast_or_null<DeclStmt>(F->getInit());
    llvm::SmallVector<const Expr *, 4> Parts;
    if (F->getInc())
      partsOf(F->getInc(), Parts);
    const VarDecl *V = Init ? counterOf(Init, F, Parts) : nullptr;
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
    if (!Own || (!Init->isSingleDecl() && !mayStandInFront(Init, V, Around)))
      return false;
    if (!Source)
      return true;
    if (!Init->isSingleDecl() && !inFront(Init, V, F))
      return To.fail();
    auto Whole = Source->expression(F->getInc()), Left = Source->expression(Own);
    if (!Whole || !Left || !To.movable(*Whole))
      return To.fail();
    std::vector<std::string> Others;
    for (const Expr *Part : Parts)
      if (Part != Own) {
        auto Place = Source->expression(Part);
        if (!Place)
          return To.fail();
        Others.push_back(Source->at(*Place).str() + ";");
      }
    To.replace(*Whole, Source->at(*Left).str());
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
        return To.fail();
      const Range Last = Source->statement(Block->body_back());
      auto End = Source->offset(Block->getRBracLoc());
      if (!End || *End < Last.End)
        return To.fail();
      const bool OneLine = Source->lineStart(Last.End) ==
                           Source->lineStart(*End);
      if (OneLine) {
        Text.clear();
        for (const std::string &One : Others)
          Text += " " + One;
      }
      To.Edits.insert({Last.End, 0, Text});
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
      return To.fail();
    const std::string Inside = Text.empty() ? Source->at(One).str() : Text;
    const int Deeper = OwnLine ? 0 : int(Step.size());
    std::string All = Inside + Behind;
    for (size_t At = 0; Deeper && (At = All.find(lineMark(0), At)) != All.npos;)
      All.replace(At, lineMark(0).size(), lineMark(Deeper));
    if (!OwnLine) {
      To.replace(One, "{" + lineMark(Deeper) + All + lineMark(0) + "}");
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
      return To.fail();
    To.Edits.insert({End, 0, " {"});
    To.replace(One, All + lineMark(int(Of) - int(Own)) + "}");
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
    if (!To.movable(Whole))
      return To.fail();
    std::vector<TextEdit> Cut;
    std::string Behind;
    for (const UnaryOperator *U : Steps) {
      auto At = Source->offset(U->getOperatorLoc());
      if (!At)
        return To.fail();
      Cut.push_back({*At, 2, ""});
      Behind += lineMark(0) + UnaryOperator::getOpcodeStr(U->getOpcode()).str() +
                Source->text(U->getSubExpr()) + ";";
    }
    llvm::sort(Cut);
    const std::string Plain = Source->edited(Whole, Cut);
    if (!isa<CompoundStmt>(Around))
      return braces(Whole, Around, Plain, Behind);
    To.replace(Whole, Plain + Behind);
    return true;
  }

private:
  StepEdits &To;
  const Stmt *Function;
  const SourceText *Source;
};

} // namespace

bool secondSteps(const ForStmt *F, const Stmt *Around, StepEdits &To) {
  return Writer(To).steps(F, Around);
}

bool stepsOfCopy(const Expr *E, const Stmt *Around, StepEdits &To) {
  return Writer(To).advances(E, Around);
}

} // namespace kpipe
