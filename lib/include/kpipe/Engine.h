// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way from one device-side AST to edits, as one call: recognition,
// legality, planning, emission in that order. The driver calls this and
// nothing further inside; it must not print, read options or touch files.
#ifndef KPIPE_ENGINE_H
#define KPIPE_ENGINE_H

#include "kpipe/Diagnostic.h"
#include "kpipe/Options.h"
#include "kpipe/Reporting.h"
#include "kpipe/Validation.h"
#include "clang/Tooling/Refactoring/AtomicChange.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class SourceRange;
class Preprocessor;
} // namespace clang

namespace kpipe {

/// A kernel that runs a pipelined loop.
struct LoopKernel {
  std::string Name;    ///< and template arguments
  std::string Mangled; ///< as Clang mangles it
  /// Of a block; empty if unknown.
  std::optional<unsigned> Threads;
  std::optional<uint64_t> DynamicBefore, DynamicAfter;
  /// The loop stands in a function that the kernel calls.
  bool LoopIsCalled = false;
  /// Or nowhere: another instantiation of a text that has it.
  bool LeavesLoopOut = false;
};

/// A loop's text with copies of 16 bytes beside the author's, see
/// Remap/Remap.h; or with the copy engine's in their place, see
/// kpipe/TmaCopies.h.
struct RemapOfLoop {
  clang::tooling::AtomicChange Change;
  RemappedLoop Loop;
  /// That the new mapping is made for.
  std::array<unsigned, 3> Block;
};

/// One row of `analyze`'s table and of a JSON report.
struct LoopOutcome {
  LoopVerdict Verdict = LoopVerdict::Refused;
  /// Qualified name of the function that holds the loop.
  std::string Function;
  LoopKey Key;
  Place Where;
  /// Of the loop's text; 0 if that ends in another file.
  unsigned LastLine = 0;
  /// One remark when pipelined; else one warning per violated rule.
  std::vector<Diagnostic> Diagnostics;
  /// The row of the table.
  LoopReport Report;
  /// Readable dumps of the structs on the way (`--dump=`).
  std::string DumpTileLoop, DumpBoxes, DumpLegality, DumpPlan;
  /// The same loop with remapped copies, which is to be transformed in its
  /// place: none where that was not asked for, or is done.
  std::optional<RemapOfLoop> Remap;
  /// Its author staged it, and kpipe is asked to do so instead.
  bool WantsRestage = false;
  /// Why copies that were to be remapped are not, as notes.
  std::vector<Message> NotRemapped;
  /// Its tiles come in small elements, one by one, or did before they were
  /// remapped, see RemappedLoop.
  bool CopiesElements = false, RemappedWhole = false;
  /// The author says in a pragma above the pipelined loop how to unroll it.
  bool AuthorUnrolls = false;
  /// Its short loops stay loops for nvcc, which costs, and to unroll them
  /// leaves every sum as it is.
  bool UnrollingPays = false;
  /// No tensor core is used, and no kernel that runs it asks for a minimum of
  /// blocks.
  bool MayAskForBlocks = false;
  /// What its edits are said to do, for each body of the text; they point into
  /// the AST. Empty if it is not pipelined.
  std::vector<std::shared_ptr<const DeclaredLoop>> Declared;
  /// Of a pipelined loop: all kernels that run it, and what was asked for it by
  /// options, directives and choices.
  std::vector<LoopKernel> Kernels;
  LoopForm Asked;
};

/// A function in a header that may be edited, as one unit reads it.
struct HeaderFunction {
  std::string File;
  unsigned FirstLine = 0, LastLine = 0;
  /// The unit has code of it: it is no template, or is instantiated.
  bool IsCompiled = false;
  /// Where loops begin in it.
  std::set<unsigned> LoopLines;
};

struct UnitOutcome {
  std::vector<LoopOutcome> Loops;
  /// Diagnostics that belong to no loop.
  std::vector<Diagnostic> Diagnostics;
  /// Of every function that was looked at in a body: as it is written.
  std::vector<Place> Instantiated;
  /// Where there is no loop: those of headers that were not asked for, and the
  /// headers' names.
  unsigned LoopsInHeaders = 0;
  /// Functions of headers with loops of which one may load a tile.
  unsigned TilesInHeaders = 0;
  std::vector<std::string> HeadersWithLoops;
  /// Loops with a barrier of their own around others, which are left as they
  /// are; counted where none is pipelined.
  unsigned LoopsAround = 0;
  /// Where there is no loop: why one that nearly is was passed over.
  Message PassedOver;
  /// No function is among the kernels that were asked for; those that there
  /// are.
  bool NoKernelMatches = false;
  std::vector<std::string> OtherKernels;
  /// A function has no loop, but errors where there may be one.
  bool LosesLoops = false;
  std::vector<HeaderFunction> HeaderFunctions;
  /// Edits of all pipelined loops; empty when nothing was pipelined.
  std::vector<clang::tooling::AtomicChange> Changes;
};

/// Runs every box on one parsed translation unit for the architecture
/// Options.Archs[ArchIndex]. Deterministic; never fails as a whole: what goes
/// wrong with a loop is in that loop's diagnostics.
/// \param Errors errors of the parse that were passed over: a loop in whose
/// function, or in a function called from there, one lies is left alone. Their
/// words are Clang's; `header_is_missing` marks those of includes.
/// \param Skipped what preprocessor conditions left out of the parse.
UnitOutcome transformUnit(clang::ASTContext &Context,
                          const TransformOptions &Options,
                          unsigned ArchIndex = 0,
                          llvm::ArrayRef<Note> Errors = {},
                          llvm::ArrayRef<clang::SourceRange> Skipped = {});

} // namespace kpipe

#endif // KPIPE_ENGINE_H
