// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of staged buffers. The declaration gets another name, a leading extent,
// the alignment and longer rows; where a stage is known, the author's name is a
// reference to it, so that what the author wrote stays as it is.
#ifndef KPIPE_EMISSION_STAGES_H
#define KPIPE_EMISSION_STAGES_H

#include "Names.h"
#include "RuntimeCalls.h"
#include "SourceText.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// A name by which the loop reaches a staged buffer: that of an array, or of a
/// view of one or of dynamic shared memory.
struct StagedName {
  const clang::VarDecl *Var = nullptr;
  std::string Name;
  /// All stages: `As_stages`, the array itself, or for a view another name of
  /// the first one.
  std::string Stages;
  bool View = false;
  /// Of a view of an array, or a parameter: the bytes of a stage,
  /// `sizeof(block_stages[0])`. Empty where the launch decides them.
  std::string Bytes;
  /// Of a reference that is a parameter: its size is that of a stage.
  bool HasSize = false;
  /// The loop mentions it. If not, its name may mean another variable there.
  bool InLoop = false;
  /// Names of which each, in a text, may mention it: its own and those of
  /// macros.
  llvm::StringSet<> Words;

  /// \param Identifiers of a text.
  bool mentionedBy(const llvm::StringSet<> &Identifiers) const;
  /// One stage of an array, or of a view where its author's name is the first:
  /// `As_stages[stage]`, `kpipe::advance_bytes(As, stage * stage_bytes)`.
  std::string at(llvm::StringRef Stage, llvm::StringRef Bytes,
                 RuntimeCalls &Calls) const;
  /// `auto &As = As_stages[stage];`, or for a view
  /// `auto *As = kpipe::advance_bytes(As_stages, stage * stage_bytes);`
  std::string declaration(llvm::StringRef Stage, llvm::StringRef Bytes,
                          RuntimeCalls &Calls) const;
  /// `auto *As_stages = As;`, before the first declaration of a view.
  std::string first() const;
};

/// How the text of one loop names stages and tiles.
struct StageNames {
  std::string Stage; ///< the variable that numbers stages
  std::string Slot;  ///< the one that numbers tiles in registers
  std::string Parity; ///< what mbarriers are asked for; empty where none are
  std::string Empty;  ///< mbarriers of free stages; empty without a producer
  std::string Bytes; ///< of one stage in dynamic memory; empty where none is
  std::vector<StagedName> Staged; ///< empty for a single buffer

  /// Is dynamic shared memory staged, with stages as large as the launch says?
  bool hasBlock() const;
};

/// The names of a loop that are staged, each with a free name for its stages.
std::vector<StagedName> stagedNames(const TileLoop &Loop,
                                    const SourceText &Source, Names &Fresh);

/// Mentions of arrays in closures that copy become `As_stages[stage]`.
std::vector<Edit> copiedMentions(const TileLoop &Loop, const SourceText &Source,
                                 llvm::StringRef Stage,
                                 llvm::ArrayRef<StagedName> Staged,
                                 RuntimeCalls &Calls);

/// The arrays that get stages in the place of a buffer: itself, or what the
/// calls give for a parameter.
llvm::SmallVector<const clang::VarDecl *, 2> arraysOf(const StagedBuffer &B);

/// What has views keeps its name for the first stage, from which they are made:
/// `auto &block = block_stages[0];`
std::string firstStage(const clang::VarDecl *Array,
                       llvm::ArrayRef<StagedName> Staged);

/// Mentions of views, and of what has views, behind the loop, where their names
/// mean the first stage, become their place in the last tile's.
/// \param InBlock the last tile moves to the first stage.
std::vector<Edit> viewsAfter(const TileLoop &Loop, const SourceText &Source,
                             llvm::StringRef Stage, llvm::StringRef Bytes,
                             llvm::ArrayRef<StagedName> Staged,
                             RuntimeCalls &Calls, bool InBlock);

/// `float As[BM][BK]` becomes `float As_stages[2][BM][BK]`, aligned as its
/// accesses need, and `float As_stages[2][BM][BK + 4]` where its rows are
/// padded.
std::vector<Edit> stageDeclarations(const TileLoop &Loop,
                                    const PipelinePlan &Plan,
                                    const SourceText &Source,
                                    llvm::ArrayRef<StagedName> Staged);

/// `load_matrix_sync(a, &As[0][0], BK)` gets `BK + 8` where the rows of As do.
std::vector<Edit> padStrides(const PipelinePlan &Plan,
                             const SourceText &Source, Range Within);

/// The extents of V as the author spells them, with Pad elements more in the
/// last: `[BM][BK + 4]`.
/// \param Outside where the text is not to stand, null for none: constants that
/// only it knows stand for their values.
std::string extentsText(const clang::VarDecl *V, const SourceText &Source,
                        unsigned Pad, const clang::Stmt *Outside = nullptr);

} // namespace kpipe

#endif // KPIPE_EMISSION_STAGES_H
