// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver gathers for the page of `--html`. It must not know how the
// page looks.
#ifndef KPIPE_TOOL_REWRITE_HTMLOUTPUT_H
#define KPIPE_TOOL_REWRITE_HTMLOUTPUT_H

#include "Outputs.h"
#include "Session.h"
#include "kpipe/Html.h"

namespace kpipe {

/// The sources of a page, in the order in which they come first. One file with
/// one result on several architectures is one source.
class PageSources {
public:
  /// Takes what became of one unit on one architecture.
  /// \param MainFile the unit's file as the places of diagnostics spell it.
  void add(llvm::ArrayRef<RewrittenFile> Files, llvm::StringRef MainFile,
           llvm::StringRef Arch);
  void add(PageSources Others);

  const std::vector<HtmlSource> &all() const { return Sources; }

private:
  std::vector<HtmlSource> Sources;

  void add(HtmlSource Source);
};

/// Everything that is known without a compiler; HtmlReport::Machine is for
/// those who have one.
HtmlReport makePage(const CommonRequest &Request, const Findings &Found,
                    const PageSources &Sources);

/// The page as text.
std::string htmlText(const HtmlReport &Page);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_HTMLOUTPUT_H
