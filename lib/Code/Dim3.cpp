// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By names, see Dim3.h.
#include "Dim3.h"
#include "KnownFunctions.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isDim3(QualType Type) {
  const auto *R = Type->getAsCXXRecordDecl();
  return R && R->getIdentifier() && R->getName() == "dim3" && isToolkits(R);
}

bool hasComponentsInOrder(QualType Type) {
  const RecordDecl *R = Type->getAsRecordDecl();
  char Name = 'x';
  return R && llvm::all_of(R->fields(), [&](const FieldDecl *F) {
           return F->getName() == llvm::StringRef(&Name, 1) && ++Name;
         });
}

} // namespace kpipe
