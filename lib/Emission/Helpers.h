// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper functions that fill shared memory for a load region: each is cloned,
// once for what runs ahead and once for the stores from registers, with a struct
// of the registers in between.
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
/// \param Apart each call gets clones of its own.
/// Fails if a helper cannot be cloned.
llvm::Expected<HelperUses> planHelpers(const TileLoop &Loop,
                                       const PipelinePlan &Plan,
                                       SourceTexts &Texts,
                                       const Staging &Registers, Names &Fresh,
                                       bool Apart);

/// Finds the parameters that the clones do without.
/// \param Writer of the loop, with the helpers as they are.
llvm::Error findUnused(const TileLoop &Loop, const PipelinePlan &Plan,
                       SourceTexts &Texts, const Staging &Registers,
                       Regions &Writer, RuntimeCalls &Calls,
                       HelperUses &Helpers);

struct HelperClones {
  /// The clones' text, each as an insertion.
  std::vector<Edit> Edits;
  /// The same, with the names that it introduces.
  std::vector<EmittedClone> Called;
  /// Two calls would need different clones of one name.
  bool Differ = false;
};

/// Writes the clones.
llvm::Expected<HelperClones>
cloneHelpers(const TileLoop &Loop, const PipelinePlan &Plan, SourceTexts &Texts,
             const Staging &Registers, const HelperUses &Helpers,
             Regions &Writer, RuntimeCalls &Calls);

} // namespace kpipe

#endif // KPIPE_EMISSION_HELPERS_H
