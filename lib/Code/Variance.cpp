// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What differs from tile to tile, see Variance.h.

#include "Variance.h"
#include "Effects.h"
#include "Jumps.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

using Conditions = llvm::SmallVector<const Expr *, 4>;

/// What decides which parts of a statement are evaluated, and how often.
Conditions conditionsIn(const Stmt *S) {
  Conditions Found;
  auto Add = [&](const Expr *E) {
    if (E)
      Found.push_back(E);
  };
  if (const auto *I = dyn_cast<IfStmt>(S)) {
    Add(I->getCond());
  } else if (const auto *F = dyn_cast<ForStmt>(S)) {
    Add(F->getCond());
    Add(F->getInc());
  } else if (const auto *W = dyn_cast<WhileStmt>(S)) {
    Add(W->getCond());
  } else if (const auto *D = dyn_cast<DoStmt>(S)) {
    Add(D->getCond());
  } else if (const auto *W = dyn_cast<SwitchStmt>(S)) {
    Add(W->getCond());
  } else if (const auto *R = dyn_cast<CXXForRangeStmt>(S)) {
    Add(R->getRangeInit());
  } else if (const auto *C = dyn_cast<AbstractConditionalOperator>(S)) {
    Add(C->getCond());
  } else if (const auto *B = dyn_cast<BinaryOperator>(S);
             B && B->isLogicalOp()) {
    Add(B->getLHS());
  }
  return Found;
}

/// All conditions inside a loop or a switch that something jumps in or out of:
/// what follows a jump is evaluated on its conditions as well.
Conditions conditionsOfJumps(const Stmt *S) {
  if (!isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt, LabelStmt>(
          S))
    return {};
  struct Finder : ConstDynamicRecursiveASTVisitor {
    Conditions Found;
    bool Jumps = false;
    bool VisitStmt(const Stmt *S) override {
      Jumps |= isJump(S);
      Found.append(conditionsIn(S));
      return true;
    }
    bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  } Inside;
  Inside.TraverseStmt(S);
  return Inside.Jumps ? Inside.Found : Conditions();
}

/// What a statement declares in front of its body, in its header.
llvm::SmallVector<const Stmt *, 4> declaredInHeader(const Stmt *S) {
  if (const auto *I = dyn_cast<IfStmt>(S))
    return {I->getInit(), I->getConditionVariableDeclStmt()};
  if (const auto *F = dyn_cast<ForStmt>(S))
    return {F->getInit(), F->getConditionVariableDeclStmt()};
  if (const auto *W = dyn_cast<WhileStmt>(S))
    return {W->getConditionVariableDeclStmt()};
  return {};
}

/// Lets variance flow through the parts of statements, along data and control.
/// A condition around a variable's declaration is none of its value: where the
/// variable is, the condition holds. One between them is.
class Spreader : public ConstDynamicRecursiveASTVisitor {
public:
  Spreader(VarSet &Variant, const Scope &In) : Variant(Variant), In(In) {}

  bool Changed = false;

  bool TraverseStmt(const Stmt *S) override {
    if (!S)
      return true;
    for (const Stmt *H : declaredInHeader(S))
      if (const auto *D = dyn_cast_or_null<DeclStmt>(H))
        declare(*D);
    if (const auto *D = dyn_cast<DeclStmt>(S))
      declare(*D);
    if (writes(S))
      spread(effectsOf(S, In));
    const unsigned Before = Control, BeforeJumps = Jumps;
    // The cases of a switch share its variables.
    unsigned &Level = isa<SwitchStmt>(S) ? Jumps : Control;
    for (const Expr *E : conditionsIn(S))
      Level += varies(E, Variant, In);
    for (const Expr *E : conditionsOfJumps(S))
      Jumps += varies(E, Variant, In);
    ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    Control = Before;
    Jumps = BeforeJumps;
    return true;
  }
  /// A closure is looked into where it is called.
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }

private:
  VarSet &Variant;
  const Scope &In;
  unsigned Control = 0; ///< conditions around that differ
  unsigned Jumps = 0;   ///< those on which something may be jumped over
  /// How many of Control are around the declaration.
  llvm::DenseMap<const VarDecl *, unsigned> DeclaredAt;

  void declare(const DeclStmt &S) {
    for (const Decl *D : S.decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->hasLocalStorage())
        DeclaredAt.try_emplace(V, Control);
  }
  static bool writes(const Stmt *S) {
    if (const auto *B = dyn_cast<BinaryOperator>(S))
      return B->isAssignmentOp();
    if (const auto *U = dyn_cast<UnaryOperator>(S))
      return U->isIncrementDecrementOp();
    return isa<DeclStmt, CallExpr, CXXConstructExpr, AsmStmt>(S);
  }

  void spread(const Effects &E) {
    const bool Differs =
        Jumps || E.readsGlobal() || E.readsShared() ||
        llvm::any_of(E.Reads,
                     [&](const VarDecl *V) { return Variant.count(V); });
    // A callee's own variables are looked into where its body is.
    for (const VarDecl *V : E.Writes)
      if ((Differs || Control > DeclaredAt.lookup(V)) &&
          V->getDeclContext()->Encloses(In.function()))
        Changed |= Variant.insert(V).second;
  }
};

} // namespace

bool varies(const Stmt *S, const VarSet &Variant, const Scope &In) {
  Effects E = effectsOf(S, In);
  return E.readsGlobal() || E.readsShared() ||
         llvm::any_of(E.Reads,
                      [&](const VarDecl *V) { return Variant.count(V); });
}

bool placeVaries(const Expr *E, const VarSet &Variant, const Scope &In) {
  auto Inner = [&](const Expr *Part) { return placeVaries(Part, Variant, In); };
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return varies(A->getIdx(), Variant, In) || Inner(A->getBase());
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return Inner(M->getBase());
  if (const auto *C = dyn_cast<CastExpr>(E))
    return Inner(C->getSubExpr());
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return Inner(U->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return Inner(B->getLHS()) || Inner(B->getRHS());
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && Variant.count(V);
  }
  return varies(E, Variant, In);
}

void spreadVariance(VarSet &Variant, llvm::ArrayRef<const Stmt *> Body,
                    const Scope &In) {
  for (bool Changed = true; Changed;) {
    Spreader S(Variant, In);
    for (const Stmt *Part : Body)
      S.TraverseStmt(Part);
    Changed = S.Changed;
  }
}

std::optional<Conditions> conditionsOf(const Stmt *Target, const Stmt *Root,
                                       const Stmt *Exempt) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const Stmt *Target, *Exempt;
    Conditions Around;
    bool Done = false;

    bool TraverseStmt(const Stmt *S) override {
      if (!S || Done)
        return true;
      if (S == Target) {
        Done = true;
        return true;
      }
      size_t Before = Around.size();
      if (S != Exempt)
        Around.append(conditionsIn(S));
      Around.append(conditionsOfJumps(S));
      ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      if (!Done)
        Around.resize(Before);
      return true;
    }
  } Found;
  Found.Target = Target;
  Found.Exempt = Exempt;
  Found.TraverseStmt(Root);
  if (!Found.Done)
    return std::nullopt;
  return std::move(Found.Around);
}

} // namespace kpipe
