// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits that give staged buffers their stages and longer rows: the leading
// extent, the alignment and the last extent in the declaration, an index at
// every mention, the length of a row where one is given. Dynamic shared memory
// keeps its declaration; each view of it gets a pointer into the stage.
#ifndef KPIPE_EMISSION_STAGES_H
#define KPIPE_EMISSION_STAGES_H

#include "Names.h"
#include "SourceText.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// A name by which the loop reaches dynamic shared memory, and what takes its
/// place: `As`, and `As_tile` for the part of one stage.
struct StagedView {
  const clang::VarDecl *Var = nullptr;
  std::string Name, Tile;

  /// `kpipe::advance_bytes(As, stage * stage_bytes)`
  std::string at(llvm::StringRef Stage, llvm::StringRef Bytes) const;
  /// `auto *As_tile = kpipe::advance_bytes(As, stage * stage_bytes);`
  std::string declaration(llvm::StringRef Stage, llvm::StringRef Bytes) const;
};

std::vector<StagedView> stagedViews(const TileLoop &Loop, Names &Fresh);

/// `As` becomes `As[stage]` inside Within, and a view `As_tile`; mentions in
/// every instantiation of a template and in branches that this one discards are
/// found.
std::vector<Edit> stageMentions(const TileLoop &Loop, const SourceText &Source,
                                Range Within, llvm::StringRef Index,
                                llvm::ArrayRef<StagedView> Views);

/// The same where no `As_tile` is declared: mentions of views are replaced.
/// \param Bytes name of the bytes of one stage.
std::vector<Edit> stageMentionsAfter(const TileLoop &Loop,
                                     const SourceText &Source, Range Within,
                                     llvm::StringRef Index,
                                     llvm::StringRef Bytes,
                                     llvm::ArrayRef<StagedView> Views);

/// `float As[BM][BK]` becomes `float As[2][BM][BK]`, aligned as its accesses
/// need, and `float As[2][BM][BK + 4]` where its rows are padded.
std::vector<Edit> stageDeclarations(const TileLoop &Loop,
                                    const PipelinePlan &Plan,
                                    const SourceText &Source);

/// `load_matrix_sync(a, &As[0][0], BK)` gets `BK + 8` where the rows of As do.
std::vector<Edit> padStrides(const PipelinePlan &Plan,
                             const SourceText &Source, Range Within);

/// The extents of V as the author spells them, with Pad elements more in the
/// last: `[BM][BK + 4]`.
std::string extentsText(const clang::VarDecl *V, const SourceText &Source,
                        unsigned Pad);

} // namespace kpipe

#endif // KPIPE_EMISSION_STAGES_H
