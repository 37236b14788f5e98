// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, resources and the annotated listing of one kernel, see MachinePart.h.
#include "MachinePart.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe::html {

static std::string badge(CheckVerdict Verdict) {
  switch (Verdict) {
  case CheckVerdict::Holds:
    return "<span class=\"badge good\">holds</span>";
  case CheckVerdict::Fails:
    return "<span class=\"badge bad\">fails</span>";
  case CheckVerdict::NotChecked:
    return "<span class=\"badge idle\">not checked</span>";
  }
  return "";
}

/// The class of a line, which gives it its colour, and its word. The page tells
/// apart what a margin of one word does not.
static std::pair<const char *, const char *> words(Role What) {
  switch (What) {
  case Role::None:
  case Role::OtherLoad:
    return {"", ""};
  case Role::Load:
    return {"registers", "global load"};
  case Role::AsyncLoad:
    return {"flight", "async copy"};
  case Role::Commit:
    return {"flight", "commit"};
  case Role::Wait:
    return {"barrier", "wait"};
  case Role::Store:
    return {"stored", "shared store"};
  case Role::SharedLoad:
    return {"read", "shared load"};
  case Role::Compute:
    return {"compute", "compute"};
  case Role::Barrier:
    return {"barrier", "barrier"};
  case Role::Branch:
    return {"branch", "branch"};
  case Role::Local:
    return {"spill", "spill"};
  }
  return {"", ""};
}

std::string verdicts(const KernelVerification &Kernel) {
  std::string Out;
  for (auto [Verdict, Class, Word] :
       {std::tuple(CheckVerdict::Holds, "good", "hold"),
        std::tuple(CheckVerdict::Fails, "bad", "fail"),
        std::tuple(CheckVerdict::NotChecked, "idle", "not checked")})
    if (unsigned N = Kernel.count(Verdict))
      Out += (Out.empty() ? "" : " ") + std::string("<span class=\"badge ") +
             Class + "\">" + std::to_string(N) + " " + Word + "</span>";
  return Out;
}

static void writeChecks(llvm::raw_ostream &OS, llvm::ArrayRef<Check> Checks) {
  for (const Check &C : Checks) {
    OS << "<li>" << badge(C.Verdict)
       << "<span class=\"text\"><code class=\"id\">" << text(C.Id) << "</code> "
       << text(C.Text);
    if (!C.Advice.empty())
      OS << "; " << text(C.Advice);
    OS << "</span></li>\n";
  }
}

static void writeAllChecks(llvm::raw_ostream &OS,
                           const KernelVerification &Kernel) {
  auto HasChecks = [](const LoopVerification &L) { return !L.Checks.empty(); };
  if (Kernel.Checks.empty() && llvm::none_of(Kernel.Loops, HasChecks))
    return;
  OS << "<ul class=\"checks\">\n";
  writeChecks(OS, Kernel.Checks);
  for (const LoopVerification &L : Kernel.Loops)
    writeChecks(OS, L.Checks);
  OS << "</ul>\n";
}

static void writeResources(llvm::raw_ostream &OS,
                           const KernelVerification &Kernel) {
  OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
        "aria-label=\"resources\"><table class=\"resources\"><caption>What the "
        "assembler gave it"
        "</caption>\n<thead><tr><td></td>"
        "<th scope=\"col\">registers per thread</th>"
        "<th scope=\"col\">spill stores, bytes</th>"
        "<th scope=\"col\">spill loads, bytes</th>"
        "<th scope=\"col\">static shared, bytes per block</th></tr></thead>\n"
        "<tbody>\n";
  for (auto [Name, Use] :
       {std::pair("before", &Kernel.Before), std::pair("after", &Kernel.After)})
    OS << "<tr><th scope=\"row\">" << Name << "</th><td>" << Use->Registers
       << "</td><td>" << grouped(Use->SpillStores) << "</td><td>"
       << grouped(Use->SpillLoads) << "</td><td>" << grouped(Use->StaticShared)
       << "</td></tr>\n";
  OS << "</tbody></table></div>\n";
}

static void writeLines(llvm::raw_ostream &OS, const LoopVerification &Loop) {
  if (Loop.Lines.empty())
    return;
  OS << "<tr class=\"heading\"><th colspan=\"3\">loop at 0x"
     << llvm::utohexstr(Loop.Begin, /*LowerCase=*/true);
  if (Loop.Tiles > 1)
    OS << ", " << Loop.Tiles << " tiles in one run";
  OS << "</th></tr>\n";
  for (const AnnotatedLine &L : Loop.Lines) {
    auto [Class, Word] = words(L.What);
    OS << "<tr" << (*Class ? std::string(" class=\"") + Class + "\"" : "")
       << "><td>" << Word << "</td><td><code>" << text(L.Text)
       << "</code></td><td></td></tr>\n";
  }
}

static void writeListing(llvm::raw_ostream &OS,
                         const KernelVerification &Kernel) {
  size_t Lines = 0;
  for (const LoopVerification &L : Kernel.Loops)
    Lines += L.Lines.size();
  if (!Lines)
    return;
  OS << "<details open><summary>" << Lines
     << " lines of machine code</summary>\n<div class=\"scroll\" "
        "role=\"group\" "
        "tabindex=\"0\" aria-label=\"machine code\">\n<table class=\"sass\">"
        "<thead><tr><th scope=\"col\">role</th><th scope=\"col\">instruction"
        "</th><th scope=\"col\">remark</th></tr></thead>\n<tbody>\n";
  for (const LoopVerification &L : Kernel.Loops)
    writeLines(OS, L);
  OS << "</tbody></table></div></details>\n";
}

void writeMachine(llvm::raw_ostream &OS, llvm::StringRef Id,
                  const KernelVerification &Kernel) {
  OS << "<section class=\"card\" id=\"" << Id << "\" aria-labelledby=\"" << Id
     << "-name\">\n<h3 id=\"" << Id << "-name\"><code>" << text(Kernel.Kernel)
     << "</code> <span class=\"arch\">" << text(Kernel.Arch)
     << "</span></h3>\n";
  writeAllChecks(OS, Kernel);
  writeResources(OS, Kernel);
  writeListing(OS, Kernel);
  OS << "</section>\n";
}

} // namespace kpipe::html
