// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SteppingStores.h. Each operand that steps is named once, and evaluated in
// any case.
#include "SteppingStores.h"
#include "BarrierLoops.h"
#include "Code/Jumps.h"
#include "LocalNames.h"
#include "kpipe/TextMarks.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

/// `v++` and `v--` where an operand is evaluated in any case.
static bool stepsIn(const Expr *E,
                    llvm::SmallVectorImpl<const UnaryOperator *> &All) {
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

bool steppingStore(const Expr *E, const Stmt *Around, StepEdits &To) {
  const auto *Store = dyn_cast<BinaryOperator>(E);
  llvm::SmallVector<const UnaryOperator *, 4> Steps;
  if (!Store || !Store->isAssignmentOp() || !fillsTile(Store) || !Around ||
      !(isa<CompoundStmt>(Around) || isLoop(Around)) ||
      E->getBeginLoc().isMacroID() || !stepsIn(Store->getLHS(), Steps) ||
      !stepsIn(Store->getRHS(), Steps) || Steps.empty())
    return false;
  for (const UnaryOperator *U : Steps) {
    const auto *V = dyn_cast<VarDecl>(
        cast<DeclRefExpr>(U->getSubExpr()->IgnoreParens())->getDecl());
    if (!V || timesNamed(Store, V) != 1 || !hasOneName(V, To.Function))
      return false;
  }
  const SourceText *Source = To.Source;
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
    return To.braces(Whole, Around, Plain, Behind);
  To.replace(Whole, Plain + Behind);
  return true;
}

} // namespace kpipe
