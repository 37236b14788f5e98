// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang asks whether a shared variable's constructor and destructor are empty
// when it has read, or instantiated, the declaration, and makes the variable
// invalid otherwise; nothing can step in between. So the answer is prepared
// when the class becomes complete.
#include "SharedObjects.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace kpipe {

/// libcu++'s. Others' constructors do something that nvcc leaves out, too, but
/// that may be a mistake.
static bool isSynchronisationObject(const CXXRecordDecl *Class) {
  const IdentifierInfo *Name = Class->getIdentifier();
  if (!Name ||
      !(Name->isStr("barrier") || Name->isStr("pipeline_shared_state") ||
        Name->isStr("latch") || Name->isStr("counting_semaphore")))
    return false;
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *C = Class->getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C))
      Outermost = N;
  return Outermost && Outermost->getName() == "cuda";
}

void SharedObjects::HandleTagDeclDefinition(TagDecl *D) {
  auto *Class = dyn_cast<CXXRecordDecl>(D);
  if (!S || !Class || Class->isDependentContext() ||
      !isSynchronisationObject(Class))
    return;
  S->ForceDeclarationOfImplicitMembers(Class);
  auto Change = [&](CXXMethodDecl *M) {
    if (M->isTrivial())
      return;
    M->setTrivial(true);
    Changed.push_back(M);
  };
  for (CXXConstructorDecl *C : Class->ctors())
    if (C->isDefaultConstructor())
      Change(C);
  if (CXXDestructorDecl *Destructor = Class->getDestructor())
    Change(Destructor);
}

void SharedObjects::HandleTranslationUnit(ASTContext &) {
  for (CXXMethodDecl *M : Changed)
    M->setTrivial(false);
  Changed.clear();
}

} // namespace kpipe
