// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both subcommands do with one file and one architecture: parse, say what
// was passed over, run the engine. It must not write files.
#ifndef KPIPE_TOOL_REWRITE_SESSION_H
#define KPIPE_TOOL_REWRITE_SESSION_H

#include "kpipe/Engine.h"
#include "kpipe/Lowering.h"
#include "kpipe/Reporting.h"
#include "options/CommonOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace kpipe {

/// A unit with plain copies in some loops, see kpipe/Lowering.h.
struct LoweredUnit {
  std::vector<Place> LeftAlone;
  std::vector<Place> Lowered;
  std::vector<AsyncLoop> Others;
  std::unique_ptr<ParsedUnit> Unit;
  /// Loops that were staged by hand and have one stage in Unit, and the unit
  /// with only them changed, which is what is lowered; null where none is.
  std::vector<Place> ToRestage, Restaged;
  std::vector<KeptStages> KeptStaged;
  std::unique_ptr<ParsedUnit> OneStage;
};

struct UnitResult {
  /// What is transformed: the unit as it was parsed, or with plain copies in
  /// the loops Lowered.
  ParsedUnit *Unit = nullptr;
  /// The same with the author's copies, where loops of Unit have remapped ones.
  ParsedUnit *Base = nullptr;
  /// Units with remapped copies, by their texts: what points into one lives as
  /// long as this.
  std::map<std::string, std::unique_ptr<ParsedUnit>> WithRemapped;
  /// Loops whose remapped copies failed the check, whatever else is asked.
  std::vector<KeptMapping> NotProved;
  std::vector<Place> Lowered;
  /// Those that copy asynchronously and stay as they are.
  std::vector<AsyncLoop> Asynchronous;
  UnitOutcome Outcome;
  /// Loops that kpipe is to stage instead of their authors, and those of them
  /// that stay as they are.
  std::vector<RestagedLoop> ToRestage;
  std::vector<KeptStages> KeptStaged;
  /// Those that have one stage in Unit.
  std::vector<Place> Restaged;
  /// Which architecture of the request it was parsed for.
  unsigned ArchIndex = 0;
  /// What the front end says; it belongs to no loop.
  std::vector<Diagnostic> OfParse;

  /// All diagnostics that belong to no loop: the front end's, then the engine's.
  std::vector<Diagnostic> others() const;

  /// The author's own, and the unit with each choice of loops that was asked
  /// for: what points into one lives as long as this.
  std::vector<std::unique_ptr<LoweredUnit>> Forms;
  ParsedUnit &author() const { return *Forms.front()->Unit; }
  /// Of the author's own, once it was asked for.
  std::unique_ptr<AsyncLowering> Lowerer;
};

/// \param ArchIndex which of Request.Transform.Archs.
/// \returns an error, one line with the cure, when the file cannot be read or
/// parsed.
llvm::Expected<UnitResult> processUnit(const FileRequest &Request,
                                       unsigned ArchIndex);

/// Transforms a parsed unit once more, with other options.
UnitOutcome transformAgain(UnitResult &Unit, const FileRequest &Request,
                           const TransformOptions &Options,
                           unsigned ArchIndex = 0);

/// What was said of all files, each thing once: a header's loops are met in
/// every file that includes it.
class Findings {
public:
  /// What is said of one loop, or of a file as a whole.
  void add(const LoopOutcome &Loop);
  void add(const Diagnostic &Other);

  /// The texts of --report and --sarif.
  std::string json() const;
  std::string sarif() const;
  /// True if an internal error is among them.
  bool broken() const;

  /// Functions that some file of the run has a body of: of these nobody says
  /// that they are never instantiated.
  void knowInstantiated(llvm::ArrayRef<Place> Functions);

  std::vector<LoopReport> Loops;
  std::vector<Diagnostic> Others;
  /// All of them, in the order in which they are printed.
  std::vector<Diagnostic> Diagnostics;
  /// Loops by what became of them, each once. Those that load no tile are none
  /// of the refused.
  std::map<LoopVerdict, unsigned> Count;
  unsigned NoTile = 0;
  unsigned refused() const;

private:
  llvm::StringSet<> Seen, Counted, Instantiated;
  /// Of a file's name, which may be one of several.
  llvm::StringMap<std::string> RealNames;
  std::string keyOf(const Place &P);
  bool isNew(const Diagnostic &D);
};

/// "12 files: 5 loops pipelined, 2 refused; 1 file failed"
std::string countsOf(const Findings &Found, size_t Files, unsigned Failed);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_SESSION_H
