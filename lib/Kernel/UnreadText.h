// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of the unit's files that this parse does not read and that the host's
// pass, or that of another architecture, may: what conditions on the
// architecture leave out, and the bodies and arguments of macros. What other
// conditions leave out belongs to another configuration, which is a run of its
// own; only its launches count here. Knows names, not meaning.
#ifndef KPIPE_KERNEL_UNREADTEXT_H
#define KPIPE_KERNEL_UNREADTEXT_H

#include "Launches.h"
#include "Recognition/Body/LoopFacts.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSet.h"

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

  /// Fills Launches.Unread for the kernels that are launched and for the
  /// functions that are called.
  void addTo(LaunchIndex &Launches, const CallIndex &Calls) const;

  /// Why the text of a loop cannot be moved: directives of the preprocessor that
  /// would lose their place, or text that is not read and names what the rewrite
  /// changes. Rule `preprocessor`; nothing if it can be moved.
  std::optional<Obstacle> obstacle(const LoopFacts &Loop) const;
  /// The same of helpers whose clones would stand where another pass does not
  /// read them, and the loop does.
  std::optional<Obstacle> helperObstacle(const LoopFacts &Loop) const;

private:
  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  struct Word {
    clang::SourceLocation Where;
    bool InMacro;
    llvm::StringRef Macro; ///< in whose body
  };
  llvm::StringMap<llvm::SmallVector<Word, 1>> Words;
  /// What conditions left out of each file: where it begins, in the order of
  /// the text, and the last end of all that begin no later.
  llvm::DenseMap<clang::FileID, std::vector<std::pair<unsigned, unsigned>>>
      Skipped;
  /// Names in launches that any condition leaves out, and in macros' arguments.
  llvm::StringMap<clang::SourceLocation> HiddenLaunches;
  llvm::StringMap<llvm::SmallVector<clang::SourceLocation, 1>> Arguments;
  void sortSkipped(llvm::ArrayRef<clang::SourceRange> Ranges);
  bool isSkipped(clang::SourceLocation L) const;
  llvm::StringRef textOf(const clang::FunctionDecl *F) const;
  void arguments(clang::FileID File);

  /// Macros that the passes may define differently.
  llvm::StringSet<> OfPass;
  /// Stretches of files under conditions on them.
  llvm::DenseMap<clang::FileID, std::vector<std::pair<unsigned, unsigned>>>
      Varying;

  /// Names of OfPass, and of macros that are made of these.
  llvm::StringSet<> Varies;
  /// Names in what any condition leaves out.
  llvm::StringSet<> InSkipped;
  friend class SizeWalker;

  bool findVarying(clang::FileID File);
  void findVaryingMacros();
  void markUncertainSizes(LaunchIndex &Launches) const;
  void skipped(clang::SourceRange Range);
  bool endsBefore(clang::FileID File, unsigned From, unsigned To) const;
  void macros(clang::FileID File);
  std::optional<Obstacle> directives(const LoopFacts &Loop,
                                    const clang::Stmt *Text, bool Whole) const;
};

} // namespace kpipe

#endif // KPIPE_KERNEL_UNREADTEXT_H
