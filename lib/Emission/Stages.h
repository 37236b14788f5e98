// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits that give staged buffers their stages: the leading extent and the
// alignment in the declaration, an index at every mention.
#ifndef KPIPE_EMISSION_STAGES_H
#define KPIPE_EMISSION_STAGES_H

#include "SourceText.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// `As` becomes `As[stage]` inside Within; mentions in every instantiation of
/// a template and in branches that this one discards are found.
std::vector<Edit> stageMentions(const TileLoop &Loop, const SourceText &Source,
                                Range Within, llvm::StringRef Index);

/// `float As[BM]` becomes `float As[2][BM]`, aligned as its accesses need.
std::vector<Edit> stageDeclarations(const TileLoop &Loop,
                                    const SourceText &Source, unsigned Stages);

} // namespace kpipe

#endif // KPIPE_EMISSION_STAGES_H
