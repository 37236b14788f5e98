// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front-end action that parses one file and leaves the AST alive. Private
// to the front end.
#ifndef KPIPE_LIB_FRONTEND_PARSEACTION_H
#define KPIPE_LIB_FRONTEND_PARSEACTION_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/FrontendAction.h"

namespace kpipe {

class ParseAction : public clang::ASTFrontendAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_PARSEACTION_H
