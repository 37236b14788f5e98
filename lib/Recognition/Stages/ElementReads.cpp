// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From each mention outwards to what reads it, also through a reference that is
// only read: `const Point &p = tile[j]`, `distance(me, tile[j])`. See
// ElementReads.h.

#include "ElementReads.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Subscripts subscriptsOf(const Expr *E, const VarDecl *B) {
  Subscripts All;
  E = E->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    All.insert(All.begin(), A->getIdx());
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
    if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
      return {};
    E = Decay->getSubExpr()->IgnoreParens();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  QualType T = B->getType();
  for (size_t I = 0; I != All.size() && !T.isNull(); ++I) {
    const auto *A = T->getAsArrayTypeUnsafe();
    T = A ? A->getElementType() : QualType();
  }
  return D && D->getDecl() == B && !T.isNull() && !T->isArrayType()
             ? All
             : Subscripts();
}

namespace {

/// Is a value taken of a place by the expression around it?
bool takesValue(const Expr *E) {
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E))
    return C->getCastKind() == CK_LValueToRValue;
  const auto *Copy = dyn_cast<CXXConstructExpr>(E);
  return Copy && Copy->getConstructor()->isCopyConstructor() &&
         Copy->getConstructor()->isTrivial();
}

/// An expression of the same place, or of a part of it.
bool staysAtPlace(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(E);
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  return isa<ParenExpr>(E) || (M && !M->isArrow()) ||
         (C && C->getCastKind() == CK_NoOp);
}

/// Is each mention of a reference a read of what it refers to?
bool isOnlyRead(const VarDecl *Reference, const Stmt *Code) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    const VarDecl *V;
    llvm::SmallVector<const Stmt *, 16> Path;
    bool Reads = true;
    bool TraverseStmt(const Stmt *S) override {
      Path.push_back(S);
      ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
      Path.pop_back();
      return Reads;
    }
    /// As it is converted; written, it is there once more.
    bool TraverseInitListExpr(const InitListExpr *L) override {
      return llvm::all_of(L->inits(),
                          [&](const Expr *E) { return TraverseStmt(E); });
    }
    bool VisitDeclRefExpr(const DeclRefExpr *D) override {
      if (D->getDecl() != V)
        return true;
      Reads = false;
      for (const Stmt *S : llvm::drop_begin(llvm::reverse(Path))) {
        const auto *E = dyn_cast_or_null<Expr>(S);
        Reads = E && takesValue(E);
        if (!E || !staysAtPlace(E))
          break;
      }
      return Reads;
    }
  } Find;
  Find.V = Reference;
  Find.TraverseStmt(Code);
  return Find.Reads;
}

bool isConstReference(QualType T) {
  return T->isLValueReferenceType() &&
         T.getNonReferenceType().isConstQualified() &&
         !T.getNonReferenceType().isVolatileQualified();
}

/// Does the callee do no more with an argument than to read it?
bool calleeReads(const CallExpr *C, const Expr *Argument) {
  const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
  if (!F || (M && (M->isVirtual() || isa<CXXOperatorCallExpr>(C))) ||
      !F->hasBody(Definition))
    return false;
  for (unsigned I = 0; I != C->getNumArgs(); ++I)
    if (C->getArg(I) == Argument)
      return I < Definition->getNumParams() &&
             isConstReference(Definition->getParamDecl(I)->getType()) &&
             isOnlyRead(Definition->getParamDecl(I), Definition->getBody());
  return false;
}

/// Is a place what a local reference is bound to that is only read?
bool boundToRead(const DeclStmt *S, const Expr *Place, const Stmt *Code) {
  return llvm::any_of(S->decls(), [&](const Decl *D) {
    const auto *V = dyn_cast<VarDecl>(D);
    return V && V->getInit() == Place && isConstReference(V->getType()) &&
           isOnlyRead(V, Code);
  });
}

struct Mentions : ConstDynamicRecursiveASTVisitor {
  const VarDecl *B;
  const Stmt *Code;
  FlatPlaces *Flat = nullptr;
  llvm::SmallVector<const Stmt *, 16> Path;
  llvm::SmallVector<const Expr *, 8> Elements;

