// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of diagnostics: links into the sources on the page, and the lines that
// they point at. Private to Html.
#ifndef KPIPE_LIB_HTML_PLACES_H
#define KPIPE_LIB_HTML_PLACES_H

#include "kpipe/Html.h"
#include <set>

namespace kpipe::html {

class Places {
public:
  explicit Places(const HtmlReport &Report);

  /// "source-1" for the first of the report's sources.
  static std::string sourceId(size_t Index);

  /// Lines, from 1, of each source that something points at.
  const std::set<unsigned> &noted(size_t Source) const { return Noted[Source]; }

  /// "file:line:column", a link where the page has the line.
  std::string link(const Place &Where) const;
  /// The line with what stands at the column set off, as an element; empty
  /// where the page does not have it.
  std::string excerpt(const Place &Where) const;

private:
  const HtmlReport &Report;
  /// The old texts, cleaned, in lines.
  std::vector<std::string> Texts;
  std::vector<std::vector<llvm::StringRef>> Lines;
  std::vector<std::set<unsigned>> Noted;

  /// Of several sources with one name the first has all old lines.
  std::optional<size_t> sourceOf(const Place &Where) const;
  void note(const Place &Where);
  void note(const Diagnostic &D);
};

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_PLACES_H
