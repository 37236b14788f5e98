// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the number to sums, variables, parameters and operands of assembly, see
// ViewsAsAddresses.h.

#include "ViewsAsAddresses.h"
#include "Code/AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// Does assembly name the operand between brackets alone, `[%4]`?
bool isAddressOperand(const GCCAsmStmt *A, unsigned Input) {
  const std::string Text = A->getAsmString();
  const std::string Name = "%" + std::to_string(A->getNumOutputs() + Input);
  unsigned Count = 0;
  for (size_t At = Text.find(Name); At != std::string::npos;
       At = Text.find(Name, At + 1)) {
    if (At + Name.size() < Text.size() && isdigit(Text[At + Name.size()]))
      continue; // %10
    if (!At || Text[At - 1] != '[')
      return false;
    ++Count;
  }
  return Count != 0;
}

class NumberUses {
public:
  NumberUses(const VarDecl *V, unsigned Depth)
      : Context(V->getASTContext()), Depth(Depth) {
    Held.insert(V);
  }

  bool areAddresses(const Stmt *Body) {
    for (size_t Before = 0; Fine && Before != Held.size();) {
      Before = Held.size();
      visit(Body);
    }
    return Fine;
  }

private:
  const ASTContext &Context;
  const unsigned Depth;                       ///< of calls that are entered
  llvm::SmallPtrSet<const VarDecl *, 4> Held; ///< variables with an address
  bool Fine = true;

  bool isNumber(QualType T) const {
    return T->isIntegerType() && !T->isBooleanType() &&
           Context.getTypeSize(T) >= 32;
  }

  /// Is the value, or what the lvalue holds, an address?
  bool holds(const Expr *E) const {
    E = E->IgnoreParens();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V && Held.contains(V);
    }
    if (const auto *F = dyn_cast<FullExpr>(E))
      return holds(F->getSubExpr());
    if (const auto *C = dyn_cast<CastExpr>(E))
      return isNumber(C->getType()) && holds(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->isIncrementDecrementOp() && holds(U->getSubExpr());
    if (const auto *C = dyn_cast<ConditionalOperator>(E))
      return holds(C->getTrueExpr()) || holds(C->getFalseExpr());
    if (const auto *L = dyn_cast<InitListExpr>(E))
      return isNumber(L->getType()) && L->getNumInits() == 1 &&
             holds(L->getInit(0));
    const auto *B = dyn_cast<BinaryOperator>(E);
    return B &&
           (holds(B->getRHS()) ||
            (B->getOpcode() != BO_Comma && holds(B->getLHS()))) &&
           isSum(B);
  }

  static bool isSum(const BinaryOperator *B) {
    return llvm::is_contained(
        {BO_Add, BO_Sub, BO_AddAssign, BO_SubAssign, BO_Assign, BO_Comma},
        B->getOpcode());
  }

  bool keepIn(const VarDecl *V) {
    if (!V || !V->hasLocalStorage() || !isNumber(V->getType()))
      return false;
    Held.insert(V);
    return true;
  }

  /// May Parent have an address as its part?
  bool takes(const Stmt *Parent, const Expr *Part) {
    if (isa<CompoundStmt, ForStmt, ParenExpr, FullExpr, InitListExpr>(Parent))
      return true;
    if (const auto *C = dyn_cast<CastExpr>(Parent))
      return isNumber(C->getType()) || C->getCastKind() == CK_ToVoid;
    if (const auto *U = dyn_cast<UnaryOperator>(Parent))
      return U->isIncrementDecrementOp();
    if (const auto *C = dyn_cast<ConditionalOperator>(Parent))
      return Part != C->getCond();
    if (const auto *B = dyn_cast<BinaryOperator>(Parent)) {
      if (B->isAssignmentOp() && Part == B->getRHS()) {
        const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
        return isSum(B) &&
               keepIn(D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr);
      }
      return isSum(B);
    }
    if (const auto *D = dyn_cast<DeclStmt>(Parent))
      return llvm::all_of(D->decls(), [&](const Decl *One) {
        const auto *V = dyn_cast<VarDecl>(One);
        return !V || V->getInit() != Part || keepIn(V);
      });
    if (const auto *A = dyn_cast<GCCAsmStmt>(Parent)) {
      for (unsigned I = 0; I != A->getNumInputs(); ++I)
        if (A->getInputExpr(I) == Part)
          return isAddressOperand(A, I);
      return false;
    }
    const auto *C = dyn_cast<CallExpr>(Parent);
    return C && isGiven(C, Part);
  }

  bool isGiven(const CallExpr *C, const Expr *Part) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || isa<CXXMethodDecl>(F) || F->isWeak() || F->isVariadic() ||
        Depth == 4 || !F->hasBody(Body))
      return false;
    for (unsigned I = 0; I != C->getNumArgs(); ++I)
      if (C->getArg(I) == Part)
        return I < Body->getNumParams() &&
               isNumber(Body->getParamDecl(I)->getType()) &&
               NumberUses(Body->getParamDecl(I), Depth + 1)
                   .areAddresses(Body->getBody());
    return false;
  }

  void visit(const Stmt *S) {
    for (const Stmt *Kid : S->children()) {
      const auto *E = dyn_cast_or_null<Expr>(Kid);
      if (E && holds(E))
        Fine &= takes(S, E);
      if (Kid && Fine)
        visit(Kid);
    }
  }
};

} // namespace

bool isOnlyAddress(const VarDecl *V, const FunctionDecl *F) {
  return NumberUses(V, 0).areAddresses(F->getBody());
}

} // namespace kpipe
