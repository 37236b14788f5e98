// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of classes that have one type in all instances, see EveryInstance.h.

#include "EveryInstance.h"
#include "Code/AstUtils.h"
#include "ElementTypes.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isOnlyOne(const DeclaratorDecl *Member) {
  const auto *F = dyn_cast<CXXMethodDecl>(Member);
  if (!F)
    return true;
  auto TakesTheSame = [F](const NamedDecl *D) {
    const auto *G = dyn_cast<CXXMethodDecl>(D);
    return G && llvm::equal(F->parameters(), G->parameters(),
                            [](const ParmVarDecl *P, const ParmVarDecl *Q) {
                              return P->getType().getCanonicalType() ==
                                     Q->getType().getCanonicalType();
                            });
  };
  return !F->getPrimaryTemplate() &&
         llvm::all_of(F->getDeclContext()->lookup(F->getDeclName()),
                      TakesTheSame);
}

bool isCompiledHere(const Expr *E, const SourceText &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  return SM.isInMainFile(SM.getExpansionLoc(E->getBeginLoc()));
}

bool specializedOtherwise(const CXXRecordDecl *R) {
  if (!R)
    return true;
  const DeclContext *Around = R->getDeclContext();
  if (R->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    return true;
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R);
  if (!S && isa<CXXRecordDecl>(Around)) {
    const auto *Outer =
        dyn_cast<ClassTemplateSpecializationDecl>(cast<CXXRecordDecl>(Around));
    // `template <> struct Gemm<8>::Storage { … };`
    if (Outer)
      for (const ClassTemplateSpecializationDecl *Other :
           Outer->getSpecializedTemplate()->specializations())
        for (const NamedDecl *D : Other->lookup(R->getDeclName()))
          if (const auto *Same = dyn_cast<CXXRecordDecl>(D);
              !Same || Same->getTemplateSpecializationKind() ==
                           TSK_ExplicitSpecialization)
            return true;
    return specializedOtherwise(cast<CXXRecordDecl>(Around));
  }
  if (!S)
    return !Around->isFileContext();
  llvm::SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
  const ClassTemplateDecl *Template = S->getSpecializedTemplate();
  Template->getCanonicalDecl()->getPartialSpecializations(Partial);
  return !Partial.empty() || !Template->getDeclContext()->isFileContext() ||
         llvm::any_of(Template->specializations(),
                      [](const ClassTemplateSpecializationDecl *Other) {
                        return Other->isExplicitSpecialization();
                      });
}

