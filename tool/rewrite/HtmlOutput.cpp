// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HtmlOutput.h.
#include "HtmlOutput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

void PageSources::add(HtmlSource Source) {
  for (HtmlSource &Known : Sources)
    if (Known.Path == Source.Path && Known.New == Source.New) {
      for (std::string &Arch : Source.Archs)
        if (!llvm::is_contained(Known.Archs, Arch))
          Known.Archs.push_back(std::move(Arch));
      return;
    }
  Sources.push_back(std::move(Source));
}

void PageSources::add(llvm::ArrayRef<RewrittenFile> Files,
                      llvm::StringRef MainFile, llvm::StringRef Arch) {
  for (const RewrittenFile &File : Files)
    add({File.Path,
         File.IsHeader ? File.Path : MainFile.str(),
         {Arch.str()},
         File.Old,
         File.New});
}

void PageSources::add(PageSources Others) {
  for (HtmlSource &Source : Others.Sources)
    add(std::move(Source));
}

HtmlReport makePage(const CommonRequest &Request, const Findings &Found,
                    const PageSources &Sources) {
  HtmlReport Page;
  Page.Version = KPIPE_VERSION;
  Page.Command = Request.Command;
  // Files may have settings of their own.
  for (const FileRequest &File : Request.Files)
    for (const std::string &Arch : File.Transform.Archs)
      if (!llvm::is_contained(Page.Archs, Arch))
        Page.Archs.push_back(Arch);
  Page.Loops = mergeReports(Found.Loops);
  Page.Others = Found.Others;
  Page.Sources = Sources.all();
  return Page;
}

std::string htmlText(const HtmlReport &Page) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeHtml(OS, Page);
  return Text;
}

} // namespace kpipe
