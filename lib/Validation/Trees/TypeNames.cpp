// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as text, see TypeNames.h.

#include "TypeNames.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace kpipe {

PrintingPolicy policyOfNames(const ASTContext &Context) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.AnonymousTagLocations = false;
  Policy.SuppressDefaultTemplateArgs = false;
  return Policy;
}

/// What a type without a name consists of; empty for all others.
static std::string unnamedIn(QualType Q, const PrintingPolicy &Policy) {
  while (!Q->getPointeeType().isNull())
    Q = Q->getPointeeType();
  const TagDecl *D = Q->getBaseElementTypeUnsafe()->getAsTagDecl();
  const auto *R = dyn_cast_or_null<CXXRecordDecl>(D);
  if (!D || D->getIdentifier() || D->getTypedefNameForAnonDecl() ||
      !D->getDefinition() || (R && R->isLambda()))
    return "";
  std::string Text = " {";
  for (const Decl *Member : D->getDefinition()->decls())
    if (const auto *F = dyn_cast<FieldDecl>(Member))
      Text +=
          typeName(F->getType(), Policy) + " " + F->getNameAsString() +
          (F->isBitField() ? ":" + std::to_string(F->getBitWidthValue()) : "") +
          ";";
    else if (const auto *C = dyn_cast<EnumConstantDecl>(Member))
      Text += C->getNameAsString() + "=" + llvm::toString(C->getInitVal(), 10) +
              ";";
  return Text + "}";
}

std::string typeName(QualType T, const PrintingPolicy &Policy) {
  T = T.getCanonicalType();
  return T.getAsString(Policy) + unnamedIn(T, Policy);
}

} // namespace kpipe
