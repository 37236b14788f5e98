// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LocalNames.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

/// The mentions of a variable, by what is done to it.
struct Mentions : ConstDynamicRecursiveASTVisitor {
  const VarDecl *V;
  unsigned All = 0, Read = 0, Stepped = 0;
  bool Captured = false;
  explicit Mentions(const VarDecl *V) : V(V) {}

  bool isV(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return D && D->getDecl() == V;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    All += D->getDecl() == V;
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *C) override {
    Read += C->getCastKind() == CK_LValueToRValue && isV(C->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Stepped += U->isPostfix() && isV(U->getSubExpr());
    return true;
  }
  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    for (const LambdaCapture &C : L->captures())
      Captured |= C.capturesVariable() && C.getCapturedVar() == V;
    return ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(L);
  }
};

/// What changes V as a statement, whose value nobody asks for.
struct Changes : ConstDynamicRecursiveASTVisitor {
  const VarDecl *V;
  unsigned Found = 0;
  explicit Changes(const VarDecl *V) : V(V) {}

  void statement(const Stmt *S) {
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    E = E->IgnoreParens();
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->getOpcode() == BO_Comma) {
        statement(B->getLHS());
        statement(B->getRHS());
      } else if (B->isAssignmentOp()) {
        count(B->getLHS());
      }
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && U->isPrefix() && U->isIncrementDecrementOp()) {
      count(U->getSubExpr());
    }
  }
  void count(const Expr *E) {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    Found += D && D->getDecl() == V;
  }
  bool VisitCompoundStmt(const CompoundStmt *S) override {
    for (const Stmt *One : S->body())
      statement(One);
    return true;
  }
  bool VisitForStmt(const ForStmt *S) override {
    statement(S->getInit());
    statement(S->getInc());
    return VisitStmtBody(S->getBody());
  }
  bool VisitWhileStmt(const WhileStmt *S) override {
    return VisitStmtBody(S->getBody());
  }
  bool VisitIfStmt(const IfStmt *S) override {
    VisitStmtBody(S->getElse());
    return VisitStmtBody(S->getThen());
  }
  bool VisitStmtBody(const Stmt *S) {
    statement(S);
    return true;
  }
  bool TraverseStmtExpr(const StmtExpr *) override { return true; }
};

} // namespace

unsigned timesNamed(const Stmt *S, const VarDecl *V) {
  Mentions Of(V);
  if (S)
    Of.TraverseStmt(S);
  return Of.All;
}

bool onlyReads(const Stmt *S, const VarDecl *V) {
  Mentions Of(V);
  if (S)
    Of.TraverseStmt(S);
  return Of.All == Of.Read && !Of.Captured;
}

bool hasOneName(const VarDecl *V, const Stmt *Body) {
  const QualType T = V->getType();
  if (!V->hasLocalStorage() || T->isReferenceType() ||
      T.isVolatileQualified() ||
      !(T->isIntegralOrEnumerationType() || T->isPointerType()))
    return false;
  Mentions Of(V);
  Of.TraverseStmt(Body);
  Changes By(V);
  By.TraverseStmt(Body);
  return !Of.Captured && Of.All == Of.Read + Of.Stepped + By.Found;
}

bool namesOneOf(const Stmt *S, const Stmt *Body) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<DeclarationName, 8> Named, Declared;
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      Named.push_back(D->getDecl()->getDeclName());
      return true;
    }
    bool VisitTypeLoc(TypeLoc T) override {
      if (const auto *Alias = T.getType()->getAs<TypedefType>())
        Named.push_back(Alias->getDecl()->getDeclName());
      else if (const TagDecl *Tag = T.getType()->getAsTagDecl())
        Named.push_back(Tag->getDeclName());
      return true;
    }
    bool VisitNamedDecl(const NamedDecl *D) override {
      Declared.push_back(D->getDeclName());
      return true;
    }
  } In, Around;
  In.TraverseStmt(S);
  Around.TraverseStmt(Body);
  return llvm::any_of(In.Named, [&](DeclarationName N) {
    return llvm::is_contained(Around.Declared, N);
  });
}

bool hasNameOf(const Stmt *Body, const VarDecl *V) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Any = false;
    bool VisitNamedDecl(const NamedDecl *D) override {
      Any |= D->getDeclName() == V->getDeclName();
      return true;
    }
  } Of;
  Of.V = V;
  Of.TraverseStmt(Body);
  return Of.Any;
}

bool isOnlyName(const VarDecl *V, const Stmt *Body) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    bool Other = false;
    void see(const NamedDecl *D) {
      Other |= D != V && D->getDeclName() == V->getDeclName();
    }
    bool VisitNamedDecl(const NamedDecl *D) override { return see(D), true; }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      return see(D->getDecl()), true;
    }
    bool VisitTypeLoc(TypeLoc T) override {
      if (const auto *Alias = T.getType()->getAs<TypedefType>())
        see(Alias->getDecl());
      else if (const TagDecl *Tag = T.getType()->getAsTagDecl())
        see(Tag);
      return true;
    }
  } Of;
  Of.V = V;
  Of.TraverseStmt(Body);
  return !Of.Other;
}

bool endsObjects(const Stmt *Body) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Any = false;
    bool VisitVarDecl(const VarDecl *V) override {
      Any |= V->getType().isDestructedType() != QualType::DK_none ||
             V->hasAttrs();
      return true;
    }
  } Of;
  Of.TraverseStmt(Body);
  return Of.Any;
}

} // namespace kpipe
