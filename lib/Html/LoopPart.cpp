// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One section for a loop; architectures of which the same is told share a part
// of it, see LoopPart.h.
#include "LoopPart.h"
#include "BudgetDrawing.h"
#include "Reporting/Words.h"
#include "Text.h"
#include "TimelineDrawing.h"
#include "kpipe/Engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe::html {

static const char *className(LoopVerdict Verdict) {
  switch (Verdict) {
  case LoopVerdict::Pipelined:
    return "good";
  case LoopVerdict::Refused:
    return "bad";
  case LoopVerdict::AlreadyPipelined:
  case LoopVerdict::Off:
    return "idle";
  }
  return "";
}

std::string badge(const LoopReport &Loop, LoopVerdict Verdict) {
  const bool NoTile = Loop.LoadsNoTile && Verdict == LoopVerdict::Refused;
  return "<span class=\"badge " +
         std::string(NoTile ? "idle" : className(Verdict)) + "\">" +
         describe(Loop, Verdict).str() + "</span>";
}

std::string planInWords(const ArchReport &Arch) {
  std::string How = Arch.Routes == RouteMix::Both
                        ? "cp.async and registers"
                        : describe(*Arch.Routes).str();
  return (Arch.stages() == 1 ? "single buffer"
                             : std::to_string(Arch.stages()) + " stages") +
         ", " + How;
}

/// What helps against most violations of a rule; empty for a notice.
static Message generalCure(RuleId Rule) {
  switch (Rule) {
#define KPIPE_RULE(Name, Id)                                                   \
  case RuleId::Name:                                                           \
    return msg::cure_of_##Name;
#include "kpipe/Rules.def"
  default:
    return {};
  }
}

void writeDiagnostic(llvm::raw_ostream &OS, const Diagnostic &D,
                     const Places &At) {
  OS << "<div class=\"diagnostic " << describe(D.Level) << "\">\n<p><b>"
     << describe(D.Level) << "</b> " << text(D.What.str());
  if (D.Rule)
    OS << " <code class=\"id\">" << text(printedId(*D.Rule)) << "</code>";
  if (!D.Where.File.empty())
    OS << ' ' << At.link(D.Where);
  OS << "</p>\n" << At.excerpt(D.Where);
  const bool HasCure = llvm::any_of(
      D.Notes, [&](const Note &N) { return sameLine(N.Where, D.Where); });
  if (!HasCure && D.Rule && D.Level == Severity::Warning)
    if (Message Cure = generalCure(*D.Rule))
      OS << "<p class=\"cure\"><b>hint</b> " << text(Cure.str()) << "</p>\n";
  for (const Note &N : D.Notes) {
    // A note at the diagnostic's own place is the cure.
    bool IsCure = sameLine(N.Where, D.Where);
    OS << "<p class=\"" << (IsCure ? "cure" : "note") << "\"><b>"
       << (IsCure ? "hint" : "note") << "</b> " << text(N.What.str());
    if (!IsCure)
      OS << ' ' << At.link(N.Where);
    OS << "</p>\n";
    if (!IsCure)
      OS << At.excerpt(N.Where);
  }
  OS << "</div>\n";
}

static bool same(const CopyReport &A, const CopyReport &B) {
  return A.Array == B.Array && A.Bytes == B.Bytes && A.Way == B.Way &&
         A.Reason == B.Reason;
}

/// Is the same told of both but for the budget?
static bool alike(const ArchReport &A, const ArchReport &B) {
  auto SameDiagnostic = [](const Diagnostic &X, const Diagnostic &Y) {
    return X.Rule == Y.Rule && X.What == Y.What &&
           X.Notes.size() == Y.Notes.size();
  };
  return A.Verdict == B.Verdict && A.Routes == B.Routes &&
         A.stages() == B.stages() && A.RegistersStaged == B.RegistersStaged &&
         A.Run == B.Run && llvm::equal(A.Reasons, B.Reasons, SameDiagnostic) &&
         llvm::equal(A.Copies, B.Copies, same);
}

