// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front-end action that parses one file and leaves the AST alive. Private
// to the front end.
#ifndef KPIPE_LIB_FRONTEND_PARSEACTION_H
#define KPIPE_LIB_FRONTEND_PARSEACTION_H

#include "ErrorCollector.h"
#include "SharedObjects.h"
#include "Snapshot.h"
#include "clang/Frontend/FrontendAction.h"
#include <memory>
#include <optional>

namespace kpipe {

/// Like clang::ParseAST, with one thing added: where the main file's includes
/// end it leaves a snapshot behind.
class ParseAction : public clang::ASTFrontendAction {
public:
  /// \param SnapshotLimit main-file offset up to which a snapshot may be
  /// taken; none: no snapshot.
  /// \param Errors where the compiler's diagnostics go.
  /// \param Answerer answers the question that a snapshot is asked; or null.
  ParseAction(std::optional<unsigned> SnapshotLimit, ErrorCollector &Errors,
              Describe Answerer)
      : SnapshotLimit(SnapshotLimit), Errors(Errors), Answerer(Answerer) {}

  void ExecuteAction() override;

  /// The snapshot that was taken; null when there is none.
  std::unique_ptr<Snapshot> Taken;
  /// What preprocessor conditions left out.
  std::vector<clang::SourceRange> Skipped;

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<SharedObjects>();
  }

private:
  friend class SnapshotPoints;

  std::optional<unsigned> SnapshotLimit;
  ErrorCollector &Errors;
  Describe Answerer;
  /// In a snapshot's copy: where the answer goes, and how many errors were
  /// there before it was taken.
  int ReplyTo = -1;
  size_t ErrorsBefore = 0;
  std::string Question;
};

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_PARSEACTION_H
