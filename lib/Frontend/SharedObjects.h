// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets the objects that threads synchronise by be shared variables:
//
//   __shared__ cuda::barrier<cuda::thread_scope_block> bar;
//
// nvcc warns that it does not run their constructors; Clang refuses the
// variable. It must not know why the file is parsed.
#ifndef KPIPE_LIB_FRONTEND_SHAREDOBJECTS_H
#define KPIPE_LIB_FRONTEND_SHAREDOBJECTS_H

#include "clang/Sema/SemaConsumer.h"
#include <vector>

namespace clang {
class CXXMethodDecl;
} // namespace clang

namespace kpipe {

/// While a file is parsed, the default constructors and the destructors of such
/// classes count as trivial; so do those of classes that hold them and have
/// nothing else to construct. Behind the parse all are what they were.
class SharedObjects : public clang::SemaConsumer {
public:
  void InitializeSema(clang::Sema &TheSema) override { S = &TheSema; }
  void ForgetSema() override { S = nullptr; }
  void HandleTagDeclDefinition(clang::TagDecl *D) override;
  void HandleTranslationUnit(clang::ASTContext &) override;

private:
  clang::Sema *S = nullptr;
  std::vector<clang::CXXMethodDecl *> Changed;
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_SHAREDOBJECTS_H
