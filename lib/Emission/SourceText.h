// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spelled text of one source file: ranges of AST nodes as byte offsets,
// edits inside them, indentation. kpipe never prints an AST; everything that it
// emits of the author's is cut from here. Knows nothing of pipelines.
#ifndef KPIPE_EMISSION_SOURCETEXT_H
#define KPIPE_EMISSION_SOURCETEXT_H

#include "kpipe/TextEdit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// Half-open range of byte offsets in the file.
struct Range {
  unsigned Begin = 0, End = 0;
  unsigned size() const { return End - Begin; }
  bool contains(unsigned Offset) const {
    return Begin <= Offset && Offset < End;
  }
};

using Edit = TextEdit;

class SourceText {
public:
  SourceText(const clang::ASTContext &Context, clang::FileID File);

  clang::FileID file() const { return File; }
  llvm::StringRef all() const { return Text; }
  llvm::StringRef at(Range R) const { return Text.slice(R.Begin, R.End); }
  const clang::ASTContext &context() const { return Context; }

  /// Where a location is written in this file; a macro argument counts where
  /// it stands, a macro's own text does not. Empty if it is elsewhere.
  std::optional<unsigned> offset(clang::SourceLocation Loc) const;
  /// Where the expansion of a location begins in this file.
  unsigned expansionOffset(clang::SourceLocation Loc) const;

  /// A statement with its semicolon and with the pragma lines of its
  /// attributes; macro calls are covered whole.
  Range statement(const clang::Stmt *S) const;
  /// An expression without what follows; inside a macro argument its own
  /// text, for a macro's result the whole call. Empty if neither is possible.
  std::optional<Range> expression(const clang::Expr *E) const;
  std::string text(const clang::Expr *E) const;
  /// Is an expression there a statement of its own?
  bool isStatement(Range Expression) const;

  /// End of the token at Offset.
  unsigned tokenEnd(unsigned Offset) const;
  /// First offset at or after Offset that is neither space nor comment.
  unsigned skipSpaceAndComments(unsigned Offset) const;

  unsigned lineStart(unsigned Offset) const;
  unsigned lineEnd(unsigned Offset) const; ///< at the newline, or the end
  /// Leading white space of the line of Offset.
  llvm::StringRef indentation(unsigned Offset) const;
  /// That of a statement, not of the pragma above it.
  llvm::StringRef indentation(const clang::Stmt *S) const;
  /// End of a comment that follows Offset on the same line, else Offset.
  unsigned trailingComment(unsigned Offset) const;

  /// The text of R with the edits that lie inside it.
  std::string edited(Range R, llvm::ArrayRef<Edit> Edits) const;

private:
  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  clang::FileID File;
  llvm::StringRef Text;
};

/// Shifts every line so that text indented by From is indented by To. Lines
/// that begin with '#' in the first column stay there.
std::string reindent(llvm::StringRef Text, llvm::StringRef From,
                     llvm::StringRef To);

/// Every word of a text that could be a name.
llvm::StringSet<> wordsOf(llvm::StringRef Text);

/// Every identifier of code, without those of comments and literals, and without
/// what stands behind `.`, `->` or `::`, which is a member's.
llvm::StringSet<> identifiersOf(llvm::StringRef Code,
                                const clang::LangOptions &Language);

/// Every name that would mean something else in a file than what it is declared
/// to be there, but for macros: its identifiers, and the words of the macros
/// that the file expands.
llvm::StringSet<> takenWords(const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_SOURCETEXT_H