static void writeCopies(llvm::raw_ostream &OS, const ArchReport &Arch) {
  if (Arch.Copies.empty())
    return;
  OS << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
        "aria-label=\"copies\"><table class=\"copies\"><caption>Copies of a "
        "tile</caption>\n<thead>"
        "<tr><th scope=\"col\">array</th><th scope=\"col\">bytes per "
        "thread</th>"
        "<th scope=\"col\">way</th><th scope=\"col\">why</th></tr></thead>\n"
        "<tbody>\n";
  for (size_t I = 0, Next; I < Arch.Copies.size(); I = Next) {
    const CopyReport &C = Arch.Copies[I];
    for (Next = I + 1; Next < Arch.Copies.size(); ++Next)
      if (!same(C, Arch.Copies[Next]))
        break;
    OS << "<tr><td><code>" << text(C.Array) << "</code>";
    if (Next - I > 1)
      OS << " \u00D7 " << Next - I;
    OS << "</td><td>" << (C.Bytes ? std::to_string(C.Bytes) : "?")
       << "</td><td>" << describe(C.Way) << "</td><td>" << text(C.Reason.str())
       << "</td></tr>\n";
  }
  OS << "</tbody></table></div>\n";
}

static void writePlan(llvm::raw_ostream &OS, llvm::StringRef Id,
                      const LoopReport &Loop,
                      llvm::ArrayRef<const ArchReport *> Archs,
                      const Places &At) {
  const ArchReport &First = *Archs.front();
  OS << "<section class=\"plan\">\n<h3>" << badge(Loop, First.Verdict);
  for (const ArchReport *A : Archs)
    OS << " <span class=\"arch\">" << text(A->Arch) << "</span>";
  if (First.Verdict == LoopVerdict::Pipelined) {
    OS << " <span class=\"how\">" << planInWords(First);
    if (unsigned R = First.RegistersStaged)
      OS << ", " << R << (R == 1 ? " register holds" : " registers hold")
         << " a tile on its way";
    OS << "</span>";
  }
  OS << "</h3>\n";
  if (First.Verdict != LoopVerdict::Pipelined) {
    for (const Diagnostic &D : First.Reasons)
      writeDiagnostic(OS, D, At);
  } else if (!First.Reasons.empty()) {
    OS << "<ul class=\"reasons\">\n";
    for (const Diagnostic &D : First.Reasons)
      OS << "<li>" << text(D.What.str()) << "</li>\n";
    OS << "</ul>\n";
  }
  writeCopies(OS, First);
  OS << "<div class=\"figures\">\n";
  if (First.Run)
    writeTimeline(OS, (Id + "-time").str(), *First.Run);
  for (const ArchReport *A : Archs) {
    if (!A->Budget)
      continue;
    if (llvm::Expected<const ArchLimits &> Limits = findArch(A->Arch))
      writeBudget(OS, (Id + "-" + A->Arch).str(), *Limits, *A->Budget);
    else
      llvm::consumeError(Limits.takeError());
  }
  OS << "</div>\n</section>\n";
}

void writeLoop(llvm::raw_ostream &OS, llvm::StringRef Id,
               const LoopReport &Loop, const Places &At) {
  OS << "<section class=\"card\" id=\"" << Id << "\" aria-labelledby=\"" << Id
     << "-name\">\n<h2 id=\"" << Id << "-name\"><code>" << text(Loop.Function)
     << "</code></h2>\n<p class=\"facts\">loop at " << At.link(Loop.Where);
  if (Loop.Ratio)
    OS << ", " << llvm::format("%.1f", *Loop.Ratio)
       << " arithmetic operations per byte loaded (" << ratioClass(*Loop.Ratio)
       << ")";
  OS << "</p>\n";
  std::vector<std::vector<const ArchReport *>> Groups;
  for (const ArchReport &A : Loop.Archs) {
    auto Same = llvm::find_if(
        Groups, [&](const auto &Group) { return alike(*Group.front(), A); });
    if (Same == Groups.end())
      Groups.push_back({&A});
    else
      Same->push_back(&A);
  }
  for (size_t I = 0; I < Groups.size(); ++I)
    writePlan(OS, (Id + "-" + llvm::Twine(I + 1)).str(), Loop, Groups[I], At);
  OS << "</section>\n";
}

} // namespace kpipe::html
