// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of Clang's parser over one command line. Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_RUN_H
#define KPIPE_LIB_FRONTEND_RUN_H

#include "ErrorCollector.h"
#include "Flags.h"
#include "HeaderCache.h"
#include "ParseAction.h"
#include "clang/Frontend/CompilerInstance.h"

namespace kpipe {

/// A finished parse; the AST lives as long as this does.
struct Run {
  ~Run();

  ErrorCollector Errors;
  std::optional<CachedHeaders> Headers;
  std::unique_ptr<clang::CompilerInstance> Compiler;
  std::unique_ptr<ParseAction> Action;
};

/// Parses with the texts in place of the files that they are named after.
/// \param SnapshotLimit, Answerer see ParseAction.
llvm::Expected<std::unique_ptr<Run>>
runParser(const CommandLine &Line, const llvm::StringMap<std::string> &Texts,
          std::optional<unsigned> SnapshotLimit, Describe Answerer);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_RUN_H
