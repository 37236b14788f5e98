// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page from its first to its last line, see kpipe/Html.h: an overview, a
// section for each loop, each source and each kernel's machine code.
#include "LoopPart.h"
#include "MachinePart.h"
#include "Places.h"
#include "SideBySide.h"
#include "Style.h"
#include "Text.h"
#include "kpipe/Engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {

using namespace html;

namespace {

/// A word as a POSIX shell takes it.
std::string shellWord(llvm::StringRef Word) {
  auto IsPlain = [](char C) {
    return llvm::isAlnum(C) || llvm::StringRef("_-./=,:+@%^").contains(C) ||
           (C & 0x80);
  };
  if (!Word.empty() && llvm::all_of(Word, IsPlain))
    return Word.str();
  std::string Out = "'";
  for (char C : Word)
    C == '\'' ? Out += "'\\''" : Out += C;
  return Out + "'";
}

class Page {
public:
  Page(llvm::raw_ostream &OS, const HtmlReport &R) : OS(OS), R(R), At(R) {}

  void write() {
    head();
    OS << "<main id=\"main\">\n";
    overview();
    if (!R.Others.empty()) {
      OS << "<h2 class=\"part\">About the whole run</h2>\n"
            "<section class=\"card\" aria-label=\"diagnostics of no loop\">\n";
      for (const Diagnostic &D : R.Others)
        writeDiagnostic(OS, D, At);
      OS << "</section>\n";
    }
    if (!R.Loops.empty())
      OS << "<h2 class=\"part\">Loops</h2>\n";
    for (size_t I = 0; I < R.Loops.size(); ++I)
      writeLoop(OS, loopId(I), R.Loops[I], At);
    sources();
    if (!R.Machine.empty())
      OS << "<h2 class=\"part\">Machine code</h2>\n";
    for (size_t I = 0; I < R.Machine.size(); ++I)
      writeMachine(OS, machineId(I), R.Machine[I]);
    OS << "</main>\n<footer>Written by kpipe " << text(R.Version)
       << ". Sizes of shared memory are bytes per block; 1 KB is 1024 bytes."
          "</footer>\n</body>\n</html>\n";
  }

private:
  llvm::raw_ostream &OS;
  const HtmlReport &R;
  Places At;

  static std::string loopId(size_t I) {
    return "loop-" + std::to_string(I + 1);
  }
  static std::string machineId(size_t I) {
    return "machine-" + std::to_string(I + 1);
  }

  /// The files that the page is about, each once.
  std::string title() const {
    std::vector<std::string> Names;
    for (const HtmlSource &S : R.Sources)
      if (!llvm::is_contained(Names, S.Path))
        Names.push_back(S.Path);
    if (Names.size() > 3) {
      std::string More = std::to_string(Names.size() - 2) + " more";
      Names.resize(2);
      Names.push_back(More);
    }
    return Names.empty() ? "report" : text(llvm::join(Names, ", "));
  }

  void head() {
    std::string Title = title();
    OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
          "'none'; style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          // Else browsers ask the page's server for one.
          "<link rel=\"icon\" href=\"data:,\">\n"
          "<title>kpipe: "
       << Title << "</title>\n<style>" << styleSheet()
       << "</style>\n</head>\n<body>\n"
          "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
          "<header class=\"top\">\n<p class=\"brand\"><b>kpipe</b> "
       << text(R.Version) << ", report on software pipelining";
    if (!R.Archs.empty())
      OS << " for " << text(llvm::join(R.Archs, ", "));
    OS << "</p>\n<h1>" << Title << "</h1>\n";
    if (!R.Command.empty()) {
      std::vector<std::string> Words;
      for (const std::string &Word : R.Command)
        Words.push_back(shellWord(Word));
      OS << "<pre class=\"command\">" << text(llvm::join(Words, " "))
         << "</pre>\n";
    }
    OS << "</header>\n";
  }

