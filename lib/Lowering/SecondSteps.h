// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of the copies in a tile loop, and what stands in the place of steps that
// are a part of something else.
#ifndef KPIPE_LOWERING_SECONDSTEPS_H
#define KPIPE_LOWERING_SECONDSTEPS_H

#include "Emission/SourceText.h"
#include "clang/AST/Decl.h"
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
};

/// `++j, q >>= 4` in a header: the second one becomes a statement.
/// \returns whether there is one.
bool secondSteps(const clang::ForStmt *F, const clang::Stmt *Around,
                 StepEdits &To);

/// `*to++ = *from++` as three statements. \returns whether E is such a copy.
bool stepsOfCopy(const clang::Expr *E, const clang::Stmt *Around,
                 StepEdits &To);

/// Does anything in S begin another turn of some loop?
bool mayContinue(const clang::Stmt *S);

/// Does D declare nothing but numbers of the thread's own, whose values neither
/// do anything nor name V?
bool declaresApart(const clang::DeclStmt *D, const clang::VarDecl *V);

/// Integers that a statement declares as `int i = a, j = b;`: the text in front
/// of the names, and of each name with its value. Empty where it is another one.
struct DeclaredTexts {
  std::string Type;
  std::vector<std::string> Each;
  std::string without(size_t Of) const;
};
std::optional<DeclaredTexts> declaredTexts(const clang::DeclStmt *D,
                                           const StepEdits &In);

} // namespace kpipe

#endif // KPIPE_LOWERING_SECONDSTEPS_H
