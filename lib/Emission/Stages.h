// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits that give staged buffers their stages and longer rows: the leading
// extent, the alignment and the last extent in the declaration, an index at
// every mention, the length of a row where one is given.
#ifndef KPIPE_EMISSION_STAGES_H
#define KPIPE_EMISSION_STAGES_H

#include "SourceText.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// `As` becomes `As[stage]` inside Within; mentions in every instantiation of
/// a template and in branches that this one discards are found.
std::vector<Edit> stageMentions(const TileLoop &Loop, const SourceText &Source,
                                Range Within, llvm::StringRef Index);

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
