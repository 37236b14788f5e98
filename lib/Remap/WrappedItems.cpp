// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrappedItems.h.
#include "WrappedItems.h"
#include "kpipe/TextMarks.h"

using namespace clang;

namespace kpipe {

/// Steps of indentation of a block.
static constexpr int BlockIndent = 2;

/// Where more may stand on the line before that of an offset, if that can be.
static std::optional<unsigned> endOfLineBefore(const SourceText &Source,
                                               unsigned Offset) {
  const llvm::StringRef Above =
      Source.all().take_front(Offset).rtrim(" \t").drop_back();
  const llvm::StringRef Line = Above.rsplit('\n').second.rtrim("\r");
  if (Line.contains("//") || Line.contains("/*") || Line.contains("*/") ||
      Line.contains('#') || Line.ends_with("\\"))
    return std::nullopt;
  return unsigned(Line.end() - Source.all().begin());
}

std::optional<std::vector<TextEdit>> wrapped(const SourceText &Source,
                                             const Stmt *From, const Stmt *To,
                                             std::string Head) {
  if (From->getBeginLoc().isMacroID() || To->getEndLoc().isMacroID())
    return std::nullopt;
  const Range R{Source.statement(From).Begin, Source.statement(To).End};
  const llvm::StringRef Old = Source.at(R);
  // A directive's line begins with it: what goes in front ends the line before,
  // which is cut there when the loop is written anew.
  const bool Directive = Old.starts_with("#");
  const std::optional<unsigned> At =
      Directive ? endOfLineBefore(Source, R.Begin) : std::optional(R.Begin);
  if (!At)
    return std::nullopt;
  const llvm::StringRef Indent = Source.indentation(From);
  std::string Author =
      reindent(Old, Indent, Indent.str() + std::string(BlockIndent, ' '));
  // The brace closes at the first line's indentation.
  const llvm::StringRef Last = Source.indentation(R.End - 1);
  const size_t Wider =
      Last.size() > Indent.size() ? Last.size() - Indent.size() : 0;
  const bool OneLine = !Old.contains('\n');
  Author += closeMark(OneLine ? 0 : Wider + BlockIndent) + "}";
  std::vector<TextEdit> Edits;
  if (Directive)
    Edits.push_back({*At, 0, std::move(Head)});
  else
    Author = Head + lineMark(BlockIndent) + Author;
  Edits.push_back({R.Begin, R.size(), std::move(Author)});
  return Edits;
}

} // namespace kpipe
