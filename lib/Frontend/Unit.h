// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a ParsedUnit holds: the compiler instance whose AST is handed out, the
// action that keeps it alive between begin and end of the file, and the errors.
// Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_UNIT_H
#define KPIPE_LIB_FRONTEND_UNIT_H

#include "ErrorCollector.h"
#include "ParseAction.h"
#include "kpipe/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"

namespace kpipe {

struct ParsedUnit::Impl {
  ~Impl();

  std::string File;
  std::string Text;
  bool OwnDeclarations = false;
  ErrorCollector Errors;
  std::unique_ptr<clang::CompilerInstance> Compiler;
  std::unique_ptr<ParseAction> Action;
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_UNIT_H