  /// The reports of one loop, by the names of the architectures.
  void overview() {
    OS << "<section class=\"card\" aria-label=\"overview\">\n";
    if (R.Loops.empty()) {
      OS << "<p>No loop with a block barrier was found.</p>\n</section>\n";
      return;
    }
    OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
          "aria-label=\"overview of the loops\">\n<table class=\"summary\">"
          "<thead><tr><th scope=\"col\">loop</th>";
    for (const std::string &Arch : R.Archs)
      OS << "<th scope=\"col\">" << text(Arch) << "</th>";
    OS << "</tr></thead>\n<tbody>\n";
    for (size_t I = 0; I < R.Loops.size(); ++I) {
      const LoopReport &Loop = R.Loops[I];
      OS << "<tr><th scope=\"row\"><a href=\"#" << loopId(I) << "\"><code>"
         << text(Loop.Function) << "</code></a><small>" << text(Loop.Where.File)
         << ':' << Loop.Where.Line << "</small></th>";
      for (const std::string &Arch : R.Archs)
        cell(Loop, Arch);
      OS << "</tr>\n";
    }
    OS << "</tbody></table></div>\n";
    contents();
    OS << "</section>\n";
  }

  void cell(const LoopReport &Loop, llvm::StringRef Arch) {
    OS << "<td>";
    for (const ArchReport &A : Loop.Archs) {
      // A suffix as in sm_90a changes no limit, and reports leave it out.
      if (Arch != A.Arch && Arch.rtrim("af") != A.Arch)
        continue;
      OS << badge(Loop, A.Verdict);
      if (A.Verdict == LoopVerdict::Pipelined)
        OS << "<small>" << planInWords(A) << "</small>";
      else if (A.Verdict == LoopVerdict::Refused && !A.Reasons.empty())
        OS << "<small>" << text(idOf(*A.Reasons.front().Rule)) << "</small>";
      if (A.Budget && A.Budget->BlocksBefore && A.Budget->BlocksAfter)
        OS << "<small>" << *A.Budget->BlocksBefore << " \u2192 "
           << *A.Budget->BlocksAfter << " blocks per SM</small>";
      break;
    }
    OS << "</td>";
  }

  /// Links to what is not in the table.
  void contents() {
    if (R.Sources.empty() && R.Machine.empty())
      return;
    OS << "<nav aria-label=\"parts\"><ul class=\"parts\">\n";
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      OS << "<li><a href=\"#" << Places::sourceId(I) << "\">source of "
         << text(R.Sources[I].Path) << "</a>";
      archs(R.Sources[I].Archs);
      OS << "</li>\n";
    }
    for (size_t I = 0; I < R.Machine.size(); ++I)
      OS << "<li><a href=\"#" << machineId(I) << "\">machine code of <code>"
         << text(R.Machine[I].Kernel) << "</code></a> <span class=\"arch\">"
         << text(R.Machine[I].Arch) << "</span> " << verdicts(R.Machine[I])
         << "</li>\n";
    OS << "</ul></nav>\n";
  }

  void archs(llvm::ArrayRef<std::string> Archs) {
    for (const std::string &Arch : Archs)
      OS << " <span class=\"arch\">" << text(Arch) << "</span>";
  }

  void sources() {
    if (!R.Sources.empty())
      OS << "<h2 class=\"part\">Source, before and after</h2>\n";
    for (size_t I = 0; I < R.Sources.size(); ++I) {
      const HtmlSource &S = R.Sources[I];
      std::string Id = Places::sourceId(I);
      OS << "<section class=\"card source\" id=\"" << Id
         << "\" aria-labelledby=\"" << Id << "-name\">\n<h3 id=\"" << Id
         << "-name\"><code>" << text(S.Path) << "</code>";
      archs(S.Archs);
      OS << "</h3>\n";
      if (S.Old == S.New)
        OS << "<p>Nothing in it changes.</p>\n";
      writeSideBySide(OS, Id, S, At.noted(I));
      OS << "</section>\n";
    }
  }
};

} // namespace

void writeHtml(llvm::raw_ostream &OS, const HtmlReport &Report) {
  Page(OS, Report).write();
}

} // namespace kpipe
