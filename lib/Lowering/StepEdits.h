// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of the copies in a tile loop: steps go, come and change places.
#ifndef KPIPE_LOWERING_STEPEDITS_H
#define KPIPE_LOWERING_STEPEDITS_H

#include "Emission/SourceText.h"
#include "clang/AST/Stmt.h"
#include <set>

namespace kpipe {

struct StepEdits {
  StepEdits(const clang::Stmt *Function, const SourceText *Source)
      : Function(Function), Source(Source) {}

  const clang::Stmt *Function; ///< the body that has all names of a variable
  const SourceText *Source;    ///< null: only asked for what there may be
  std::set<Edit> Edits;
  bool Failed = false;

  bool fail() {
    Failed = true;
    return true;
  }
  void replace(Range R, std::string Text) {
    Edits.insert({R.Begin, R.size(), std::move(Text)});
  }
  /// A comment behind it stays, with the line.
  void drop(Range R);
  /// Text that may stand elsewhere, on a line of its own.
  std::optional<std::string> movable(Range R) const;
  /// Puts braces around a statement that is all of a loop's body, or a branch.
  /// \param Around that loop or branch.
  /// \param Text what stands in its place; empty: itself.
  /// \param Behind what is done behind it, with the marks of its lines.
  /// \returns true.
  bool braces(Range One, const clang::Stmt *Around, const std::string &Text,
              const std::string &Behind);
};

/// Integers that a statement declares as `int i = a, j = b;`: the text in front
/// of the names, and of each name with its value. Empty where it is another
/// one.
struct DeclaredTexts {
  std::string Type;
  std::vector<std::string> Each;
  std::string without(size_t Of) const;
};
std::optional<DeclaredTexts> declaredTexts(const clang::DeclStmt *D,
                                           const StepEdits &In);

} // namespace kpipe

#endif // KPIPE_LOWERING_STEPEDITS_H
