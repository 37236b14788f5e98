// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, resources and the annotated listing of one kernel, see MachinePart.h.
#include "MachinePart.h"
#include "Text.h"
#include "llvm/ADT/STLExtras.h"
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

/// The class of a line, which gives it its colour, and its word.
static std::pair<const char *, const char *> words(MachineRole Role) {
  switch (Role) {
  case MachineRole::None:
    return {"", ""};
  case MachineRole::GlobalLoad:
    return {"registers", "global load"};
  case MachineRole::AsyncCopy:
    return {"flight", "async copy"};
  case MachineRole::Commit:
    return {"flight", "commit"};
  case MachineRole::Wait:
    return {"barrier", "wait"};
  case MachineRole::SharedStore:
    return {"stored", "shared store"};
  case MachineRole::SharedLoad:
    return {"read", "shared load"};
  case MachineRole::Compute:
    return {"compute", "compute"};
  case MachineRole::Barrier:
    return {"barrier", "barrier"};
  case MachineRole::Branch:
    return {"branch", "branch"};
  case MachineRole::Spill:
    return {"spill", "spill"};
  }
  return {"", ""};
}

std::string verdicts(const MachineCode &Code) {
  auto Count = [&](CheckVerdict V) {
    return llvm::count_if(
        Code.Checks, [&](const MachineCheck &C) { return C.Verdict == V; });
  };
  std::string Out;
  for (auto [Verdict, Class, Word] :
       {std::tuple(CheckVerdict::Holds, "good", "hold"),
        std::tuple(CheckVerdict::Fails, "bad", "fail"),
        std::tuple(CheckVerdict::NotChecked, "idle", "not checked")})
    if (auto N = Count(Verdict))
      Out += (Out.empty() ? "" : " ") + std::string("<span class=\"badge ") +
             Class + "\">" + std::to_string(N) + " " + Word + "</span>";
  return Out;
}

static void writeResources(llvm::raw_ostream &OS, const MachineCode &Code) {
  if (!Code.Before && !Code.After)
    return;
  OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
        "aria-label=\"resources\"><table class=\"resources\"><caption>What the "
        "assembler gave it"
        "</caption>\n<thead><tr><td></td>"
        "<th scope=\"col\">registers per thread</th>"
        "<th scope=\"col\">spill stores, bytes</th>"
        "<th scope=\"col\">spill loads, bytes</th>"
        "<th scope=\"col\">static shared, bytes per block</th></tr></thead>\n"
        "<tbody>\n";
  for (auto [Name, R] :
       {std::pair("before", &Code.Before), std::pair("after", &Code.After)})
    if (*R)
      OS << "<tr><th scope=\"row\">" << Name << "</th><td>" << (*R)->Registers
         << "</td><td>" << grouped((*R)->SpillStores) << "</td><td>"
         << grouped((*R)->SpillLoads) << "</td><td>" << grouped((*R)->Shared)
         << "</td></tr>\n";
  OS << "</tbody></table></div>\n";
}

static void writeListing(llvm::raw_ostream &OS, const MachineCode &Code) {
  if (Code.Lines.empty())
    return;
  OS << "<details open><summary>" << Code.Lines.size()
     << " lines of machine code</summary>\n<div class=\"scroll\" "
        "role=\"group\" "
        "tabindex=\"0\" aria-label=\"machine code\">\n<table class=\"sass\">"
        "<thead><tr><th scope=\"col\">role</th><th scope=\"col\">instruction"
        "</th><th scope=\"col\">remark</th></tr></thead>\n<tbody>\n";
  for (const MachineLine &L : Code.Lines) {
    if (!L.Heading.empty())
      OS << "<tr class=\"heading\"><th colspan=\"3\">" << text(L.Heading)
         << "</th></tr>\n";
    auto [Class, Word] = words(L.Role);
    OS << "<tr" << (*Class ? std::string(" class=\"") + Class + "\"" : "")
       << "><td>" << Word << "</td><td><code>" << text(L.Text)
       << "</code></td><td>" << text(L.Note) << "</td></tr>\n";
  }
  OS << "</tbody></table></div></details>\n";
}

void writeMachine(llvm::raw_ostream &OS, llvm::StringRef Id,
                  const MachineCode &Code) {
  OS << "<section class=\"card\" id=\"" << Id << "\" aria-labelledby=\"" << Id
     << "-name\">\n<h3 id=\"" << Id << "-name\"><code>" << text(Code.Kernel)
     << "</code> <span class=\"arch\">" << text(Code.Arch) << "</span></h3>\n";
  if (!Code.Checks.empty()) {
    OS << "<ul class=\"checks\">\n";
    for (const MachineCheck &C : Code.Checks)
      OS << "<li>" << badge(C.Verdict)
         << "<span class=\"text\"><code class=\"id\">" << text(C.Id)
         << "</code> " << text(C.Text) << "</span></li>\n";
    OS << "</ul>\n";
  }
  writeResources(OS, Code);
  writeListing(OS, Code);
  OS << "</section>\n";
}

} // namespace kpipe::html
