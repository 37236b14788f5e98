// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of loop variables, see HeaderTypes.h.

#include "HeaderTypes.h"
#include "ElementTypes.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// `const T *` of a declaration, also of `T const *a, *b`; empty if that is not
/// all of the type.
std::string pointerText(TypeLoc T, const SourceText &Source) {
  const auto Pointer = T.getUnqualifiedLoc().getAs<PointerTypeLoc>();
  if (!Pointer)
    return {};
  const TypeLoc To = Pointer.getPointeeLoc();
  const TypeLoc Base = To.getUnqualifiedLoc();
  const std::string Name = baseText(Base, Source);
  if (Name.empty() || Base.getAs<AutoTypeLoc>() ||
      Base.getType()->isPointerType() || Base.getType()->isArrayType() ||
      Base.getType()->isFunctionType())
    return {};
  const Qualifiers Of = To.getType().getLocalQualifiers();
  return std::string(Of.hasConst() ? "const " : "") +
         (Of.hasVolatile() ? "volatile " : "") + Name + " *";
}

/// What `auto` or `auto *` stands for: that of the variable, of the number or
/// of the pointer that it is made of.
std::string textOf(const VarDecl *V, const SourceText &Source);
std::string textOf(const Expr *Init, const SourceText &Source) {
  const Expr *E = Init->IgnoreParenImpCasts();
  if (const auto *N = dyn_cast<IntegerLiteral>(E))
    return N->getType().getAsString(
        PrintingPolicy(Source.context().getLangOpts()));
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->isAdditiveOp() && B->getType()->isPointerType() &&
      B->getLHS()->getType()->isPointerType())
    return textOf(B->getLHS(), Source);
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
    return pointerText(C->getTypeInfoAsWritten()->getTypeLoc(), Source);
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && !V->getType()->isReferenceType() ? textOf(V, Source)
                                               : std::string();
}

std::string textOf(const VarDecl *V, const SourceText &Source) {
  if (!V->getTypeSourceInfo())
    return {};
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  if (std::string Text = pointerText(T, Source); !Text.empty())
    return Text;
  T = T.getUnqualifiedLoc();
  if (const auto P = T.getAs<PointerTypeLoc>())
    T = P.getPointeeLoc();
  else if (!T.getAs<AutoTypeLoc>())
    return T.getType()->isArrayType() || T.getAs<AdjustedTypeLoc>()
               ? std::string()
               : baseText(T, Source);
  // `const auto *` may add what the initialiser does not have.
  if (!T.getAs<AutoTypeLoc>() || T.getAs<AutoTypeLoc>().isConstrained() ||
      !V->getInit() || isa<ParmVarDecl>(V))
    return {};
  return textOf(V->getInit(), Source);
}

} // namespace

std::string headerType(const VarDecl *V, const TileLoop &Loop,
                       const SourceText &Source) {
  const QualType Type = V->getType().getUnqualifiedType();
  if (!Type->isPointerType() && !Type->isUndeducedAutoType())
    if (std::string Text = declaredType(V, Source);
        !Text.empty() && Text != "auto")
      return Text;
  if (!Loop.Function->isTemplateInstantiation())
    return Type.getAsString(PrintingPolicy(Source.context().getLangOpts()));
  const std::string Text = textOf(V, Source);
  if (!Text.empty())
    return Text;
  // What the header declares has no name yet where the lambdas stand.
  const auto *Here = dyn_cast_or_null<DeclStmt>(Loop.Init);
  const bool Named = !V->getType()->isReferenceType() &&
                     !(Here && llvm::is_contained(Here->decls(), V));
  return Named ? "decltype(" + V->getNameAsString() + ")" : "auto";
}

} // namespace kpipe
