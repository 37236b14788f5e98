// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What declarations bring into their block, see DeclaredAgain.h.

#include "DeclaredAgain.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The names that a declaration brings into its block.
static llvm::SmallVector<const NamedDecl *, 4> broughtBy(const Decl *D) {
  llvm::SmallVector<const NamedDecl *, 4> Names;
  if (const auto *N = dyn_cast<NamedDecl>(D))
    Names.push_back(N);
  if (const auto *Group = dyn_cast<DecompositionDecl>(D))
    llvm::append_range(Names, Group->bindings());
  const auto *E = dyn_cast<EnumDecl>(D);
  if (const auto *U = dyn_cast<UsingEnumDecl>(D))
    E = U->getEnumDecl();
  if (E && (!E->isScoped() || isa<UsingEnumDecl>(D)))
    llvm::append_range(Names, E->enumerators());
  if (const auto *R = dyn_cast<RecordDecl>(D);
      R && R->isAnonymousStructOrUnion())
    for (const FieldDecl *F : R->fields()) {
      Names.push_back(F);
      if (const RecordDecl *Inner = F->getType()->getAsRecordDecl();
          Inner && F->isAnonymousStructOrUnion())
        Names.append(broughtBy(Inner));
    }
  return Names;
}

const NamedDecl *declaredAgain(const StagedBuffer &B, const Stmt *Statement) {
  const auto *S = dyn_cast_or_null<DeclStmt>(Statement);
  if (!S)
    return nullptr;
  for (const Decl *D : S->decls())
    for (const NamedDecl *N : broughtBy(D)) {
      auto same = [&](const VarDecl *V) {
        return N->getLocation() != V->getLocation() &&
               N->getDeclName() == V->getDeclName();
      };
      if ((!B.GivenOut && same(B.Var)) || llvm::any_of(B.Views, same))
        return N;
    }
  return nullptr;
}

} // namespace kpipe
