// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper functions that fill shared memory for a load region: each is cloned
// beside the original, once for what runs ahead and once for the stores from
// registers, with a struct of the registers in between.
#ifndef KPIPE_EMISSION_HELPERS_H
#define KPIPE_EMISSION_HELPERS_H

#include "Names.h"
#include "Regions.h"
#include "kpipe/Emission.h"

namespace kpipe {

struct HelperUses {
  std::vector<HelperUse> Uses;
  /// Declarations of the tiles that the calls share, for the loop's block.
  std::vector<std::string> Tiles;
};

/// Chooses names for the clones of every helper that the loop's copies are in.
/// Fails if a helper's text is in another file or behind its caller.
llvm::Expected<HelperUses> planHelpers(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       const SourceText &Source,
                                       const Staging &Registers, Names &Fresh);

struct HelperClones {
  /// The clones' text, each as an insertion behind its original.
  std::vector<Edit> Edits;
  /// The same for each call, with the names that it introduces.
  std::vector<EmittedClone> Called;
};

/// Writes the clones.
llvm::Expected<HelperClones> cloneHelpers(const TileLoop &Loop,
                                          const SourceText &Source,
                                          const Staging &Registers,
                                          const HelperUses &Helpers,
                                          Regions &Writer);

} // namespace kpipe

#endif // KPIPE_EMISSION_HELPERS_H