namespace {

/// A name of the file, or of a namespace in it, that no argument stands for.
bool isOfTheFile(TypeLoc Written) {
  const NamedDecl *D = nullptr;
  if (const auto Alias = Written.getAs<TypedefTypeLoc>())
    D = Alias.getDecl();
  else if (const auto Class = Written.getAs<RecordTypeLoc>())
    D = Class.getDecl();
  return D && D->getDeclContext()->isFileContext() &&
         !isa<ClassTemplateSpecializationDecl>(D);
}

/// The parameter, or the variable, as the template declares it.
const VarDecl *asTemplateDeclares(const VarDecl *V) {
  const auto *P = dyn_cast<ParmVarDecl>(V);
  const auto *F = P ? dyn_cast<FunctionDecl>(P->getDeclContext()) : nullptr;
  const FunctionDecl *Pattern =
      F ? F->getTemplateInstantiationPattern() : nullptr;
  return Pattern && P->getFunctionScopeIndex() < Pattern->getNumParams()
             ? Pattern->getParamDecl(P->getFunctionScopeIndex())
             : V;
}

/// `typename Sel::` in a type's name, where an argument of the template says
/// what Sel is.
bool isChosen(NestedNameSpecifierLoc Of) {
  if (!Of ||
      Of.getNestedNameSpecifier().getKind() != NestedNameSpecifier::Kind::Type)
    return false;
  const TypeLoc T = Of.castAsTypeLoc();
  if (const auto S = T.getAs<TemplateSpecializationTypeLoc>()) {
    const TemplateName Name = S.getTypePtr()->getTemplateName();
    return S.getTypePtr()->isTypeAlias() ||
           Name.getAsSubstTemplateTemplateParm() ||
           isChosen(S.getQualifierLoc());
  }
  const auto Class = T.getAs<RecordTypeLoc>();
  return !Class || isChosen(Class.getQualifierLoc());
}

bool namesItsClass(const Expr *Object, const DeclaratorDecl *Member);

/// `box.s` and `box.s[i]`, where the class of box says so of the class of s: one
/// that is written there, or has its name there.
bool partNamesItsClass(const MemberExpr *Object, const DeclaratorDecl *Member) {
  const auto *Part = dyn_cast<FieldDecl>(Object->getMemberDecl());
  if (!Part || Object->isArrow() || !Part->getTypeSourceInfo())
    return false;
  const auto Class =
      baseType(Part->getTypeSourceInfo()->getTypeLoc()).getAs<RecordTypeLoc>();
  return Class && !isChosen(Class.getQualifierLoc()) &&
         Class.getDecl()->Equals(Member->getDeclContext()) &&
         !specializedOtherwise(dyn_cast<CXXRecordDecl>(Part->getParent())) &&
         namesItsClass(Object->getBase(), Part);
}

/// Is an object a variable that is declared with the name of the member's own
/// class, and no name that stands for one class or another? Or a part of such an
/// object.
bool namesItsClass(const Expr *Object, const DeclaratorDecl *Member) {
  const Expr *Of = Object ? Object->IgnoreParenImpCasts() : nullptr;
  while (const auto *A = dyn_cast_or_null<ArraySubscriptExpr>(Of))
    Of = A->getBase()->IgnoreParenImpCasts();
  if (const auto *M = dyn_cast_or_null<MemberExpr>(Of))
    return partNamesItsClass(M, Member);
  const auto *D =
      Object ? dyn_cast<DeclRefExpr>(Object->IgnoreParenImpCasts()) : nullptr;
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V || !V->getTypeSourceInfo() ||
      V->getType().getNonReferenceType()->getAsCXXRecordDecl() !=
          Member->getDeclContext())
    return false;
  const bool Reference = V->getType()->isReferenceType();
  TypeLoc T = (Reference ? asTemplateDeclares(V) : V)
                  ->getTypeSourceInfo()
                  ->getTypeLoc();
  if (auto R = T.getAs<ReferenceTypeLoc>())
    T = R.getPointeeLoc();
  T = baseType(T);
  if (auto S = T.getAs<TemplateSpecializationTypeLoc>()) {
    const TemplateName Name = S.getTypePtr()->getTemplateName();
    return !S.getTypePtr()->isTypeAlias() &&
           !Name.getAsSubstTemplateTemplateParm() &&
           isa_and_nonnull<ClassTemplateDecl>(Name.getAsTemplateDecl());
  }
  const auto Class = T.getAs<RecordTypeLoc>();
  return Class && !isChosen(Class.getQualifierLoc());
}

} // namespace

bool isOfEveryInstance(const Expr *E, const SourceText &Source) {
  E = E->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    E = A->getBase()->IgnoreParenImpCasts();
  const DeclaratorDecl *Says = nullptr;
  const Expr *Object = nullptr;
  TypeLoc Written;
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    Says = dyn_cast<FieldDecl>(M->getMemberDecl());
    Object = M->isArrow() ? nullptr : M->getBase();
    if (Says && Says->getTypeSourceInfo())
      Written = baseType(Says->getTypeSourceInfo()->getTypeLoc());
  } else if (const auto *C = dyn_cast<CallExpr>(E)) {
    Says = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    Object = calledOn(C);
    if (Says && Says->getTypeSourceInfo())
      if (auto F = Says->getTypeSourceInfo()
                       ->getTypeLoc()
                       .getAsAdjusted<FunctionTypeLoc>())
        Written = pointedTo(F.getReturnLoc());
  }
  // In a template's text `float` is what no argument stands for.
  return Says && !Written.isNull() &&
         (Written.getAs<BuiltinTypeLoc>() || isOfTheFile(Written)) &&
         isOnlyOne(Says) && namesItsClass(Object, Says) &&
         !specializedOtherwise(
             dyn_cast<CXXRecordDecl>(Says->getDeclContext())) &&
         isCompiledHere(E, Source);
}

} // namespace kpipe
