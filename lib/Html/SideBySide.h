// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source before and after, side by side. Private to Html.
#ifndef KPIPE_LIB_HTML_SIDEBYSIDE_H
#define KPIPE_LIB_HTML_SIDEBYSIDE_H

#include "Alignment.h"
#include "kpipe/Html.h"
#include <set>

namespace kpipe::html {

/// Writes both texts as rows of a table; stretches where nothing changed are
/// folded. Each line of the old text has the id `<Id>-L<number from 1>`.
/// \param Noted lines of the old text, from 1, that diagnostics point at: they
/// are marked and never folded.
void writeSideBySide(llvm::raw_ostream &OS, llvm::StringRef Id,
                     const HtmlSource &Source, const std::set<unsigned> &Noted);

/// One line of source with its colours, as content of an element.
/// \param Mark what is set off.
std::string inkedLine(llvm::StringRef CleanLine, const LineParts &Mark);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_SIDEBYSIDE_H
