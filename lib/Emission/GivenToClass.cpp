// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the member that an element is reached by to the parameter of the class
// that is its type, see GivenToClass.h.
#include "GivenToClass.h"
#include "ElementTypes.h"
#include "EveryInstance.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A tile, and the member of its class by which an element is reached.
struct Reached {
  const VarDecl *Tile = nullptr;
  const ValueDecl *Member = nullptr;
};

Reached reachedBy(const Expr *E) {
  Reached R;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      E = A->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow()) {
      R.Member = M->getMemberDecl();
      E = M->getBase();
    } else if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
      R.Member = C->getMethodDecl();
      E = C->getImplicitObjectArgument();
    } else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      R.Member = dyn_cast_or_null<CXXMethodDecl>(O->getDirectCallee());
      E = O->getArg(0);
    } else {
      const auto *D = dyn_cast<DeclRefExpr>(E);
      R.Tile = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
      return R;
    }
  }
}

/// The member's type as the template declares it; null if it is not found.
QualType declaredFor(const ValueDecl *Member, const CXXRecordDecl *Pattern) {
  if (const auto *M = dyn_cast<CXXMethodDecl>(Member)) {
    const FunctionDecl *From = M->getInstantiatedFromMemberFunction();
    return From && From->getDeclContext() == Pattern
               ? From->getReturnType().getNonReferenceType()
               : QualType();
  }
  for (const FieldDecl *F : Pattern->fields())
    if (F->getIdentifier() == Member->getIdentifier())
      return F->getType();
  return {};
}

/// `Tile<T, 16>` behind references, qualifiers and names of the function's own.
TemplateSpecializationTypeLoc writtenClass(TypeLoc T) {
  for (;;) {
    T = pointedTo(T);
    const auto Alias = T.getAs<TypedefTypeLoc>();
    if (!Alias || !Alias.getDecl()->getDeclContext()->isFunctionOrMethod())
      return T.getAs<TemplateSpecializationTypeLoc>();
    T = Alias.getDecl()->getTypeSourceInfo()->getTypeLoc();
  }
}

/// `U...`: an instance has one for each of the pack.
bool isOfPack(const TemplateArgumentLoc &A, const ASTContext &Context) {
  const auto Next =
      Lexer::findNextToken(A.getSourceRange().getEnd(),
                           Context.getSourceManager(), Context.getLangOpts());
  return !Next || Next->is(tok::ellipsis);
}

} // namespace

std::string givenToClass(const Expr *Element, const SourceText &Source) {
  const ASTContext &Context = Source.context();
  const Reached R = reachedBy(Element);
  if (!R.Tile || !R.Member || !R.Tile->getTypeSourceInfo())
    return {};
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Context.getBaseElementType(R.Tile->getType().getNonReferenceType())
          ->getAsCXXRecordDecl());
  const auto Written = writtenClass(R.Tile->getTypeSourceInfo()->getTypeLoc());
  if (!Class || !Written || R.Member->getDeclContext() != Class ||
      !isCompiledHere(Element, Source) || specializedOtherwise(Class) ||
      !isOnlyOne(cast<DeclaratorDecl>(R.Member)))
    return {};
  // Neither an alias nor a parameter that stands for several templates.
  const TemplateName Name = Written.getTypePtr()->getTemplateName();
  const ClassTemplateDecl *Template = Class->getSpecializedTemplate();
  if (Name.getAsSubstTemplateTemplateParm() ||
      Written.getTypePtr()->isTypeAlias() ||
      Name.getAsTemplateDecl()->getCanonicalDecl() !=
          Template->getCanonicalDecl())
    return {};
  const QualType Declared = declaredFor(R.Member, Template->getTemplatedDecl());
  const auto *Parameter =
      Declared.isNull()
          ? nullptr
          : Context.getBaseElementType(Declared)->getAs<TemplateTypeParmType>();
  if (!Parameter || Parameter->getDepth() != 0 ||
      Parameter->isParameterPack() ||
      Parameter->getIndex() >= Written.getNumArgs())
    return {};
  const TemplateArgumentLoc Given = Written.getArgLoc(Parameter->getIndex());
  const TemplateArgument &Value =
      Class->getTemplateArgs().get(Parameter->getIndex());
  if (Given.getArgument().getKind() != TemplateArgument::Type ||
      isOfPack(Given, Context) || Value.getKind() != TemplateArgument::Type ||
      !Context.hasSameUnqualifiedType(Value.getAsType(),
                                      Element->getType().getNonReferenceType()))
    return {};
  return baseText(Given.getTypeSourceInfo()->getTypeLoc(), Source);
}

} // namespace kpipe
