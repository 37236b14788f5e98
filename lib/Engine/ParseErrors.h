// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions hold errors of the parse. Clang leaves a statement that it
// cannot make sense of out of the AST, so that nothing there tells of it: the
// places of the errors do. Knows nothing of loops.
#ifndef KPIPE_ENGINE_PARSEERRORS_H
#define KPIPE_ENGINE_PARSEERRORS_H

#include "kpipe/Diagnostic.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace kpipe {

class BrokenFunctions {
public:
  /// \param Errors the errors of the parse with their places; must outlive
  /// this.
  BrokenFunctions(const clang::SourceManager &SM, llvm::ArrayRef<Note> Errors)
      : SM(SM), Errors(Errors) {}

  /// The first error in the text of a function or of one that it calls, however
  /// indirectly; null if there is none. What statements of included files are
  /// lost is not known, so any error counts where a function includes one.
  const Note *firstError(const clang::FunctionDecl *F);

private:
  const clang::SourceManager &SM;
  llvm::ArrayRef<Note> Errors;
  llvm::DenseMap<const clang::FunctionDecl *, const Note *> Known;
  /// The files of the unit that are included, in the order of the parse.
  struct Include {
    clang::SourceLocation Where, Start;
    clang::FileID In;
    unsigned Offset; ///< of Where
  };
  std::optional<std::vector<Include>> Includes;

  const Note *inText(const clang::FunctionDecl *F);
  const Note *inIncluded(clang::SourceRange Text);
  const std::vector<Include> &includes();
};

} // namespace kpipe

#endif // KPIPE_ENGINE_PARSEERRORS_H
