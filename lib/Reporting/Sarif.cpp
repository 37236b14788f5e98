// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics as SARIF 2.1.0, the standard of OASIS: ids are rules, notes are
// related locations. Paths are relative to where kpipe ran, if they were given
// so.
#include "Words.h"
#include "kpipe/Reporting.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace kpipe {
namespace {

using llvm::json::OStream;

/// A path as a URI reference: what RFC 3986 reserves is written in percents.
std::string uri(llvm::StringRef Path) {
  std::string Uri = llvm::sys::path::is_absolute(Path) ? "file://" : "";
  for (unsigned char C : Path) {
    if (llvm::isAlnum(C) || llvm::StringRef("-._~/").contains(C))
      Uri += C;
    else
      Uri += "%" + llvm::utohexstr(C, /*LowerCase=*/false, /*Width=*/2);
  }
  // A colon in the first segment would make it a scheme; it is in percents.
  return Uri;
}

/// SARIF knows no remarks.
llvm::StringRef level(Severity S) {
  return S == Severity::Remark ? "note" : describe(S);
}

void writeMessage(OStream &J, llvm::StringRef Message) {
  J.attributeObject("message", [&] { J.attribute("text", utf8(Message)); });
}

void writeLocation(OStream &J, llvm::StringRef File) {
  J.attributeObject("artifactLocation", [&] { J.attribute("uri", uri(File)); });
}

void writePhysical(OStream &J, const Place &Where) {
  J.attributeObject("physicalLocation", [&] {
    writeLocation(J, Where.File);
    if (Where.Line == 0)
      return;
    J.attributeObject("region", [&] {
      J.attribute("startLine", Where.Line);
      if (Where.Column)
        J.attribute("startColumn", Where.Column);
    });
  });
}

/// A replacement of nothing.
void writeInsertion(OStream &J, const Insertion &I) {
  J.object([&] {
    J.attributeObject("deletedRegion", [&] {
      J.attribute("startLine", I.Before.Line);
      J.attribute("startColumn", I.Before.Column);
      J.attribute("endColumn", I.Before.Column);
    });
    J.attributeObject("insertedContent",
                      [&] { J.attribute("text", utf8(I.Text)); });
  });
}

void writeSarifFix(OStream &J, const Fix &F) {
  llvm::MapVector<llvm::StringRef, std::vector<const Insertion *>> Files;
  for (const Insertion &I : F.Edits)
    Files[I.Before.File].push_back(&I);
  J.object([&] {
    J.attributeObject("description",
                      [&] { J.attribute("text", utf8(F.What.str())); });
    J.attributeArray("artifactChanges", [&] {
      for (const auto &Of : Files)
        J.object([&] {
          writeLocation(J, Of.first);
          J.attributeArray("replacements", [&] {
            for (const Insertion *I : Of.second)
              writeInsertion(J, *I);
          });
        });
    });
  });
}

/// Those of all notes: SARIF knows none of a related location.
void writeFixes(OStream &J, const Diagnostic &D) {
  if (llvm::all_of(D.Notes, [](const Note &N) { return N.Fixes.empty(); }))
    return;
  J.attributeArray("fixes", [&] {
    for (const Note &N : D.Notes)
      for (const Fix &F : N.Fixes)
        writeSarifFix(J, F);
  });
}

void writeResult(OStream &J, const Diagnostic &D, size_t Rule) {
  J.object([&] {
    J.attribute("ruleId", printedId(*D.Rule));
    J.attribute("ruleIndex", int64_t(Rule));
    J.attribute("level", level(D.Level));
    writeMessage(J, D.What.str());
    if (!D.Where.File.empty())
      J.attributeArray("locations",
                       [&] { J.object([&] { writePhysical(J, D.Where); }); });
    writeFixes(J, D);
    if (D.Notes.empty())
      return;
    J.attributeArray("relatedLocations", [&] {
      for (const Note &N : D.Notes)
        J.object([&] {
          if (!N.Where.File.empty())
            writePhysical(J, N.Where);
          writeMessage(J, N.What.str());
        });
    });
  });
}

} // namespace

void writeSarif(llvm::raw_ostream &OS, llvm::ArrayRef<Diagnostic> Diagnostics,
                llvm::StringRef Version) {
  llvm::MapVector<llvm::StringRef, size_t> Rules;
  for (const Diagnostic &D : Diagnostics)
    Rules.insert({idOf(*D.Rule), Rules.size()});
  OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                           "errata01/os/schemas/sarif-schema-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        J.attributeObject("tool", [&] {
          J.attributeObject("driver", [&] {
            J.attribute("name", "kpipe");
            J.attribute("semanticVersion", Version);
            J.attributeArray("rules", [&] {
              for (const auto &Rule : Rules)
                J.object([&] { J.attribute("id", "kpipe-" + Rule.first.str()); });
            });
          });
        });
        J.attribute("columnKind", "unicodeCodePoints");
        J.attributeArray("results", [&] {
          for (const Diagnostic &D : Diagnostics)
            writeResult(J, D, Rules.lookup(idOf(*D.Rule)));
        });
      });
    });
  });
  OS << "\n";
}

} // namespace kpipe
