// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Destructors without a body to speak of, down to members and bases, see
// QuietDestruction.h.

#include "QuietDestruction.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool diesQuietly(QualType T) {
  const auto *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !R || diesQuietly(R);
}

bool diesQuietly(const CXXRecordDecl *R) {
  if (!R->hasDefinition() || R->hasTrivialDestructor())
    return true;
  const CXXDestructorDecl *D = R->getDestructor();
  const FunctionDecl *Definition = nullptr;
  if (!D || D->isVirtual())
    return false;
  if (!D->isDefaulted()) {
    if (!D->hasBody(Definition))
      return false;
    const auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
    if (!Body || !Body->body_empty())
      return false;
  }
  return llvm::all_of(
             R->fields(),
             [](const FieldDecl *F) { return diesQuietly(F->getType()); }) &&
         llvm::all_of(R->bases(), [](const CXXBaseSpecifier &B) {
           return diesQuietly(B.getType());
         });
}

} // namespace kpipe
