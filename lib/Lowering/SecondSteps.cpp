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

bool declaresApart(const DeclStmt *D, const VarDecl *V) {
  return llvm::all_of(D->decls(), [&](const Decl *One) {
    const auto *Own = dyn_cast<VarDecl>(One);
    return Own && Own->hasLocalStorage() && Own->hasInit() &&
           Own->getInitStyle() == VarDecl::CInit && !Own->hasAttrs() &&
           Own->getType()->isIntegerType() && computesOnly(Own->getInit()) &&
           !timesNamed(Own->getInit(), V);
  });
}

namespace {

class Writer {
public:
  explicit Writer(StepEdits &To) : To(To), Function(To.Function), Source(To.Source) {}

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
    return To.braces(One, Around, "", Text);
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

} // namespace kpipe
