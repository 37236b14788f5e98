// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TmaOfLoops.h.
#include "TmaOfLoops.h"
#include "Kernel/SeenLaunches.h"
#include "RemapOfLoops.h"
#include "kpipe/TmaCopies.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// The first architecture with the copy engine.
static constexpr unsigned FirstMajor = 9;

std::optional<RemapOfLoop>
engineCopiesOf(CopyMapping By, const WrittenLoop &L, LoopOutcome &O,
               const KernelsOfLoops &Kernels, const LaunchIndex &Launches,
               llvm::ArrayRef<const ArchLimits *> Archs,
               const TransformOptions &Options) {
  if (isDecided(O.Where, Options))
    return std::nullopt;
  auto No = [&](Message Why) {
    O.NotRemapped = {Message(msg::loop_without_tma, std::move(Why))};
    return std::nullopt;
  };
  if (llvm::any_of(Archs,
                   [](const ArchLimits *A) { return A->Major < FirstMajor; }))
    return No({msg::tma_needs_sm90});
  std::optional<TmaCopies> All;
  KnownBlock Block;
  for (const LoopFacts &Body : L.Bodies) {
    const FunctionDecl *F = Body.Tile.Function;
    const KnownBlock Own = Kernels.blockOf(F);
    if (!Own.Size || !Own.Certain)
      return No({msg::tma_block_not_certain});
    TmaCopies One;
    if (By == CopyMapping::Bulk) {
      One = copyInBulk(Body, *Own.Size);
    } else {
      const KernelCalls Calls = callsOf(F, Launches, Body.In->context());
      if (Calls.Not)
        return No(Calls.Not);
      One = copyByTma(Body, *Own.Size, Calls.Calls);
    }
    if (One.Edits.empty())
      return No(std::move(One.Not));
    if (All && (One.Edits != All->Edits || Own.Size != Block.Size))
      return No({msg::remap_instantiations});
    All = std::move(One);
    Block = Own;
  }
  const SourceManager &SM = L.Bodies.front().In->context().getSourceManager();
  auto Made = asRemap(SM, All->File, All->Edits,
                      {O.Where, O.Key, All->Arrays, {}, /*Whole=*/false, By},
                      *Block.Size);
  if (!Made)
    return No({msg::edits_clash});
  return Made;
}

std::vector<std::string> primitivesBefore(const Place &Loop,
                                          const TransformOptions &Options) {
  for (const RemappedLoop &R : Options.Remapped)
    if (R.By == CopyMapping::Tma && sameLine(R.Where, Loop))
      return {"expect_tile", "fence_proxy_async", "init_full",
              "load_box",    "swizzled",          "tile_map"};
    else if (R.By == CopyMapping::Bulk && sameLine(R.Where, Loop))
      return {"expect_tile", "fence_proxy_async", "init_full", "load_row"};
  return {};
}

} // namespace kpipe
