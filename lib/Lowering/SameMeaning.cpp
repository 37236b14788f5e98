// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SameMeaning.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

unsigned declarations(llvm::StringRef Name, const Stmt *In) {
  unsigned Count = 0;
  if (const auto *D = dyn_cast_or_null<DeclStmt>(In))
    for (const Decl *One : D->decls())
      if (const auto *N = dyn_cast<NamedDecl>(One))
        Count += N->getIdentifier() && N->getName() == Name;
  if (In)
    for (const Stmt *Child : In->children())
      Count += declarations(Name, Child);
  return Count;
}

/// Is V named in S otherwise than to take its value?
bool mayChange(const VarDecl *V, const Stmt *S, bool Read = false) {
  if (!S)
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(S))
    return D->getDecl() == V && !Read;
  const auto *C = dyn_cast<ImplicitCastExpr>(S);
  Read = (C && C->getCastKind() == CK_LValueToRValue) ||
         (Read && isa<ParenExpr>(S));
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return mayChange(V, Child, Read);
  });
}

/// The local variables of an expression. \returns false where it asks anything
/// else that may change.
bool onlyLocals(const Expr *E, llvm::SmallPtrSetImpl<const VarDecl *> &Vars) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E); P && isSpecialRegister(P))
    return true;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && !V->getType().isConstQualified() && !V->hasLocalStorage())
      return false;
    if (V && V->getType()->isReferenceType())
      return false;
    if (V)
      Vars.insert(V);
    return V || isa<EnumConstantDecl, NonTypeTemplateParmDecl>(D->getDecl());
  }
  const auto *C = dyn_cast<CastExpr>(E);
  const auto *U = dyn_cast<UnaryOperator>(E);
  const auto *B = dyn_cast<BinaryOperator>(E);
  const bool Plain =
      (C && C->getCastKind() != CK_UserDefinedConversion &&
       C->getCastKind() != CK_ConstructorConversion) ||
      (U && U->isArithmeticOp()) || (B && !B->isAssignmentOp()) ||
      isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral, ParenExpr,
          ConditionalOperator, UnaryExprOrTypeTraitExpr, ConstantExpr,
          SubstNonTypeTemplateParmExpr>(E);
  return Plain && llvm::all_of(E->children(), [&](const Stmt *Child) {
           const auto *Part = dyn_cast_or_null<Expr>(Child);
           return Part && onlyLocals(Part, Vars);
         });
}

} // namespace

bool isDeclaredOnce(llvm::StringRef Name, const Stmt *In) {
  return declarations(Name, In) <= 1; // none where it is a parameter
}

bool meansSame(const Expr *E, const AsyncOp &In, const AsyncOps &Ops) {
  if (Ops.within(E, In.At))
    return true;
  const Stmt *Declared = E;
  while (Declared && !isa<DeclStmt>(Declared))
    Declared = Ops.parent(Declared);
  const auto *Block =
      dyn_cast_or_null<CompoundStmt>(Declared ? Ops.parent(Declared) : nullptr);
  llvm::SmallPtrSet<const VarDecl *, 4> Vars;
  if (!Block || !Ops.within(In.At, Block) || !onlyLocals(E, Vars))
    return false;
  bool Behind = false;
  for (const Stmt *S : Block->body()) {
    if (Behind)
      for (const VarDecl *V : Vars)
        if (mayChange(V, S) || declarations(V->getName(), S))
          return false;
    Behind |= S == Declared;
    if (Behind && Ops.within(In.At, S))
      return true;
  }
  return false;
}

bool isCudas(llvm::StringRef Name, const FunctionDecl *Body) {
  ASTContext &Context = Body->getASTContext();
  IdentifierInfo &Id = Context.Idents.get(Name);
  if (Id.hadMacroDefinition() || declarations(Name, Body->getBody()))
    return false;
  auto Named = [&](const NamedDecl *D) { return D->getIdentifier() == &Id; };
  if (llvm::any_of(Body->parameters(), Named))
    return false;
  const FunctionDecl *Written = Body->getTemplateInstantiationPattern();
  const FunctionTemplateDecl *Of =
      (Written ? Written : Body)->getDescribedFunctionTemplate();
  if (Of && llvm::any_of(*Of->getTemplateParameters(), Named))
    return false;
  for (const DeclContext *In = Body->getDeclContext(); In;
       In = In->getParent()) {
    if (const auto *R = dyn_cast<CXXRecordDecl>(In))
      if (const ClassTemplateDecl *T = R->getDescribedClassTemplate();
          T && llvm::any_of(*T->getTemplateParameters(), Named))
        return false;
    if (!isa<LinkageSpecDecl>(In))
      for (const NamedDecl *D : In->lookup(&Id))
        if (!isToolkits(D))
          return false;
  }
  return true;
}

} // namespace kpipe
