// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of the unit's files that this parse does not read: what conditions of
// the preprocessor leave out, and the bodies of macros. The host's pass, another
// architecture or another configuration may read it. Knows names, not meaning.
#ifndef KPIPE_ENGINE_UNREAD_H
#define KPIPE_ENGINE_UNREAD_H

#include "../Analysis/LoopFacts.h"
#include "../Analysis/Launches.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

class UnreadText {
public:
  /// \param Skipped what conditions left out, in any order.
  UnreadText(const clang::ASTContext &Context,
             llvm::ArrayRef<clang::SourceRange> Skipped);

  /// Where a word stands in what is not read, in the order of the text; of
  /// macros those bodies count that Read does not name.
  llvm::SmallVector<clang::SourceLocation, 2>
  find(llvm::StringRef Word,
       llvm::ArrayRef<clang::SourceLocation> Read = {}) const;

  /// Fills Launches.Unread for the kernels that are launched.
  void addTo(LaunchIndex &Launches) const;

  /// Why the text of a loop cannot be moved: directives of the preprocessor that
  /// would lose their place, or text that is not read and names what the rewrite
  /// changes. Rule `preprocessor`; nothing if it can be moved.
  std::optional<Finding> obstacle(const LoopFacts &Loop) const;

private:
  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  struct Word {
    clang::SourceLocation Where;
    bool InMacro;
  };
  llvm::StringMap<llvm::SmallVector<Word, 1>> Words;

  void skipped(clang::SourceRange Range);
  void macros(clang::FileID File);
  std::optional<Finding> directives(const LoopFacts &Loop,
                                    const clang::Stmt *Text, bool Whole) const;
};

} // namespace kpipe

#endif // KPIPE_ENGINE_UNREAD_H
