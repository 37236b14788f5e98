// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointer types as their author spells them, see ElementTypes.h.
#include "ElementTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace kpipe {

/// `const T *`, whose qualifiers stand in front of a name and behind a star.
static std::string pointerText(TypeLoc T, const SourceText &Source) {
  const Qualifiers Of = T.getType().getLocalQualifiers();
  if (auto Q = T.getAs<QualifiedTypeLoc>())
    T = Q.getUnqualifiedLoc();
  std::string Text;
  if (auto P = T.getAs<PointerTypeLoc>()) {
    Text = pointerText(P.getPointeeLoc(), Source);
    if (!Text.empty())
      Text += Text.back() == '*' ? "*" : " *";
    return !Text.empty() && Of.hasConst() ? Text + " const" : Text;
  }
  const QualType Type = T.getType();
  if (Type->isUndeducedAutoType() || T.getAs<AutoTypeLoc>() ||
      T.getAs<ParenTypeLoc>() || Type->isArrayType() || Of.hasVolatile())
    return {};
  Text = spelled(T.getSourceRange(), Source);
  return !Text.empty() && Of.hasConst() ? "const " + Text : Text;
}

std::string declaredPointer(const VarDecl *V, const SourceText &Source) {
  if (!V->getTypeSourceInfo())
    return {};
  TypeLoc T = V->getTypeSourceInfo()->getTypeLoc();
  for (;;)
    if (auto Q = T.getAs<QualifiedTypeLoc>())
      T = Q.getUnqualifiedLoc();
    else if (auto A = T.getAs<AttributedTypeLoc>())
      T = A.getModifiedLoc();
    else
      break;
  return pointerText(T, Source);
}

} // namespace kpipe
