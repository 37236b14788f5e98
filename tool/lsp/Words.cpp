// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Words.h.
#include "Words.h"
#include "kpipe/LineDiff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kpipe {

namespace json = llvm::json;

static json::Object at(size_t Line, size_t Character) {
  return json::Object{{"line", int64_t(Line)},
                      {"character", int64_t(Character)}};
}

/// Bytes of UTF-8 in units of UTF-16.
static size_t units(llvm::StringRef Bytes) {
  size_t Units = 0;
  for (unsigned char C : Bytes)
    Units += (C & 0xC0) == 0x80 ? 0 : C >= 0xF0 ? 2 : 1;
  return Units;
}

Lines::Lines(llvm::StringRef Text) : All(splitLines(Text)) {}

json::Value Lines::position(unsigned Line, unsigned Column) const {
  if (Line == 0 || Line > All.size())
    return at(Line ? All.size() : 0, 0);
  return at(Line - 1, units(All[Line - 1].take_front(Column ? Column - 1 : 0)));
}

json::Value Lines::word(const Place &At) const {
  unsigned End = At.Column + 1;
  if (At.Line && At.Line <= All.size() && At.Column) {
    llvm::StringRef Rest = All[At.Line - 1].substr(At.Column - 1);
    size_t Length =
        Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; })
            .size();
    End = At.Column + std::max<size_t>(Length, 1);
  }
  return json::Object{{"start", position(At.Line, At.Column)},
                      {"end", position(At.Line, End)}};
}

json::Value Lines::lines(unsigned Begin, unsigned End) const {
  auto startOf = [&](unsigned Line) {
    // Behind the last newline there is a line more, else the end of the last.
    if (Line && Line == All.size() && !All.back().ends_with("\n"))
      return at(Line - 1, units(All.back()));
    return at(Line, 0);
  };
  return json::Object{{"start", startOf(Begin)}, {"end", startOf(End)}};
}

static std::string utf8(llvm::StringRef Bytes) { return json::fixUTF8(Bytes); }

/// The protocol's numbers.
static int severity(Severity Level) {
  return Level == Severity::Error ? 1 : Level == Severity::Warning ? 2 : 3;
}

json::Value said(const Diagnostic &D, const Document &Of, const Lines &In) {
  auto isHere = [&](const Place &P) { return P.File == Of.Known.MainFile; };
  std::string Message = D.What.str();
  if (!D.Where.File.empty() && !isHere(D.Where))
    Message =
        D.Where.File + ":" + std::to_string(D.Where.Line) + ": " + Message;
  json::Array Related;
  for (const Note &N : D.Notes) {
    bool IsCure =
        N.Where.Line == D.Where.Line && N.Where.Column == D.Where.Column;
    if (IsCure || !isHere(N.Where)) {
      Message += "\n" + N.What.str();
      continue;
    }
    Related.push_back(
        json::Object{{"location", json::Object{{"uri", Of.Uri},
                                               {"range", In.word(N.Where)}}},
                     {"message", utf8(N.What.str())}});
  }
  json::Object Said{{"range", In.word(isHere(D.Where) ? D.Where : Place())},
                    {"severity", severity(D.Level)},
                    {"source", "kpipe"},
                    {"message", utf8(Message)}};
  if (D.Rule)
    Said["code"] = printedId(*D.Rule);
  if (!Related.empty())
    Said["relatedInformation"] = std::move(Related);
  return Said;
}

json::Value saidOfAll(llvm::StringRef Message) {
  return json::Object{
      {"range", json::Object{{"start", at(0, 0)}, {"end", at(0, 1)}}},
      {"severity", severity(Severity::Error)},
      {"source", "kpipe"},
      {"message", utf8(Message)}};
}

json::Array changes(llvm::StringRef Old, llvm::StringRef New) {
  std::vector<llvm::StringRef> OldLines = splitLines(Old);
  std::vector<llvm::StringRef> NewLines = splitLines(New);
  const Lines In(Old);
  json::Array Edits;
  for (const LineChange &C : diffLines(OldLines, NewLines)) {
    std::string Text;
    for (unsigned L = C.NewBegin; L != C.NewEnd; ++L)
      Text += NewLines[L];
    Edits.push_back(json::Object{{"range", In.lines(C.OldBegin, C.OldEnd)},
                                 {"newText", utf8(Text)}});
  }
  return Edits;
}

json::Array insertions(const Fix &F, const Document &Of, const Lines &In) {
  json::Array Edits;
  for (const Insertion &I : F.Edits) {
    if (I.Before.File != Of.Known.MainFile)
      return {};
    json::Value Place = In.position(I.Before.Line, I.Before.Column);
    Edits.push_back(
        json::Object{{"range", json::Object{{"start", Place}, {"end", Place}}},
                     {"newText", utf8(I.Text)}});
  }
  return Edits;
}

json::Object workspaceEdit(std::vector<FileEdits> Files, bool Versioned) {
  json::Object ByUri;
  json::Array Documents;
  for (FileEdits &F : Files)
    if (Versioned)
      Documents.push_back(
          json::Object{{"textDocument",
                        json::Object{{"uri", F.Uri}, {"version", F.Version}}},
                       {"edits", std::move(F.Edits)}});
    else
      ByUri[F.Uri] = std::move(F.Edits);
  if (Versioned)
    return json::Object{{"documentChanges", std::move(Documents)}};
  return json::Object{{"changes", std::move(ByUri)}};
}

} // namespace kpipe
