// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kpipe says about a loop, a kernel or a file: a plain value that every box
// may make and that only the driver prints. It must not know Clang's AST:
// places are resolved to file, line and column when the diagnostic is made.
#ifndef KPIPE_DIAGNOSTIC_H
#define KPIPE_DIAGNOSTIC_H

#include "kpipe/Message.h"
#include "kpipe/Rule.h"
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// A place in a source file as a person reads it. Line and Column count from 1;
/// Line 0 means "the file as a whole".
struct Place {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
};

inline bool sameLine(const Place &A, const Place &B) {
  return A.File == B.File && A.Line == B.Line;
}

enum class Severity { Remark, Warning, Error };

/// Text that a fix puts in front of a place. Columns count bytes; nothing but
/// ASCII stands before the place in its line.
struct Insertion {
  Place Before;
  std::string Text;
};

/// A cure that an editor can apply: all of its insertions together. Whether it
/// is right only the author knows, so nothing applies it unasked.
struct Fix {
  Message What; ///< what it does, for a menu
  std::vector<Insertion> Edits;
};

/// A second place that explains a diagnostic, or the cure (a note with the
/// same place as the diagnostic).
struct Note {
  Place Where;
  Message What;
  /// Ways to do what the note says, the most careful first.
  std::vector<Fix> Fixes = {};
};

/// One diagnostic. Its rule's id is printed in brackets: `[kpipe-may-alias]`; a
/// reason of the planner's has none.
struct Diagnostic {
  Severity Level = Severity::Remark;
  std::optional<RuleId> Rule;
  Place Where;
  Message What;
  std::vector<Note> Notes;
  /// For reports, and for --verbose: not worth a line otherwise.
  bool Quiet = false;
};

} // namespace kpipe

#endif // KPIPE_DIAGNOSTIC_H
