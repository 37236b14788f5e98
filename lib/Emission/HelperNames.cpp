// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of helpers, see HelperNames.h.

#include "HelperNames.h"
#include "Code/AstUtils.h"
#include "ElementTypes.h"
#include "kpipe/Refusal.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

namespace {

/// `<BM, BN>` of a call, or nothing.
std::string templateArguments(const CallExpr *Call, const SourceText &Source) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  SourceLocation Left, Right;
  if (const auto *D = dyn_cast<DeclRefExpr>(Callee)) {
    Left = D->getLAngleLoc();
    Right = D->getRAngleLoc();
  } else if (const auto *M = dyn_cast<MemberExpr>(Callee)) {
    Left = M->getLAngleLoc();
    Right = M->getRAngleLoc();
  }
  if (Left.isInvalid() || Right.isInvalid())
    return {};
  auto Begin = Source.offset(Left), End = Source.offset(Right);
  if (!Begin || !End || *End < *Begin)
    return {};
  return Source.at({*Begin, *End + 1}).str();
}

/// Is a type one that has the same name everywhere?
bool isNamedEverywhere(QualType T) {
  T = T.getCanonicalType();
  while (T->isPointerType())
    T = T->getPointeeType();
  if (const auto *D = T->getAsTagDecl())
    return D->getIdentifier() && !D->getParentFunctionOrMethod() &&
           !D->isInAnonymousNamespace();
  return T->isBuiltinType();
}

/// `<float, 64>`: what a call leaves to be deduced. Empty where another
/// instantiation of the caller may deduce something else, or where an argument
/// has no name.
std::string deducedArguments(const FunctionDecl *Helper,
                             const FunctionDecl *Caller) {
  const TemplateArgumentList *Args = Helper->getTemplateSpecializationArgs();
  if (!Args || Caller->getTemplateInstantiationPattern())
    return {};
  PrintingPolicy Policy(Helper->getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.FullyQualifiedName = true;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const TemplateArgument &A : Args->asArray()) {
    OS << (&A == Args->data() ? "<" : ", ");
    if (A.getKind() == TemplateArgument::Type &&
        isNamedEverywhere(A.getAsType()))
      A.getAsType().getCanonicalType().print(OS, Policy);
    else if (A.getKind() == TemplateArgument::Integral &&
             A.getIntegralType()->isBuiltinType())
      A.print(Policy, OS, /*IncludeType=*/false);
    else
      return {};
  }
  OS << ">";
  return Text;
}

/// Does a call spell all arguments of the template that are not by default?
bool spellsItsArguments(const CallExpr *Call, const FunctionDecl *Written) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  const FunctionTemplateDecl *T = Written->getDescribedFunctionTemplate();
  if (!T)
    return true;
  unsigned Spelled = 0;
  if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
    Spelled = D->getNumTemplateArgs();
  else if (const auto *M = dyn_cast<MemberExpr>(Callee))
    Spelled = M->getNumTemplateArgs();
  return Spelled >= T->getTemplateParameters()->getMinRequiredArguments();
}

/// `ns::` in front of a called name, as the call spells it.
std::string qualifier(const CallExpr *Call, const SourceText &Source) {
  const auto *D = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreImpCasts());
  if (!D || !D->hasQualifier())
    return {};
  auto Begin = Source.offset(D->getBeginLoc());
  auto End = Source.offset(D->getLocation());
  return Begin && End ? Source.at({*Begin, *End}).str() : std::string();
}

} // namespace

/// The class whose member a call by an object calls, as the loop's function may
/// name it; empty if there is no way that is the same in all instantiations.
static std::string classOf(const Expr *Object, const TileCopy &C,
                           const FunctionDecl *Caller,
                           const SourceText &Source) {
  const auto *M = cast<CXXMethodDecl>(C.Helper);
  // The declaration of the object may say it.
  if (const auto *D = dyn_cast<DeclRefExpr>(Object))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      if (std::string Text = declaredClass(V, Source); !Text.empty())
        return Text;
  const QualType Class = Source.context().getCanonicalTagType(M->getParent());
  if (Caller->getTemplateInstantiationPattern() || !isNamedEverywhere(Class))
    return {};
  PrintingPolicy Policy(Source.context().getLangOpts());
  Policy.SuppressTagKeyword = true;
  return Class.getAsString(Policy);
}

