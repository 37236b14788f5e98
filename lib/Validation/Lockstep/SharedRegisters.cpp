// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedRegisters.h.

#include "SharedRegisters.h"
#include "Code/Jumps.h"
#include "Matcher.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace kpipe {

/// From the variable to the element.
static llvm::SmallVector<const Tree *, 8> stepsTo(const Tree &Register) {
  llvm::SmallVector<const Tree *, 8> Steps;
  for (const Tree *At = &Register;; At = &At->kid(0)) {
    if (!At->is("ImplicitCastExpr"))
      Steps.push_back(At);
    if (At->Kids.empty())
      break;
  }
  std::reverse(Steps.begin(), Steps.end());
  return Steps;
}

bool mayBeOneRegister(const Tree &A, const Tree &B) {
  auto X = stepsTo(A), Y = stepsTo(B);
  if (X.front()->Local != Y.front()->Local)
    return false;
  for (size_t I = 1; I < X.size() && I < Y.size(); ++I) {
    if (X[I]->is("MemberExpr") && Y[I]->is("MemberExpr") &&
        X[I]->Name != Y[I]->Name)
      return false;
    if (!X[I]->is("ArraySubscriptExpr") || !Y[I]->is("ArraySubscriptExpr"))
      continue;
    const Tree &At = withoutConversions(X[I]->kid(1)),
               &Other = withoutConversions(Y[I]->kid(1));
    if (At.is("IntegerLiteral") && Other.is("IntegerLiteral") &&
        At.Label != Other.Label)
      return false;
  }
  return true;
}

static bool contains(const Stmt *In, const Stmt *S) {
  if (In == S)
    return true;
  return In && llvm::any_of(In->children(), [&](const Stmt *Child) {
           return contains(Child, S);
         });
}

/// How many loops are around the innermost `if` with A and B in two branches of
/// it; -1 if there is none.
static int loopsAround(const Stmt *A, const Stmt *B, const Stmt *Root,
                       int Loops = 0) {
  if (!Root)
    return -1;
  if (const auto *I = dyn_cast<IfStmt>(Root);
      I && I->getElse() &&
      ((contains(I->getThen(), A) && contains(I->getElse(), B)) ||
       (contains(I->getThen(), B) && contains(I->getElse(), A))))
    return Loops;
  Loops += isLoop(Root);
  for (const Stmt *Child : Root->children())
    if (int Found = loopsAround(A, B, Child, Loops); Found >= 0)
      return Found;
  return -1;
}

bool takeTurns(const Stmt *A, const Tree &RegisterOfA, const Stmt *B,
               const Tree &RegisterOfB, const Stmt *Root) {
  const int Loops = loopsAround(A, B, Root);
  auto X = stepsTo(RegisterOfA), Y = stepsTo(RegisterOfB);
  int Same = 0;
  for (size_t I = 1; I < X.size() && I < Y.size(); ++I) {
    if (!X[I]->is("ArraySubscriptExpr") || !Y[I]->is("ArraySubscriptExpr"))
      continue;
    std::string Index, Other;
    writeTree(X[I]->kid(1), Index);
    writeTree(Y[I]->kid(1), Other);
    if (Index != Other)
      break;
    ++Same;
  }
  return Loops >= 0 && Same >= Loops;
}

} // namespace kpipe