  bool TraverseStmt(const Stmt *S) override {
    Path.push_back(S);
    ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
    Path.pop_back();
    return true;
  }
  /// As it is converted; written, it is there once more.
  bool TraverseInitListExpr(const InitListExpr *L) override {
    return llvm::all_of(L->inits(),
                        [&](const Expr *E) { return TraverseStmt(E); });
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && (V == B || (Flat && Flat->isName(V))) && !makesName())
      Elements.push_back(Flat ? flatElementAround() : elementAround());
    return true;
  }

private:
  /// `float *flat = &xs[0][0];`
  bool makesName() const {
    const DeclStmt *Made = nullptr;
    const Stmt *Inner = nullptr;
    for (const Stmt *S : llvm::reverse(Path)) {
      if ((Made = dyn_cast_or_null<DeclStmt>(S)))
        break;
      Inner = S;
    }
    return Flat && Made && llvm::any_of(Made->decls(), [&](const Decl *D) {
             const auto *V = dyn_cast<VarDecl>(D);
             return V && V->getInit() == Inner && Flat->isName(V);
           });
  }

  /// What is the place of elements, and has its value taken.
  const Expr *flatElementAround() const {
    const Expr *Element = nullptr, *Inner = nullptr;
    for (const Stmt *S : llvm::reverse(Path)) {
      const auto *E = dyn_cast_or_null<Expr>(S);
      const bool AtPlace = Element || (Inner && Inner->isGLValue() &&
                                       Flat->of(Inner).Width != 0);
      if (!E)
        return nullptr;
      if (AtPlace && takesValue(E))
        return Element ? Element : Inner;
      if (AtPlace && isa<MemberExpr>(E) && !Element)
        Element = Inner;
      if (Inner && !(Element ? staysAtPlace(E) : isOnTheWay(E, Inner)))
        return nullptr;
      Inner = E;
    }
    return nullptr;
  }
  /// From the array's name to a place in it.
  static bool isOnTheWay(const Expr *E, const Expr *Inner) {
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return A->getBase() == Inner;
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref;
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return B->getOpcode() == BO_Add && Inner->getType()->isPointerType();
    const auto *C = dyn_cast<CastExpr>(E);
    return isa<ParenExpr>(E) ||
           (C &&
            (C->getCastKind() == CK_ArrayToPointerDecay ||
             C->getCastKind() == CK_BitCast || C->getCastKind() == CK_NoOp ||
             (C->getCastKind() == CK_LValueToRValue &&
              isa<DeclRefExpr>(Inner->IgnoreParens()))));
  }

  const Expr *elementAround() const {
    const Expr *Element = nullptr, *Inner = nullptr;
    for (const Stmt *S : llvm::reverse(Path)) {
      const auto *E = dyn_cast_or_null<Expr>(S);
      if (!E) {
        const auto *D = dyn_cast_or_null<DeclStmt>(S);
        return Element && D && boundToRead(D, Inner, Code) ? Element : nullptr;
      }
      if (!Element) {
        if (isa<ArraySubscriptExpr>(E) && !subscriptsOf(E, B).empty())
          Element = E;
        else if (!isa<DeclRefExpr, ImplicitCastExpr, ParenExpr,
                      ArraySubscriptExpr>(E))
          return nullptr;
      } else if (takesValue(E)) {
        return Element;
      } else if (const auto *C = dyn_cast<CallExpr>(E)) {
        return calleeReads(C, Inner) ? Element : nullptr;
      } else if (!staysAtPlace(E)) {
        return nullptr;
      }
      Inner = E;
    }
    return nullptr;
  }
};

} // namespace

llvm::SmallVector<const Expr *, 8> elementsRead(const Stmt *S, const VarDecl *B,
                                                const Stmt *Function,
                                                FlatPlaces *Flat) {
  Mentions All;
  All.B = B;
  All.Flat = Flat;
  All.Code = Function;
  All.TraverseStmt(S);
  return std::move(All.Elements);
}

} // namespace kpipe