std::string nameForClones(const FunctionDecl *Helper) {
  return Helper->getIdentifier() ? Helper->getName().str() : "call";
}

bool isMemberBeside(const FunctionDecl *Helper, const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(written(Helper));
  return M && M->getParent()->Encloses(written(F)->getDeclContext());
}

std::string missingQualifier(const CallExpr *Call, const FunctionDecl *Helper,
                             const FunctionDecl *Caller) {
  const auto *D = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreImpCasts());
  if (!D || D->hasQualifier())
    return {};
  std::string Names;
  for (const DeclContext *C = Helper->getDeclContext(); C; C = C->getParent()) {
    if (C->Encloses(Caller))
      break;
    const auto *N = dyn_cast<NamespaceDecl>(C);
    if (N && !N->isAnonymousNamespace() && !N->isInline())
      Names = N->getNameAsString() + "::" + Names;
    else if (!N && !isa<LinkageSpecDecl>(C))
      return {};
  }
  return Names;
}

llvm::Expected<std::string> tileType(const TileCopy &C, llvm::StringRef Name,
                                     const FunctionDecl *Caller,
                                     const SourceText &Source) {
  const FunctionDecl *W = written(C.Helper);
  std::string Args = templateArguments(C.HelperCall, Source);
  if (!spellsItsArguments(C.HelperCall, W))
    Args = deducedArguments(C.Helper, Caller);
  if (W->getDescribedFunctionTemplate() && Args.empty())
    return cannotMove(msg::helper_template_arguments,
                      C.Helper->getNameAsString());
  std::string In = qualifier(C.HelperCall, Source);
  const Expr *Callee = C.HelperCall->getCallee()->IgnoreParenImpCasts();
  const Expr *Object = calledOn(C.HelperCall);
  if (const auto *M = dyn_cast<MemberExpr>(Callee))
    Object = M->getBase();
  Object = Object ? Object->IgnoreParenImpCasts() : nullptr;
  if (Object && !(isa<CXXThisExpr>(Object) && isMemberBeside(W, Caller))) {
    // A base class may depend on parameters: then the name alone is not found.
    In = isa<CXXThisExpr>(Object)
             ? cast<CXXMethodDecl>(Caller)->getParent()->getNameAsString()
             : classOf(Object, C, Caller, Source);
    if (In.empty())
      return cannotMove(msg::helper_class_unspelled,
                        C.Helper->getNameAsString());
    In += Args.empty() || !Caller->getTemplateInstantiationPattern()
              ? "::"
              : "::template ";
  }
  // The member of a class that depends on a parameter of the caller's.
  if (isa<CXXMethodDecl>(W) && !In.empty() &&
      Caller->getTemplateInstantiationPattern())
    In = "typename " + In;
  return In + Name.str() + Args;
}

std::optional<Edit> renamedCall(const CallExpr *Call, const std::string &Name,
                                const SourceText &Source) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  // `copy(…)` by an operator: `copy.call(…)`.
  if (argumentsBefore(Call)) {
    auto Object = Source.expression(Call->getArg(0));
    return Object ? std::optional(Edit{Object->End, 0, "." + Name})
                  : std::nullopt;
  }
  SourceRange Of;
  if (const auto *M = dyn_cast<MemberExpr>(Callee))
    Of = M->getMemberNameInfo().getSourceRange();
  else if (const auto *D = dyn_cast<DeclRefExpr>(Callee))
    Of = D->getNameInfo().getSourceRange();
  auto Begin = Source.offset(Of.getBegin()), End = Source.offset(Of.getEnd());
  if (!Begin || !End)
    return std::nullopt;
  return Edit{*Begin, Source.tokenEnd(*End) - *Begin, Name};
}

} // namespace kpipe
